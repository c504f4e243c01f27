//! Numbers by their exact value, whatever their form and however long they are.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A number as JSON writes it, taken apart: zero, or a sign, digits without zeros at either end, and the place of the
/// decimal point, counted from before the first of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal<'a> {
    is_negative: bool,
    /// Digits on both sides of where the point was written.
    before: &'a [u8],
    behind: &'a [u8],
    point: i128,
    /// The exponent as it is written, without zeros in front, where it is too large to be counted with; then the point is
    /// at the end of all that could be.
    huge: &'a [u8],
}

impl<'a> Decimal<'a> {
    /// The value of a number.
    pub(crate) fn of(number: &'a str) -> Self {
        let (is_negative, number) = match number.strip_prefix('-') {
            Some(number) => (true, number),
            None => (false, number),
        };
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let (mut before, mut behind) = (before.as_bytes(), behind.as_bytes());
        let counted = exponent.parse().ok().filter(|exponent| (-LARGEST..=LARGEST).contains(exponent));
        let mut point = counted.unwrap_or(0) + before.len() as i128;
        while let [b'0', rest @ ..] = before {
            (before, point) = (rest, point - 1);
        }
        if before.is_empty() {
            while let [b'0', rest @ ..] = behind {
                (behind, point) = (rest, point - 1);
            }
        }
        while let [rest @ .., b'0'] = behind {
            behind = rest;
        }
        if behind.is_empty() {
            while let [rest @ .., b'0'] = before {
                before = rest;
            }
        }
        if before.is_empty() && behind.is_empty() {
            return Self { is_negative: false, before, behind, point: 0, huge: &[] };
        }
        let huge = match counted {
            Some(_) => &[],
            None => {
                point = if exponent.starts_with('-') { i128::MIN } else { i128::MAX };
                exponent.trim_start_matches(['+', '-', '0']).as_bytes()
            }
        };
        Self { is_negative, before, behind, point, huge }
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.before.iter().chain(self.behind).copied()
    }

    fn len(&self) -> usize {
        self.before.len() + self.behind.len()
    }

    /// Whether the number is a whole one.
    pub(crate) fn is_whole(&self) -> bool {
        self.point >= self.len() as i128
    }

    /// The value, if it is a whole number of at most 38 digits.
    pub(crate) fn to_i128(self) -> Option<i128> {
        if !self.is_whole() || self.point > 38 {
            return None;
        }
        let zeros = usize::try_from(self.point).ok()? - self.len();
        let digits = self.digits().chain(std::iter::repeat_n(b'0', zeros));
        let value = digits.fold(0_i128, |value, digit| value * 10 + i128::from(digit - b'0'));
        Some(if self.is_negative { -value } else { value })
    }
}

/// The largest exponent that is counted with: no text is long enough to reach an end of the range from there.
const LARGEST: i128 = i128::MAX / 2;

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal<'_> {}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |decimal: &Self| match (decimal.len(), decimal.is_negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        sign(self).cmp(&sign(other)).then_with(|| {
            let huge = self.huge.len().cmp(&other.huge.len()).then_with(|| self.huge.cmp(other.huge));
            let huge = if self.point < 0 { huge.reverse() } else { huge };
            let order = self.point.cmp(&other.point).then(huge).then_with(|| self.digits().cmp(other.digits()));
            if self.is_negative { order.reverse() } else { order }
        })
    }
}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.is_negative, self.point, self.huge, self.len()).hash(state);
        self.digits().for_each(|digit| digit.hash(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_value() {
        let rising = [
            "-1e100000000000000000000000000000000000000001",
            "-1e100000000000000000000000000000000000000000",
            "-1e99999999999999999999",
            "-1e99999999999999999998",
            "-100000000000000000000000000001",
            "-1e2",
            "-5.5",
            "-1e-5",
            "0",
            "1e-100000000000000000000000000000000000000001",
            "1e-100000000000000000000000000000000000000000",
            "1e-99999999999999999999",
            "1e-400",
            "0.1",
            "0.1000000000000000000001",
            "1",
            "1.0000000000000000000000001",
            "9.99",
            "10",
            "100",
            "1e400",
            "1e401",
            "1e99999999999999999998",
            "1e99999999999999999999",
            "1e170141183460469231731687303715884105727",
            "1e170141183460469231731687303715884105728",
            "1e999999999999999999999999999999999999999",
            "1e1000000000000000000000000000000000000000",
        ];
        for (index, one) in rising.iter().enumerate() {
            for (other_index, other) in rising.iter().enumerate() {
                assert_eq!(Decimal::of(one).cmp(&Decimal::of(other)), index.cmp(&other_index), "{one} and {other}");
            }
        }
        let alike = [
            ["100", "1e2"],
            ["100", "100.000"],
            ["100", "0.1E+3"],
            ["0", "-0"],
            ["0", "0e99"],
            ["0", "-0.00e-7"],
            ["0.001", "1e-3"],
            ["120", "1.2e2"],
            ["-0.5", "-5e-1"],
            ["5.0", "5"],
            ["10e99999999999999999998", "1e99999999999999999999"],
            ["1.0e+01000000000000000000000000000000000000000", "1e1000000000000000000000000000000000000000"],
            ["0e1000000000000000000000000000000000000000", "0"],
        ];
        for [one, other] in alike {
            assert_eq!(Decimal::of(one), Decimal::of(other), "{one} and {other}");
        }
    }

    #[test]
    fn whole_numbers_are_known_in_any_form() {
        let whole = [
            ("0", 0),
            ("-0.0", 0),
            ("5.0", 5),
            ("1.5e1", 15),
            ("-120e-1", -12),
            ("18446744073709551616", 1 << 64),
            ("1e37", 10_i128.pow(37)),
        ];
        for (text, value) in whole {
            assert_eq!(Decimal::of(text).to_i128(), Some(value), "{text}");
        }
        for text in ["0.5", "1e-1", "15e-1", "1e-400"] {
            assert!(!Decimal::of(text).is_whole(), "{text}");
        }
        assert!(Decimal::of("1e400").is_whole());
        assert_eq!(Decimal::of("1e400").to_i128(), None);
    }
}
