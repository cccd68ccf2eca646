//! stub
use super::*;
#[derive(Debug)]
pub(super) struct Asking {}
impl Asking {
    pub(super) fn is_text(&self) -> bool {
        false
    }
    pub(super) fn text_field(&mut self) -> Option<&mut tui_input::Input> {
        None
    }
}
impl Stepper {
    pub(super) fn asking_key(&mut self, _: Key) -> bool {
        false
    }
    pub(super) fn open_question(&mut self) -> bool {
        false
    }
    pub(super) fn hint(&mut self) {}
    pub(super) fn asking_hints(&self) -> Option<Vec<(String, String)>> {
        None
    }
    pub(super) fn question_waits(&self) -> bool {
        false
    }
}
