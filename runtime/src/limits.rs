//! What a schema asks of a value besides its type: formats, lengths, ranges.

use std::cmp::Ordering;
use std::fmt::Display;

use crate::check::{Checker, Rule};
use crate::format::{is_base64, is_uri, is_uri_template};
use crate::misfit::describe_str;

/// What a schema asks of a value besides its type. A value minds only what concerns its kind.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    format: Option<Format>,
    /// The least and the largest number.
    range: (Option<f64>, Option<f64>),
    /// How many characters, items or members there may be.
    length: (usize, usize),
    /// The limits of each item of a list or value of a map.
    pub(crate) each: Option<&'static Limits>,
}

/// The format of a string.
#[derive(Debug, Clone, Copy)]
enum Format {
    Uri,
    UriTemplate,
    Byte,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self { format: None, range: (None, None), length: (0, usize::MAX), each: None };
    /// The format `uri`.
    pub const URI: Self = Self { format: Some(Format::Uri), ..Self::NONE };
    /// The format `uri-template`.
    pub const URI_TEMPLATE: Self = Self { format: Some(Format::UriTemplate), ..Self::NONE };
    /// The format `byte`: padded base64.
    pub const BYTE: Self = Self { format: Some(Format::Byte), ..Self::NONE };

    /// `minimum`.
    pub const fn at_least(self, minimum: f64) -> Self {
        Self { range: (Some(minimum), self.range.1), ..self }
    }

    /// `maximum`.
    pub const fn at_most(self, maximum: f64) -> Self {
        Self { range: (self.range.0, Some(maximum)), ..self }
    }

    /// `minLength` and `maxLength`, `minItems` and `maxItems`.
    pub const fn length(self, least: usize, most: usize) -> Self {
        Self { length: (least, most), ..self }
    }

    /// The limits of each item of a list or value of a map.
    pub const fn each(self, limits: &'static Self) -> Self {
        Self { each: Some(limits), ..self }
    }
}

impl Checker<'_> {
    /// Inspects a string.
    pub(crate) fn text(&mut self, text: &str, limits: &Limits) {
        let (fits, expected) = match limits.format {
            None => (true, ""),
            Some(Format::Uri) => (is_uri(text), "a URI"),
            Some(Format::UriTemplate) => (is_uri_template(text), "a URI template"),
            Some(Format::Byte) => (is_base64(text), "base64"),
        };
        if !fits {
            self.report(Rule::Format, expected, describe_str(text));
        }
        if limits.length != Limits::NONE.length {
            self.length(text.chars().count(), limits);
        }
    }

    /// Inspects a number, given its order beside a bound.
    pub(crate) fn range(&mut self, limits: &Limits, shown: &impl Display, order: impl Fn(f64) -> Option<Ordering>) {
        let (minimum, maximum) = limits.range;
        if let Some(minimum) = minimum.filter(|minimum| order(*minimum) == Some(Ordering::Less)) {
            self.report(Rule::Range, format!("at least {minimum}"), shown.to_string());
        }
        if let Some(maximum) = maximum.filter(|maximum| order(*maximum) == Some(Ordering::Greater)) {
            self.report(Rule::Range, format!("at most {maximum}"), shown.to_string());
        }
    }

    /// Inspects how many characters, items or members there are.
    pub(crate) fn length(&mut self, length: usize, limits: &Limits) {
        let (least, most) = limits.length;
        if length < least {
            self.report(Rule::Length, format!("at least {least}"), length.to_string());
        }
        if length > most {
            self.report(Rule::Length, format!("at most {most}"), length.to_string());
        }
    }
}
