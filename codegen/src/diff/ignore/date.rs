//! Dates of the calendar.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today's date in UTC, as `YYYY-MM-DD`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date that is so many days after 1970-01-01.
fn date(mut days: u64) -> String {
    // The calendar repeats after 400 years, which keeps the loop short whatever the clock says.
    const CYCLE: u64 = 146_097;
    let mut year = 1970 + days / CYCLE * 400;
    days %= CYCLE;
    loop {
        for month in 1..=12 {
            let length = days_of(year, month);
            if days < length {
                return format!("{year:04}-{month:02}-{:02}", days + 1);
            }
            days -= length;
        }
        year += 1;
    }
}

/// Whether a text is a day of the calendar, written as `YYYY-MM-DD`.
pub fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut number = |digits: usize| {
        let part = parts.next()?;
        let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        if plain { part.parse::<u64>().ok() } else { None }
    };
    let (Some(year), Some(month), Some(day)) = (number(4), number(2), number(2)) else { return false };
    parts.next().is_none() && (1..=days_of(year, month)).contains(&day)
}

/// How many days a month has; none, if there is no such month.
fn days_of(year: u64, month: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{date, is_date};

    #[test]
    fn days_since_1970_are_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (19_782, "2024-02-29"),
            (19_783, "2024-03-01"),
            (20_453, "2025-12-31"),
            (47_541, "2100-03-01"),
            (146_097, "2370-01-01"),
        ] {
            assert_eq!(date(days), expected);
        }
        assert!((0..50_000).all(|days| is_date(&date(days)) && date(days) < date(days + 1)));
    }
}
