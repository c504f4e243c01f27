//! Address: what may be handed to git as the address of a repository or the name of a commit, and what may be shown of it.

use anyhow::{Result, bail};

/// What git may speak. Neither `git` nor `http` can tell the server that is meant from another one.
const PROTOCOLS: [&str; 3] = ["https", "ssh", "file"];

/// The protocol of an address; none if this is not the address of a repository.
///
/// Whatever git or ssh could take for an option or a command is no address: `-…` in any place that reaches a command line,
/// `helper::…`, which names a program, and protocols that nobody needs.
pub fn protocol(from: &str) -> Option<&'static str> {
    if from.starts_with('-') || from.contains("::") || from.chars().any(char::is_control) {
        return None;
    }
    let Some((scheme, rest)) = from.split_once("://") else { return is_short(from).then_some("ssh") };
    let protocol = PROTOCOLS.into_iter().find(|protocol| *protocol == scheme)?;
    let (host, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    let plain = match protocol {
        "file" => host.is_empty() && path.len() > 1,
        _ => is_host(host) && path.len() > 1 && !path.starts_with("/-") && !path.starts_with("/%"),
    };
    plain.then_some(protocol)
}

/// Whether this is `user@host:path`, which stands for ssh; `host:path.git` as well.
fn is_short(from: &str) -> bool {
    let Some((host, path)) = from.split_once(':') else { return false };
    let is_meant = host.starts_with("git@") || path.ends_with(".git");
    is_meant && !host.contains('/') && is_host(host) && !path.is_empty() && !path.starts_with(['-', '%'])
}

/// Whether this is a host, perhaps with a user and a port: neither may look like an option, be it in disguise.
fn is_host(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("user", text));
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with(['-', '%']);
    is_plain(user) && is_plain(host) && host.chars().all(|letter| letter.is_alphanumeric() || "-._:[]".contains(letter))
}

/// An address as it may be shown and recorded.
pub fn without_password(from: &str) -> String {
    let Some((scheme, rest)) = from.split_once("://") else { return from.to_owned() };
    let (host, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    let host = match host.rsplit_once('@') {
        // For ssh the user is part of the address; for the web it is a secret or half of one.
        Some((user, host)) if scheme == "ssh" => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        Some((_, host)) => host.to_owned(),
        None => host.to_owned(),
    };
    format!("{scheme}://{host}{path}")
}

/// That a commit, branch or tag is named by nothing but a name: no option, no range, no pair of names.
pub fn prove_rev(rev: &str) -> Result<()> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._/-+#@=".contains(letter);
    let begins = rev.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    if !begins || !rev.chars().all(plain) || rev.contains("..") || rev.contains("//") || rev.ends_with(['/', '.']) {
        bail!("`{}` is not the name of a commit\n  --rev takes a hash, a branch or a tag", rev.escape_debug());
    }
    Ok(())
}

/// Whether this is a hash, or the beginning of one.
pub fn is_hash(rev: &str, shortest: usize) -> bool {
    (shortest..=64).contains(&rev.len()) && rev.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether this is a whole hash, of either kind that git has.
pub fn is_whole_hash(rev: &str) -> bool {
    is_hash(rev, 40) && matches!(rev.len(), 40 | 64)
}
