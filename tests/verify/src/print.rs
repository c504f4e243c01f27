//! What people and programs are told, and the exit code.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use mcp_wire_codegen::plain::{escaped_json, plain, plain_lines};

use crate::{Document, Judges, Misuse, Outcome, Report, Task, Totals, verify_with};

/// How to print.
#[derive(Debug, Clone, Copy, Default)]
pub struct Printing {
    /// One JSON document instead of a table.
    pub json: bool,
    /// Problems only.
    pub quiet: bool,
    /// With colours.
    pub colours: bool,
    /// With a line on the error output that says how far a long run has come.
    pub progress: bool,
}

/// Verifies, prints, and returns the exit code: 0 if nothing was lost and nothing valid refused, 1 if something was, 2
/// if the task is an impossible one.
pub fn run(task: &Task, judges: &Judges, printing: Printing, out: impl Write) -> u8 {
    // What was found before something turned out to be unusable is worth telling all the same.
    let (verified, printed): (Result<(), Misuse>, io::Result<Totals>) = if printing.json {
        let mut printer = Json::new(out);
        (verify_with(task, judges, &mut printer), printer.finish())
    } else {
        let mut printer = Text::new(printing);
        (verify_with(task, judges, &mut printer), printer.finish(out))
    };
    match (verified, printed) {
        (Err(misuse), _) => {
            eprintln!("error: {}", plain_lines(&misuse.to_string()));
            2
        }
        (Ok(()), Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: {error}");
            2
        }
        (Ok(()), Err(_)) => 0,
        (Ok(()), Ok(totals)) => u8::from(!totals.is_good()),
    }
}

/// One JSON document, written as it comes, so that a large recording needs no memory.
struct Json<W: Write> {
    out: io::BufWriter<W>,
    totals: Totals,
    error: Option<io::Error>,
}

impl<W: Write> Json<W> {
    fn new(out: W) -> Self {
        Self { out: io::BufWriter::new(out), totals: Totals::default(), error: None }
    }

    fn write(&mut self, write: impl FnOnce(&mut io::BufWriter<W>) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = write(&mut self.out).err();
        }
    }

    fn finish(mut self) -> io::Result<Totals> {
        let totals = self.totals;
        let start = if totals.documents == 0 { "{\"documents\":[" } else { "" };
        self.write(|out| {
            write!(out, "{start}],\n\"totals\":")?;
            serde_json::to_writer(&mut *out, &totals)?;
            out.write_all(b"}\n")?;
            out.flush()
        });
        self.error.map_or(Ok(totals), Err)
    }
}

impl<W: Write> Report for Json<W> {
    fn begin(&mut self, _: &str, _: Option<u64>) {}

    fn document(&mut self, document: Document, _: u64) {
        let separator = if self.totals.documents == 0 { "{\"documents\":[\n" } else { ",\n" };
        self.totals.count(&document);
        self.write(|out| {
            out.write_all(separator.as_bytes())?;
            let text = serde_json::to_string(&document)?;
            out.write_all(escaped_json(&text).as_bytes())
        });
    }

    fn remark(&mut self, remark: &str) {
        eprintln!("note: {}", plain_lines(remark));
    }
}

/// Problems of one kind that are shown one by one; beyond that they are counted.
const SHOWN: usize = 25;

/// A table for people, then the problems.
struct Text {
    quiet: bool,
    colours: bool,
    sources: Vec<(String, Totals)>,
    problems: Vec<String>,
    hidden: usize,
    departures: Vec<String>,
    hidden_departures: usize,
    progress: Progress,
}

impl Text {
    fn new(Printing { quiet, colours, progress, .. }: Printing) -> Self {
        Self {
            quiet,
            colours,
            sources: Vec::new(),
            problems: Vec::new(),
            hidden: 0,
            departures: Vec::new(),
            hidden_departures: 0,
            progress: Progress::new(!quiet && progress),
        }
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn finish(mut self, mut out: impl Write) -> io::Result<Totals> {
        self.progress.clear();
        let mut sum = Totals::default();
        self.sources.retain(|(_, totals)| totals.documents > 0);
        if self.sources.is_empty() {
            return Ok(sum);
        }
        self.sources.iter().for_each(|(_, totals)| sum += *totals);
        if !self.quiet {
            out.write_all(self.table(&sum).as_bytes())?;
            if let Some(speed) = self.progress.speed() {
                writeln!(out, "{speed}")?;
            }
            self.list(
                &mut out,
                "departures from the schema, in documents that were read",
                &self.departures,
                self.hidden_departures,
            )?;
        }
        self.list(&mut out, "problems", &self.problems, self.hidden)?;
        if !self.quiet {
            let verdict = match sum.is_good() {
                true => self.paint("32", "nothing lost, nothing valid refused"),
                false => self.paint("31", &format!("{} lossy, {} rejected", sum.lossy, sum.rejected)),
            };
            writeln!(out, "\n{verdict}")?;
        }
        out.flush()?;
        Ok(sum)
    }

    fn list(&self, out: &mut impl Write, title: &str, lines: &[String], hidden: usize) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", self.paint("1", title))?;
        for line in lines {
            writeln!(out, "  {line}")?;
        }
        if hidden > 0 {
            writeln!(out, "  … and {hidden} more; `--format json` lists all")?;
        }
        Ok(())
    }

    fn table(&self, sum: &Totals) -> String {
        let header = ["source", "documents", "exact", "lossy", "rejected", "invalid", "noise", "unknown", "violations"];
        let row = |name: &str, totals: &Totals| {
            let Totals { documents, exact, lossy, rejected, invalid, noise, unknown, violations } = totals;
            let counts = [documents, exact, lossy, rejected, invalid, noise, unknown, violations];
            std::iter::once(name.to_owned()).chain(counts.map(ToString::to_string)).collect::<Vec<_>>()
        };
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        rows.extend(self.sources.iter().map(|(name, totals)| row(name, totals)));
        if self.sources.len() > 1 {
            rows.push(row("all", sum));
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, width))| match column {
                    0 => format!("{cell:<width$}"),
                    // What must not be stands out.
                    3 | 4 if index > 0 && cell != "0" => self.paint("31", &format!("{cell:>width$}")),
                    _ => format!("{cell:>width$}"),
                })
                .collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}

impl Report for Text {
    fn begin(&mut self, source: &str, bytes: Option<u64>) {
        self.sources.push((source.to_owned(), Totals::default()));
        self.progress.begin(source, bytes);
    }

    fn document(&mut self, document: Document, bytes: u64) {
        if let Some((_, totals)) = self.sources.last_mut() {
            totals.count(&document);
        }
        self.progress.advance(bytes);
        let place = match document.line {
            Some(line) => format!("{}:{line}", document.source),
            None => document.source.clone(),
        };
        let ty = document.ty.as_deref().unwrap_or("message");
        match document.outcome {
            Outcome::Exact | Outcome::Noise => {}
            Outcome::Lossy => {
                if let Some(error) = &document.error {
                    note(&mut self.problems, &mut self.hidden, format!("{place}: lossy {ty}, {error}"));
                }
                for difference in &document.pointers {
                    let show = |text: &Option<String>| text.as_deref().map_or("nothing".to_owned(), shortened);
                    let (before, after) = (show(&difference.before), show(&difference.after));
                    let pointer = if difference.pointer.is_empty() { "(document)" } else { &difference.pointer };
                    let line = format!("{place}: lossy {ty}, {pointer}: {}: {before} → {after}", difference.kind);
                    note(&mut self.problems, &mut self.hidden, line);
                }
            }
            Outcome::Rejected | Outcome::Invalid => {
                let what = if document.outcome == Outcome::Rejected { "rejected" } else { "invalid" };
                let error = document.error.as_deref().unwrap_or_default();
                note(&mut self.problems, &mut self.hidden, format!("{place}: {what} {ty}, {error}"));
            }
        }
        for departure in document.violations.iter().filter(|_| !document.is_meant) {
            let pointer = if departure.pointer.is_empty() { "(document)" } else { &departure.pointer };
            let line = format!("{place}: {pointer}: expected {}, found {}", departure.expected, departure.found);
            note(&mut self.departures, &mut self.hidden_departures, line);
        }
    }

    fn remark(&mut self, remark: &str) {
        self.progress.clear();
        eprintln!("note: {}", plain_lines(remark));
    }
}

fn note(lines: &mut Vec<String>, hidden: &mut usize, line: String) {
    match lines.len() < SHOWN {
        // It quotes documents, which must not steer a terminal or a log.
        true => lines.push(plain(&line)),
        false => *hidden += 1,
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A line on the terminal that says how far a long run has come, and the speed of recordings.
struct Progress {
    shown: bool,
    drawn: bool,
    source: String,
    length: Option<u64>,
    bytes: u64,
    earlier: u64,
    start: Instant,
    next: Instant,
}

impl Progress {
    fn new(shown: bool) -> Self {
        let now = Instant::now();
        Self { shown, drawn: false, source: String::new(), length: None, bytes: 0, earlier: 0, start: now, next: now }
    }

    fn begin(&mut self, source: &str, length: Option<u64>) {
        self.earlier += self.bytes;
        self.bytes = 0;
        self.source = source.to_owned();
        self.length = length;
    }

    fn advance(&mut self, bytes: u64) {
        self.bytes = bytes;
        if !self.shown {
            return;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + Duration::from_millis(200);
        let share = self.length.filter(|length| *length > 0).map(|length| self.bytes * 100 / length);
        let bar = share.map(|share| {
            let full = (share.min(100) / 5) as usize;
            format!("[{}{}] {share:>3} %  ", "#".repeat(full), " ".repeat(20 - full))
        });
        eprint!("\r\x1b[K{}{}", bar.unwrap_or_default(), self.source);
        self.drawn = true;
        let _ = io::stderr().flush();
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            eprint!("\r\x1b[K");
        }
    }

    /// Megabytes per second, for recordings.
    fn speed(&self) -> Option<String> {
        let bytes = self.earlier + self.bytes;
        let seconds = self.start.elapsed().as_secs_f64();
        (bytes > 0 && seconds > 0.0).then(|| {
            let megabytes = bytes as f64 / 1e6;
            format!("{megabytes:.1} MB of recordings in {seconds:.1} s, {:.0} MB/s", megabytes / seconds)
        })
    }
}
