//! Verdict: which way something travels, and whether two programs understand each other.

use schemars::JsonSchema;
use serde::Serialize;

/// Which way values of a type travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Flow {
    /// Clients write it, servers read it.
    pub client_to_server: bool,
    /// Servers write it, clients read it.
    pub server_to_client: bool,
}

impl Flow {
    /// In words.
    pub fn name(self) -> &'static str {
        match (self.client_to_server, self.server_to_client) {
            (true, true) => "both ways",
            (true, false) => "client → server",
            (false, true) => "server → client",
            (false, false) => "no message",
        }
    }
}

/// Whether two programs understand each other after a change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Verdict {
    /// The verdict.
    pub outcome: Outcome,
    /// For `unless`: the capabilities that must not be used, as paths with dots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<String>,
    /// Why it is not safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The outcome of a verdict, the best first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// They understand each other.
    #[default]
    Safe,
    /// They understand each other unless one of the capabilities is used.
    Unless,
    /// Nobody knows, because something changed that cannot be compared.
    Unverified,
    /// They do not understand each other.
    Breaks,
}

impl Verdict {
    /// The verdict on both.
    pub(super) fn join(&mut self, other: &Self) {
        if other.outcome > self.outcome {
            let mut worse = other.clone();
            // If something breaks without them, capabilities are not named.
            if worse.outcome == Outcome::Unless {
                worse.capabilities.append(&mut self.capabilities);
            }
            *self = worse;
        } else if other.outcome == self.outcome {
            self.capabilities.extend(other.capabilities.iter().cloned());
        }
        self.capabilities.sort();
        self.capabilities.dedup();
    }

    /// In words: `safe`, `breaks`, `safe unless tools or prompts is used`.
    pub fn words(&self) -> String {
        match self.outcome {
            Outcome::Safe => "safe".to_owned(),
            Outcome::Breaks => "breaks".to_owned(),
            Outcome::Unverified => "unverified".to_owned(),
            Outcome::Unless => {
                let names: Vec<String> = self.capabilities.iter().map(|name| format!("`{name}`")).collect();
                let names = match names.split_last() {
                    Some((last, [])) => last.clone(),
                    Some((last, first)) => format!("{} or {last}", first.join(", ")),
                    None => "a capability".to_owned(),
                };
                format!("safe unless {names} is used")
            }
        }
    }
}
