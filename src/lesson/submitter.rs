//! Who handed answers in, as a course system says it: nobody gets marks for answers that were made for
//! somebody else, whatever name stands in them.

use super::vary::folded;
use serde::Deserialize;

/// One person, or a group that hands in together.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Submitter {
    users: Vec<User>,
}

/// A person as Gradescope's `submission_metadata.json` has one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
struct User {
    name: Option<String>,
    email: Option<String>,
    /// The number on the class list.
    sid: Option<String>,
}

impl User {
    fn called(&self) -> impl Iterator<Item = &str> {
        let names = [&self.name, &self.email, &self.sid];
        let names = names.into_iter().filter_map(Option::as_deref);
        names.filter(|name| !folded(name).is_empty())
    }
}

impl Submitter {
    /// Whoever has this name: an account, for example.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { users: vec![User { name: Some(name.to_owned()), ..User::default() }] }
    }

    /// Whoever Gradescope's `submission_metadata.json` names.
    ///
    /// # Errors
    /// It is no such file, or names nobody.
    pub fn from_metadata(text: &str) -> Result<Self, String> {
        let found: Self = serde_json::from_str(text)
            .map_err(|why| format!("this is no submission_metadata.json of Gradescope: {why}"))?;
        let nobody =
            found.users.is_empty() || found.users.iter().any(|u| u.called().next().is_none());
        if nobody { Err("it does not say who handed in".to_owned()) } else { Ok(found) }
    }

    /// Whether somebody of them is called so: by name, by address or by number. Case and spaces make no
    /// difference.
    #[must_use]
    pub fn is(&self, who: &str) -> bool {
        let who = folded(who);
        self.users.iter().flat_map(User::called).any(|name| folded(name) == who)
    }

    /// What results call them.
    #[must_use]
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.users.iter().filter_map(|user| user.called().next()).collect();
        names.join(", ")
    }
}
