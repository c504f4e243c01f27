//! Guard: what git is told before it is let near a repository of someone else. One table, with the reason of every row.
//!
//! The first guard is not in the table: git is never run *in* a checkout. It is run in an empty repository of our own that
//! borrows the checkout's objects (see `checkout.rs`), so that the checkout's configuration, hooks, attributes, replacements
//! and grafts are not read at all. What the table adds holds for git's own defaults, for what the user has set up, and for
//! the connection to a server.

use std::process::Command;

/// What git is about to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Read objects that are here. It needs nothing that a user has set up, and no server.
    Read,
    /// Fetch from an address over this protocol, with the user's own proxies, certificates and credentials.
    Fetch(&'static str),
}

/// Whom a row concerns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Both,
    Reading,
}

enum Rule {
    /// A variable of the environment.
    Variable(&'static str, &'static str),
    /// A setting, which overrides those of all files.
    Setting(&'static str, &'static str),
}

use For::{Both, Reading};
use Rule::{Setting, Variable};

/// Where there is no configuration.
const NOTHING: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

const GUARDS: &[(For, Rule, &str)] = &[
    // Nothing is run.
    (
        Both,
        Variable("GIT_NO_LAZY_FETCH", "1"),
        "a missing object is an error: in a partial clone, git would run what \
        the repository names to get it",
    ),
    (Both, Setting("core.fsmonitor", "false"), "it may name a program"),
    (Both, Setting("core.hooksPath", NOTHING), "hooks are programs"),
    (Both, Setting("log.showSignature", "false"), "it runs the program that `gpg.program` names"),
    (Both, Setting("gc.auto", "0"), "nothing is tidied up in the background"),
    (Both, Setting("maintenance.auto", "false"), "the same under its new name"),
    (Both, Setting("fetch.recurseSubmodules", "false"), "a submodule is an address that the repository chooses"),
    (Both, Setting("submodule.recurse", "false"), "the same for all commands"),
    (Both, Setting("transfer.bundleURI", "false"), "a bundle is at an address that the server chooses"),
    (Both, Setting("protocol.ext.allow", "never"), "an address of `ext::` is a command"),
    (Reading, Variable("GIT_ALLOW_PROTOCOL", "none"), "reading needs no server"),
    (Reading, Variable("GIT_CONFIG_NOSYSTEM", "1"), "what the machine has set up may run programs, and changes output"),
    (Reading, Variable("GIT_CONFIG_GLOBAL", NOTHING), "the same for what the user has set up"),
    (Both, Variable("GIT_ATTR_NOSYSTEM", "1"), "attributes choose filters, which are programs"),
    // Nobody is asked, and nothing waits for ever.
    (Both, Variable("GIT_TERMINAL_PROMPT", "0"), "no prompt of git's own"),
    (Both, Variable("GIT_ASKPASS", ""), "no prompt in a window"),
    (Both, Variable("SSH_ASKPASS_REQUIRE", "never"), "no prompt of ssh in a window"),
    (Both, Variable("GCM_INTERACTIVE", "never"), "no prompt of the credential manager"),
    (Both, Setting("credential.interactive", "false"), "no prompt of other credential helpers"),
    (Both, Setting("http.lowSpeedLimit", "100"), "a server that has stopped talking is given up"),
    (Both, Setting("http.lowSpeedTime", "60"), "after a minute"),
    // What is read is what the hash stands for, and no more than fits.
    (Both, Variable("GIT_NO_REPLACE_OBJECTS", "1"), "the bytes of a commit are its own, not those of a replacement"),
    (Both, Setting("core.commitGraph", "false"), "a graph is a copy of what commits say, which may say something else"),
    (Both, Setting("core.multiPackIndex", "false"), "an index of indexes; packs have their own"),
    (Both, Variable("GIT_ALLOC_LIMIT", "256m"), "an object may claim any size; none that is wanted comes near"),
    (Both, Setting("core.bigFileThreshold", "1m"), "larger files are passed on in pieces, not held in memory"),
    (Both, Setting("fetch.prune", "false"), "the cache keeps what it has"),
    (Both, Variable("GIT_OPTIONAL_LOCKS", "0"), "nothing is written where only reading is asked for"),
    // What is printed is what is looked for.
    (Both, Variable("GIT_LITERAL_PATHSPECS", "1"), "a path is a path, and no pattern"),
    (Both, Variable("LC_ALL", "C"), "the messages that are looked into are the English ones"),
    (Both, Setting("log.follow", "false"), "the history of a path is that of a path"),
    (Both, Setting("color.ui", "false"), "no escape sequences"),
];

/// The variables of git that say how to reach a server; all others are removed. When git runs this program as a hook, for
/// one, they name a repository, which is not the one that is meant.
const OF_THE_CONNECTION: [&str; 10] = [
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_KEY_",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_VALUE_",
    "GIT_HTTP_",
    "GIT_PROXY_",
    "GIT_SSH",
    "GIT_SSL_",
];

/// Applies the table.
pub fn apply(command: &mut Command, task: Task) {
    let kept = |name: &str| task != Task::Read && OF_THE_CONNECTION.iter().any(|start| name.starts_with(start));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.to_ascii_uppercase().starts_with("GIT_") && !kept(&name) {
            command.env_remove(&*name);
        }
    }
    if let Task::Fetch(protocol) = task {
        // Only this one, wherever a server would send git next.
        command.env("GIT_ALLOW_PROTOCOL", protocol);
        if std::env::var_os("GIT_SSH_COMMAND").is_none() && std::env::var_os("GIT_SSH").is_none() {
            command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes -o ConnectTimeout=30");
        }
    }
    command.arg("--no-pager");
    for (_, rule, _) in GUARDS.iter().filter(|(whom, _, _)| *whom == Both || task == Task::Read) {
        match rule {
            Variable(name, value) => command.env(name, value),
            Setting(name, value) => command.args(["-c", &format!("{name}={value}")]),
        };
    }
    // Tests must not depend on the machine they are run on.
    #[cfg(test)]
    command.env("GIT_CONFIG_GLOBAL", NOTHING).env("GIT_CONFIG_SYSTEM", NOTHING);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_row_of_the_table_reaches_git_and_has_a_reason() {
        let mut rows = 0;
        for task in [Task::Read, Task::Fetch("https")] {
            let mut command = Command::new("git");
            apply(&mut command, task);
            let arguments: Vec<_> = command.get_args().map(|argument| argument.to_str().unwrap().to_owned()).collect();
            for (whom, rule, why) in GUARDS {
                let there = match rule {
                    Variable(name, value) => {
                        command.get_envs().any(|(key, set)| key == *name && set.is_some_and(|set| set == *value))
                    }
                    Setting(name, value) => arguments.contains(&format!("{name}={value}")),
                };
                assert!(why.len() > 10);
                // The tests themselves have no global configuration either.
                let name = matches!(rule, Variable("GIT_CONFIG_GLOBAL", _));
                assert_eq!(there, name || *whom == Both || task == Task::Read, "{why}");
                rows += 1;
            }
        }
        assert_eq!(rows, 2 * 32);
    }
}
