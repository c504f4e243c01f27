//! Random numbers as JSON writes them.

use mcp_wire_tests::mutants::Random;

/// Whether a number is a whole one, whatever its form.
pub fn is_whole(number: &str) -> bool {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (before, behind) = mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{before}{behind}");
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    let places = behind.len() as i128 - exponent.parse::<i128>().expect("an exponent");
    digits.trim_matches(['0', '-']).is_empty() || zeros as i128 >= places
}

/// Doubles with the digits that tell them from all others: half of them as measurements are, half of any size.
pub fn doubles(random: &mut Random, count: usize) -> Vec<String> {
    let mut doubles: Vec<f64> =
        (0..count / 2).map(|_| (random.next() >> 11) as f64 / (1_u64 << 53) as f64 * 100.0).collect();
    while doubles.len() < count {
        doubles.extend(Some(f64::from_bits(random.next())).filter(|double| double.is_finite()));
    }
    doubles.into_iter().map(|double| format!("{double:?}")).collect()
}

fn digits(random: &mut Random, count: usize) -> String {
    (0..count).map(|_| char::from(b'0' + (random.next() % 10) as u8)).collect()
}

fn below(random: &mut Random, limit: usize) -> usize {
    random.next() as usize % limit
}

/// Integers of up to a hundred digits.
pub fn integers(random: &mut Random, count: usize) -> Vec<String> {
    let mut integer = || {
        let (sign, first, length) = (["", "", "-"][below(random, 3)], 1 + below(random, 9), below(random, 100));
        format!("{sign}{first}{}", digits(random, length))
    };
    (0..count).map(|_| integer()).collect()
}

/// Numbers in all forms that JSON has: with a point or not, with zeros at either end, with exponents of all forms.
pub fn forms(random: &mut Random, count: usize) -> Vec<String> {
    let mut form = || {
        let mut number = if below(random, 3) == 0 { "-".to_owned() } else { String::new() };
        match below(random, 3) {
            0 => number.push('0'),
            _ => {
                let length = below(random, 20);
                number += &(1 + random.next() % 9).to_string();
                number += &digits(random, length);
            }
        }
        if below(random, 3) > 0 {
            let (zeros, length, more) = (below(random, 8), 1 + below(random, 20), below(random, 4));
            number += &format!(".{}{}{}", "0".repeat(zeros), digits(random, length), "0".repeat(more));
        }
        if below(random, 3) > 0 {
            number.push(['e', 'E'][below(random, 2)]);
            number += ["", "+", "-"][below(random, 3)];
            number += &"0".repeat(below(random, 2));
            number += &below(random, 500).to_string();
        }
        number
    };
    (0..count).map(|_| form()).collect()
}
