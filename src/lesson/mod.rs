//! STUB
#![allow(missing_docs)]
use crate::lab::Lab;
use crate::model::Event;
use crate::sim::RevId;
use std::sync::Arc;
#[derive(Debug, Clone)]
pub struct Lesson {
    pub title: String,
}
#[derive(Debug)]
pub struct Learner {
    l: Arc<Lesson>,
}
#[derive(Debug)]
pub enum Next {
    Played(RevId),
    Turned,
    Blocked,
    Finished,
}
impl Learner {
    pub fn new(l: Arc<Lesson>) -> Result<(Self, Lab), crate::catalog::ConfigError> {
        Ok((Self { l }, Lab::new(crate::model::Config::new("lamport", 3))?))
    }
    pub fn lesson(&self) -> &Lesson {
        &self.l
    }
    pub fn page(&self) -> (usize, usize) {
        (1, 2)
    }
    pub fn exploring(&self, _: &Lab) -> bool {
        false
    }
    pub fn next(&mut self, _: &mut Lab) -> Next {
        Next::Finished
    }
    pub fn back(&mut self, _: &mut Lab) -> bool {
        false
    }
    pub fn return_to_lesson(&mut self, _: &mut Lab) {}
    pub fn upcoming(&self) -> Option<Event> {
        None
    }
}
