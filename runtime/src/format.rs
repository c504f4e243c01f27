//! String formats the MCP schemas name: `uri`, `uri-template` and `byte`.
//!
//! The first two give the verdict of the `jsonschema` crate (0.60.2, formats enabled), so that a
//! message is valid here exactly when a schema validator says so. `jsonschema` ignores `byte`,
//! which comes from `OpenAPI`; its verdict is that of the `base64` crate's `STANDARD` engine.
//!
//! Every parser takes the bytes still to be read and returns those left after the rule it is
//! named for, or `None` when the rule does not match. The grammars need no backtracking, so each
//! check is linear in the length of the text and allocates nothing.

use std::net::Ipv6Addr;

/// Whether the text is a URI with a scheme: `URI` of RFC 3986, appendix A.
///
/// Relative references and the non-ASCII characters of RFC 3987 (IRI) are refused.
#[must_use]
#[inline]
pub fn is_uri(text: &str) -> bool {
    after_uri(text.as_bytes()).is_some_and(<[u8]>::is_empty)
}

/// Whether the text is a URI template of any level: `URI-Template` of RFC 6570, section 2.
#[must_use]
#[inline]
pub fn is_uri_template(text: &str) -> bool {
    after_uri_template(text.as_bytes()).is_some_and(<[u8]>::is_empty)
}

/// Whether the text is base64 in the standard alphabet of RFC 4648, section 4.
///
/// Padding is required, and so are zero bits in the last symbol where it encodes fewer than six
/// (section 3.5). Line breaks are refused, like any other character outside the alphabet
/// (section 3.3).
#[must_use]
#[inline]
pub fn is_base64(text: &str) -> bool {
    let Some((body, last)) = text.as_bytes().split_last_chunk::<4>() else {
        return text.is_empty();
    };
    // Only the last four symbols can hold padding.
    body.len().is_multiple_of(4)
        && all_base64_symbols(body)
        && match last {
            // The second symbol carries two bits of data and the third carries four, so the
            // patterns list the symbols whose value is a multiple of 16 and of 4.
            [first, b'A' | b'Q' | b'g' | b'w', b'=', b'='] => is_base64_symbol(*first),
            [
                first,
                second,
                b'A' | b'E' | b'I' | b'M' | b'Q' | b'U' | b'Y' | b'c' | b'g' | b'k' | b'o' | b's' | b'w' | b'0' | b'4'
                | b'8',
                b'=',
            ] => is_base64_symbol(*first) && is_base64_symbol(*second),
            unpadded => all_base64_symbols(unpadded),
        }
}

#[inline]
fn all_base64_symbols(bytes: &[u8]) -> bool {
    // Within a block nothing branches on a byte, which lets the compiler check many bytes with
    // one instruction; between blocks a bad one ends the search.
    bytes.chunks(1024).all(|block| block.iter().fold(true, |good, byte| good & is_base64_symbol(*byte)))
}

#[inline]
fn is_base64_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]` (RFC 3986, section 3).
#[inline]
fn after_uri(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = after_scheme(bytes)?.strip_prefix(b":")?;
    if let [b'/', b'/', authority @ ..] = rest {
        rest = after_authority(authority)?;
        // After an authority the path is empty or begins with a slash (section 3.3). This is
        // also what refuses anything an authority cannot end with.
        if !matches!(rest, [] | [b'/' | b'?' | b'#', ..]) {
            return None;
        }
    }
    rest = skip_encoded(rest, is_path)?;
    if let [b'?', query @ ..] = rest {
        rest = skip_encoded(query, is_query_or_fragment)?;
    }
    if let [b'#', fragment @ ..] = rest {
        rest = skip_encoded(fragment, is_query_or_fragment)?;
    }
    Some(rest)
}

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (RFC 3986, section 3.1).
#[inline]
fn after_scheme(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [first, rest @ ..] if first.is_ascii_alphabetic() => {
            Some(skip(rest, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))
        }
        _ => None,
    }
}

/// `authority = [ userinfo "@" ] host [ ":" port ]` (RFC 3986, section 3.2).
#[inline]
fn after_authority(bytes: &[u8]) -> Option<&[u8]> {
    let after_port = after_host_and_port(bytes)?;
    if bytes.starts_with(b"[") {
        return Some(after_port);
    }
    // A registered name and its port are made of userinfo characters, so what was read so far is
    // the beginning of the userinfo when an "@" ends the run of them.
    match skip_encoded(after_port, is_userinfo)? {
        [b'@', host @ ..] => after_host_and_port(host),
        _ => Some(after_port),
    }
}

/// `host [ ":" port ]`, where the port is any number of digits, even none (RFC 3986, section
/// 3.2.3). An IPv4 address needs no rule of its own: it is a registered name as well.
#[inline]
fn after_host_and_port(bytes: &[u8]) -> Option<&[u8]> {
    let after_host = match bytes {
        [b'[', literal @ ..] => after_ip_literal(literal)?.strip_prefix(b"]")?,
        _ => skip_encoded(bytes, is_registered_name)?,
    };
    Some(match after_host {
        [b':', port @ ..] => skip(port, |byte| byte.is_ascii_digit()),
        _ => after_host,
    })
}

/// `IPv6address / IPvFuture`, without the brackets around them (RFC 3986, section 3.2.2).
#[inline]
fn after_ip_literal(bytes: &[u8]) -> Option<&[u8]> {
    // Quoted strings in ABNF ignore case (RFC 5234, section 2.3).
    if let [b'v' | b'V', version @ ..] = bytes {
        let address = skip_at_least_one(version, |byte| byte.is_ascii_hexdigit())?.strip_prefix(b".")?;
        return skip_at_least_one(address, is_userinfo);
    }
    let end = bytes.iter().position(|byte| *byte == b']')?;
    let (address, rest) = bytes.split_at_checked(end)?;
    // The standard library reads the same grammar: it refuses leading zeros in the IPv4 part, a
    // "::" that stands for no group, and the zone identifiers of RFC 6874.
    let address = std::str::from_utf8(address).ok()?;
    address.parse::<Ipv6Addr>().is_ok().then_some(rest)
}

/// The sets of characters that a URI is made of, a bit for each in which a character is.
const REGISTERED_NAME: u8 = 1;
const USERINFO: u8 = 1 << 1;
const PATH: u8 = 1 << 2;
const QUERY_OR_FRAGMENT: u8 = 1 << 3;

/// The sets that a character is in. Most of checking a list of resources is asking for them.
const fn sets_of(byte: u8) -> u8 {
    match byte {
        // `unreserved / sub-delims` (RFC 3986, sections 2.2 and 2.3).
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~' => u8::MAX,
        b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => u8::MAX,
        b':' => USERINFO | PATH | QUERY_OR_FRAGMENT,
        // `pchar`, or the slash between segments (RFC 3986, section 3.3).
        b'@' | b'/' => PATH | QUERY_OR_FRAGMENT,
        b'?' => QUERY_OR_FRAGMENT,
        _ => 0,
    }
}

static SETS: [u8; 256] = {
    let mut sets = [0; 256];
    let (mut rest, mut byte): (&mut [u8], u8) = (&mut sets, 0);
    while let [first, others @ ..] = rest {
        *first = sets_of(byte);
        (rest, byte) = (others, byte.wrapping_add(1));
    }
    sets
};

#[inline]
fn is_in(set: u8, byte: u8) -> bool {
    SETS.get(usize::from(byte)).is_some_and(|sets| sets & set != 0)
}

#[inline]
fn is_registered_name(byte: u8) -> bool {
    is_in(REGISTERED_NAME, byte)
}

#[inline]
fn is_userinfo(byte: u8) -> bool {
    is_in(USERINFO, byte)
}

#[inline]
fn is_path(byte: u8) -> bool {
    is_in(PATH, byte)
}

#[inline]
fn is_query_or_fragment(byte: u8) -> bool {
    is_in(QUERY_OR_FRAGMENT, byte)
}

/// `URI-Template = *( literals / expression )` (RFC 6570, section 2).
#[inline]
fn after_uri_template(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = skip_encoded(bytes, is_template_literal)?;
    while let [b'{', expression @ ..] = rest {
        rest = skip_encoded(after_expression(expression)?, is_template_literal)?;
    }
    Some(rest)
}

/// `[ operator ] variable-list "}"` (RFC 6570, section 2.2).
#[inline]
fn after_expression(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = match bytes {
        [operator, list @ ..] if is_operator(*operator) => list,
        list => list,
    };
    loop {
        match after_variable(rest)? {
            [b',', next @ ..] => rest = next,
            [b'}', after @ ..] => return Some(after),
            _ => return None,
        }
    }
}

/// The grammar includes the operators it reserves for extensions (RFC 6570, section 2.2).
#[inline]
fn is_operator(byte: u8) -> bool {
    matches!(byte, b'+' | b'#' | b'.' | b'/' | b';' | b'?' | b'&') || matches!(byte, b'=' | b',' | b'!' | b'@' | b'|')
}

/// `varspec = varname [ modifier-level4 ]` (RFC 6570, sections 2.3 and 2.4).
#[inline]
fn after_variable(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = skip_encoded_at_least_one(bytes, is_variable_name)?;
    while let [b'.', part @ ..] = rest {
        rest = skip_encoded_at_least_one(part, is_variable_name)?;
    }
    match rest {
        [b'*', after @ ..] => Some(after),
        // A prefix length is less than 10000 and has no leading zero. A fifth digit stays unread
        // and is then neither a comma nor a closing brace.
        [b':', b'1'..=b'9', digits @ ..] => Some(skip_digits_up_to_three(digits)),
        [b':', ..] => None,
        _ => Some(rest),
    }
}

#[inline]
fn skip_digits_up_to_three(bytes: &[u8]) -> &[u8] {
    match bytes {
        [b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', rest @ ..]
        | [b'0'..=b'9', b'0'..=b'9', rest @ ..]
        | [b'0'..=b'9', rest @ ..]
        | rest => rest,
    }
}

#[inline]
fn is_variable_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// `literals` (RFC 6570, section 2.1), with two differences that `jsonschema` makes. It admits
/// the apostrophe, for which it cites erratum 6937. And it admits every non-ASCII character,
/// where the RFC leaves out those that are neither `ucschar` nor `iprivate`: U+0080 to U+009F,
/// the noncharacters, U+FFF0 to U+FFFD, and U+E0000 to U+E0FFF.
#[inline]
fn is_template_literal(byte: u8) -> bool {
    !matches!(
        byte,
        0..=b' ' | b'"' | b'%' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{'..=b'}' | 0x7f
    )
}

fn skip(mut bytes: &[u8], allowed: impl Fn(u8) -> bool) -> &[u8] {
    while let [byte, rest @ ..] = bytes
        && allowed(*byte)
    {
        bytes = rest;
    }
    bytes
}

fn skip_at_least_one(bytes: &[u8], allowed: impl Fn(u8) -> bool) -> Option<&[u8]> {
    let rest = skip(bytes, allowed);
    (rest.len() < bytes.len()).then_some(rest)
}

/// Skips allowed bytes and `pct-encoded` octets (RFC 3986, section 2.1). A "%" that begins no
/// such octet is a mismatch at once, because no rule of either grammar could read it later.
fn skip_encoded(mut bytes: &[u8], allowed: impl Fn(u8) -> bool) -> Option<&[u8]> {
    loop {
        bytes = match bytes {
            [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => rest,
            [b'%', ..] => return None,
            [byte, rest @ ..] if allowed(*byte) => rest,
            _ => return Some(bytes),
        };
    }
}

fn skip_encoded_at_least_one(bytes: &[u8], allowed: impl Fn(u8) -> bool) -> Option<&[u8]> {
    let rest = skip_encoded(bytes, allowed)?;
    (rest.len() < bytes.len()).then_some(rest)
}
