//! Whether the algorithm's rules are shown in place of the lesson's page, and why no key changes that.
//!
//! Where they stand is the layout's business.

use super::Stepper;

impl Stepper {
    /// Shows the rules in place of the page, or the page again; where neither can be seen to happen, the
    /// footer says why.
    pub(super) fn show_rules(&mut self) {
        if self.zoom.is_some() {
            return self.say("one panel has the whole screen: z goes on to the rules, Esc back");
        }
        if self.rules_seen.get() {
            return self.say("the rules are on the screen already; z shows one panel whole");
        }
        if self.learner.is_none() {
            return self.say("this window has no room for the rules; z shows one panel whole");
        }
        self.rules = !self.rules;
        if self.rules && self.asking.is_none() {
            self.say("p brings the page back");
        }
    }
}
