//! Numbers as exact decimal values. They are never converted: `1e999999999` is as cheap as `1`.

/// Whether two JSON numbers have the same value.
pub(crate) fn is_same_value(left: &str, right: &str) -> bool {
    Decimal::of(left) == Decimal::of(right)
}

/// Whether two JSON numbers have the same form: both are written as integers, or both with a point or an exponent, which is
/// what readers tell integers from floating-point numbers by; and both have a sign, or neither. Other ways to spell a
/// number, `1e-07` and `1e-7`, are like the escapes of strings.
pub(crate) fn is_same_form(left: &str, right: &str) -> bool {
    let form = |text: &str| (text.starts_with('-'), text.contains(['.', 'e', 'E']));
    form(left) == form(right)
}

/// `0.DIGITS × 10^EXPONENT`, in which the digits neither begin nor end with a zero.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    is_negative: bool,
    digits: Vec<u8>,
    exponent: Whole,
}

impl Decimal {
    pub(crate) fn of(text: &str) -> Self {
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let zeros = all.iter().take_while(|digit| **digit == b'0').count();
        let length = all.len() - all.iter().rev().take_while(|digit| **digit == b'0').count();
        if zeros >= length {
            // Zero has no sign: what tells `-0` from `0` is its form.
            return Self { is_negative: false, digits: Vec::new(), exponent: Whole::default() };
        }
        let exponent = Whole::of(exponent).plus(whole.len() as i128 - zeros as i128);
        Self { is_negative, digits: all[zeros..length].to_vec(), exponent }
    }
}

/// A whole number of any size. The digits do not begin with a zero.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
struct Whole {
    is_negative: bool,
    digits: Vec<u8>,
}

impl Whole {
    fn of(text: &str) -> Self {
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let digits = digits.trim_start_matches('0');
        Self { is_negative: is_negative && !digits.is_empty(), digits: digits.into() }
    }

    /// Adds the length of a text, or takes it away.
    fn plus(self, small: i128) -> Self {
        // What has more digits than this is larger than the length of any text, so that its sign stays.
        const MOST: usize = 36;
        if self.digits.len() <= MOST {
            let value = self.digits.iter().fold(0_i128, |value, digit| value * 10 + i128::from(digit - b'0'));
            let sum = if self.is_negative { -value } else { value } + small;
            return Self::of(&sum.to_string());
        }
        let change = if self.is_negative { -small } else { small };
        let mut carry = change;
        let mut digits = self.digits;
        for digit in digits.iter_mut().rev() {
            if carry == 0 {
                break;
            }
            let sum = i128::from(*digit - b'0') + carry;
            *digit = b'0' + sum.rem_euclid(10) as u8;
            carry = sum.div_euclid(10);
        }
        let mut all = if carry > 0 { carry.to_string().into_bytes() } else { Vec::new() };
        all.extend(digits);
        let zeros = all.iter().take_while(|digit| **digit == b'0').count();
        Self { is_negative: self.is_negative, digits: all.split_off(zeros) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_equal_whatever_their_form() {
        let nines = "9".repeat(40);
        let round = format!("1{}", "0".repeat(40));
        for (left, right) in [
            ("0", "-0"),
            ("0", "0.000e-99999999999999999999999999999999999999999999"),
            ("50", "50.0"),
            ("50", "5e1"),
            ("50", "0.5E+2"),
            ("-1.5", "-15e-1"),
            ("100", "1e2"),
            ("0.001", "1e-3"),
            ("123456789012345678901234567890", "12345678901234567890123456789e1"),
            (&format!("1e{nines}"), &format!("0.1e{round}")),
            (&format!("10e-{round}"), &format!("1e-{nines}")),
            (&format!("1e{round}"), &format!("10e{nines}")),
            (&format!("1e-{nines}"), &format!("10e-{round}")),
            ("1e00000000000000000000000000000000000000000000001", "10"),
        ] {
            assert!(is_same_value(left, right) && is_same_value(right, left), "{left} {right}");
        }
    }

    #[test]
    fn integers_are_told_from_what_is_written_as_no_integer() {
        for (left, right) in [("50", "50.0"), ("100", "1e2"), ("-0", "0"), ("-0", "-0.0"), ("0.0", "-0.0")] {
            assert!(is_same_value(left, right) && !is_same_form(left, right), "{left} {right}");
        }
        for (left, right) in [("1e-07", "1e-7"), ("1.50", "1.5"), ("1E2", "100.0"), ("-1.0", "-10e-1")] {
            assert!(is_same_value(left, right) && is_same_form(left, right), "{left} {right}");
        }
    }

    #[test]
    fn other_values_are_told_apart() {
        let nines = "9".repeat(40);
        for (left, right) in [
            ("1", "-1"),
            ("1", "0"),
            ("1e1", "1"),
            ("38.448624110701644", "38.44862411070165"),
            ("18446744073709551616", "18446744073709552000"),
            ("0.1", "0.10000000000000000000000000000000000000000000000000001"),
            ("1e-400", "0"),
            (&format!("1e{nines}"), &format!("1e-{nines}")),
            (&format!("1e{nines}"), &format!("10e{nines}")),
        ] {
            assert!(!is_same_value(left, right) && !is_same_value(right, left), "{left} {right}");
        }
    }
}
