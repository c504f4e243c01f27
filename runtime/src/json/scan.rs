//! Looking for the bytes that matter in JSON text, many at a time.

/// Where the first byte is that cannot stand in a string as it is: a quote, a backslash, or a control character.
#[inline]
pub(crate) fn find_special(bytes: &[u8], from: usize) -> Option<usize> {
    // Most names end within sixteen bytes.
    if let Some([first, second]) = two_words_at(bytes, from) {
        if let Some(found) = first_special(first) {
            return Some(from + found);
        }
        if let Some(found) = first_special(second) {
            return Some(from + 8 + found);
        }
        return find_further(bytes, from + 16);
    }
    find_near_end(bytes, from)
}

/// The same in what is shorter than sixteen bytes, as short strings and the ends of texts are.
#[inline(never)]
fn find_near_end(bytes: &[u8], from: usize) -> Option<usize> {
    match word_at(bytes, from) {
        Some(word) => match first_special(word) {
            Some(found) => Some(from + found),
            None => find_in_tail(bytes, from + 8),
        },
        None => find_in_tail(bytes, from),
    }
}

/// The same in strings that are not as short as that.
fn find_further(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(word) = word_at(bytes, at) {
        if let Some(found) = first_special(word) {
            return Some(at + found);
        }
        at += 8;
        if at - from >= SHORT {
            return find_far(bytes, at);
        }
    }
    find_in_tail(bytes, at)
}

/// Up to which length a string is short.
const SHORT: usize = 24;

/// The same in long strings.
fn find_far(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<STRIDE>) {
        // Without an early end, so that the compiler compares all of them at once.
        if block.iter().fold(false, |found, byte| found | is_special(*byte)) {
            break;
        }
        at += STRIDE;
    }
    while let Some(word) = word_at(bytes, at) {
        if let Some(found) = first_special(word) {
            return Some(at + found);
        }
        at += 8;
    }
    find_in_tail(bytes, at)
}

/// How many bytes of a long string are looked at together.
const STRIDE: usize = 32;

/// The same among the last few bytes.
#[inline]
fn find_in_tail(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.len().checked_sub(from)?;
    let Some(last) = bytes.last_chunk() else {
        return bytes.get(from..)?.iter().position(|byte| is_special(*byte)).map(|found| from + found);
    };
    // Of the last word, the bytes before the place are pushed out, and zeros come in behind the end.
    let shift = 64_usize.checked_sub(rest * 8).filter(|shift| *shift < 64)?;
    let found = specials(u64::from_le_bytes(*last) >> shift).trailing_zeros() as usize / 8;
    (found < rest).then(|| from + found)
}

#[inline]
fn two_words_at(bytes: &[u8], at: usize) -> Option<[u64; 2]> {
    let (words, _) = bytes.get(at..)?.first_chunk::<16>()?.as_chunks::<8>();
    let [first, second] = words.first_chunk()?;
    Some([u64::from_le_bytes(*first), u64::from_le_bytes(*second)])
}

/// The eight bytes at a place, the first of them lowest.
#[inline]
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map(|word| u64::from_le_bytes(*word))
}

/// The top bit of each byte that is special, and perhaps of some after the first of them: arithmetic on eight bytes at once.
#[inline]
fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    // Subtracting borrows the top bit of a byte that is less, unless it was set before. What a borrow does to the bytes
    // above is of no interest, since the lowest one counts.
    let quotes = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
    let backslashes = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    let controls = word.wrapping_sub(ONES * b' ' as u64);
    // None of the special bytes has its top bit set, and neither has what the exclusive or makes of them.
    (quotes | backslashes | controls) & !word & TOPS
}

/// The place of the first special byte in a word.
#[inline]
fn first_special(word: u64) -> Option<usize> {
    let found = specials(word);
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

/// How many bytes are looked at together, to find all that are special.
pub(crate) const BLOCK: usize = 64;

/// The places of all special bytes in a block: one bit each, the lowest for the first byte.
#[inline]
pub(crate) fn special_bits(block: &[u8; BLOCK]) -> u64 {
    let mut flags = [0; BLOCK];
    for (flag, byte) in flags.iter_mut().zip(block) {
        *flag = u8::from(is_special(*byte));
    }
    // Multiplying moves the lowest bit of each byte into the highest byte, the first one lowest.
    let gather = |flags: &[u8; 8]| u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (words, _) = flags.as_chunks();
    words.iter().rev().fold(0, |bits, flags| bits << 8 | gather(flags))
}

#[inline]
pub(crate) const fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn special_bytes_are_found_wherever_they_stand() {
        let mut found = 0;
        for length in 0..70 {
            for special in 0..=u8::MAX {
                for at in 0..length {
                    for from in [0, 1, length / 2] {
                        let mut bytes = vec![b'a' + (at % 3) as u8; length];
                        bytes[at] = special;
                        let expected = (from..length).find(|at| is_special(bytes[*at]));
                        if let Some(block) = bytes.first_chunk() {
                            let bits =
                                (0..BLOCK).filter(|at| is_special(block[*at])).fold(0, |bits, at| bits | 1 << at);
                            assert_eq!(special_bits(block), bits, "{special} at {at} of {length}");
                        }
                        assert_eq!(find_special(&bytes, from), expected, "{special} at {at} of {length}");
                        found += usize::from(expected.is_some());
                    }
                }
            }
        }
        assert_eq!(found, 203_524);
    }
}
