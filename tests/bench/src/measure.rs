//! Times that can be compared: everybody takes turns in one process, and the least of many samples counts.

use std::time::{Duration, Instant};

use crate::contenders::{self, Work};
use crate::{Kind, Order, Subject};

/// What one contender needed for one message.
pub struct Timed {
    /// Who.
    pub contender: &'static str,
    /// Nanoseconds to read one, where the contender can.
    pub parse: Option<f64>,
    /// Nanoseconds to write one.
    pub write: Option<f64>,
    /// Whether what was written is what was read, where it should be.
    pub is_lossless: Option<bool>,
}

struct Lane {
    contender: &'static str,
    work: Option<Work>,
    /// Repetitions per sample, and the least time of a sample.
    parse: (u32, Duration),
    write: (u32, Duration),
}

/// Lets everybody work on a message, `rounds` times in turn.
pub fn time(subject: Subject, order: Order, rounds: u32, sample: Duration) -> Vec<Timed> {
    let mut lanes: Vec<Lane> = contenders::ALL
        .iter()
        .map(|contender| {
            let work = contender.work(subject, order);
            let repetitions = |run: &dyn Fn(u32)| {
                // Once to warm up, then as often as fills a sample.
                run(1);
                let mut times = 1;
                loop {
                    // The least of a few here too: an interruption would make for samples of one repetition, and those
                    // for figures that are several times too high.
                    let mut tried = (times, Duration::MAX);
                    (0..5).for_each(|_| least(run, &mut tried));
                    let taken = tried.1;
                    if taken * 2 >= sample || times > 1 << 24 {
                        let wanted = sample.as_nanos() * u128::from(times) / taken.as_nanos().max(1);
                        return (u32::try_from(wanted).unwrap_or(u32::MAX).max(1), Duration::MAX);
                    }
                    times *= 2;
                }
            };
            let parse = work.as_ref().map_or((0, Duration::MAX), |work| repetitions(&work.parse));
            let write = work.as_ref().and_then(|work| work.write.as_ref());
            let write = write.map_or((0, Duration::MAX), |write| repetitions(write));
            Lane { contender: contender.name, work, parse, write }
        })
        .collect();
    for round in 0..rounds {
        // Nobody always comes first.
        let count = lanes.len();
        for turn in 0..count {
            let lane = &mut lanes[(turn + round as usize) % count];
            let Some(work) = &lane.work else { continue };
            least(&work.parse, &mut lane.parse);
            if let Some(write) = &work.write {
                least(write, &mut lane.write);
            }
        }
    }
    let text = subject.text(order);
    let has_copy = !matches!(subject.kind(), Kind::Exchange | Kind::Session);
    lanes
        .into_iter()
        .map(|lane| {
            let each =
                |(times, taken): (u32, Duration)| (times > 0).then(|| taken.as_nanos() as f64 / f64::from(times));
            Timed {
                contender: lane.contender,
                parse: each(lane.parse),
                write: each(lane.write),
                is_lossless: lane.work.filter(|_| has_copy).map(|work| is_same(&work.written, &text)),
            }
        })
        .collect()
}

fn least(run: &dyn Fn(u32), (times, least): &mut (u32, Duration)) {
    let start = Instant::now();
    run(*times);
    *least = start.elapsed().min(*least);
}

/// Whether two texts are the same JSON value.
pub fn is_same(written: &str, text: &str) -> bool {
    match (serde_json::from_str::<serde_json::Value>(written), serde_json::from_str::<serde_json::Value>(text)) {
        (Ok(written), Ok(text)) => written == text,
        _ => false,
    }
}
