//! Measures one message per process; `cargo xtask bench` runs it for all of them.

use std::process::ExitCode;
use std::time::Duration;

use mcp_wire_bench::{Subject, contenders, measure};

const USAGE: &str = "usage: mcp-wire-bench list | time SUBJECT ORDER ROUNDS MICROSECONDS | run SUBJECT ORDER CONTENDER parse|write TIMES";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Option<()> {
    match arguments {
        ["list"] => {
            for subject in Subject::ALL {
                for &order in subject.orders() {
                    let line = serde_json::json!({
                        "subject": subject.name(), "order": order.name(), "kind": subject.kind().name(),
                        "bytes": subject.text(order).len(),
                    });
                    println!("{line}");
                }
            }
        }
        ["time", subject, order, rounds, sample] => {
            let (subject, order) = Subject::named(subject, order)?;
            let sample = Duration::from_micros(sample.parse().ok()?);
            for timed in measure::time(subject, order, rounds.parse().ok()?, sample) {
                let line = serde_json::json!({
                    "contender": timed.contender, "parse": timed.parse, "write": timed.write, "lossless": timed.is_lossless,
                });
                println!("{line}");
            }
        }
        // For tools that count instructions: nothing but the work itself is repeated.
        ["run", subject, order, contender, what, times] => {
            let (subject, order) = Subject::named(subject, order)?;
            let contender = contenders::ALL.iter().find(|known| known.name == *contender)?;
            let work = contender.work(subject, order)?;
            let times = times.parse().ok()?;
            match *what {
                "parse" => (work.parse)(times),
                "write" => (work.write?)(times),
                _ => return None,
            }
        }
        _ => return None,
    }
    Some(())
}
