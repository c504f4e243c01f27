//! Answers questions, one per line: `true`, `false`, or what is wrong with the question.

use std::io::{self, BufRead, Write};

use mcp_wire_accepts::{Line, Schemas};

fn main() -> io::Result<()> {
    let mut schemas = Schemas::default();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = match serde_json::from_str::<Line>(&line?) {
            Ok(line) => schemas.answer(line),
            Err(error) => Some(Err(error.to_string())),
        };
        match answer {
            None => continue,
            Some(Ok(accepts)) => writeln!(out, "{accepts}")?,
            Some(Err(problem)) => writeln!(out, "{problem:?}")?,
        }
        out.flush()?;
    }
    Ok(())
}
