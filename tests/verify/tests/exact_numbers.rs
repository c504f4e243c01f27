//! Numbers by the million, in typed fields, in free-form JSON and among unknown members: what is written has the same exact
//! decimal values as what was read. Two judges that share no code with the reader say so: the tokenizer of `tests/judge`,
//! and Python's `decimal` where there is a Python.
//!
//! A debug build tries a hundredth of them. For ten million:
//!
//! ```sh
//! cargo test --release -p mcp-wire-verify --test exact_numbers -- --nocapture
//! ```

mod common;

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use common::numbers::{doubles, forms, integers, is_whole};
use mcp_wire::v2025_11_25::{CallToolResult, ContentBlock, from_str, to_string};
use mcp_wire_judge::{AnyOrder, compare};
use mcp_wire_tests::mutants::Random;

/// How many numbers are in one text.
const EACH: usize = 500;
const TEXTS: usize = if cfg!(debug_assertions) { 200 } else { 20_000 };
/// Python sees every tenth text.
const PYTHON: usize = 10;

/// Half of them doubles, a quarter integers of up to a hundred digits, a quarter of every form that JSON has.
fn numbers(random: &mut Random) -> Vec<String> {
    let mut numbers = doubles(random, EACH / 2);
    numbers.extend(integers(random, EACH / 4));
    numbers.extend(forms(random, EACH / 4));
    numbers
}

/// A result with each number in a typed field, in an unknown member and in free-form JSON. Whole ones are in a typed field
/// for integers as well.
fn result_with(numbers: &[String]) -> String {
    let block = |number: &String| {
        format!(r#"{{"type":"text","text":"t","annotations":{{"priority":{number}}},"unknown":{number}}}"#)
    };
    let link = |number: &String| format!(r#"{{"type":"resource_link","name":"n","uri":"u:","size":{number}}}"#);
    let whole = numbers.iter().filter(|number| is_whole(number));
    let blocks: Vec<String> = numbers.iter().map(block).chain(whole.map(link)).collect();
    format!(r#"{{"structuredContent":{{"n":[{}]}},"content":[{}]}}"#, numbers.join(","), blocks.join(","))
}

/// How many numbers of a result are in typed fields.
fn typed(result: &CallToolResult) -> usize {
    let is_typed = |block: &&ContentBlock| match block {
        ContentBlock::Text(block) => block.annotations.as_ref().is_some_and(|it| it.priority.is_some()),
        ContentBlock::ResourceLink(link) => link.size.is_some(),
        _ => false,
    };
    result.content.iter().filter(is_typed).count()
}

#[test]
fn numbers_keep_their_exact_values_wherever_they_stand() {
    let mut random = Random::new(7);
    let mut python = Python::start();
    let (mut count, mut whole, mut seen_by_python) = (0, 0, 0);
    for turn in 0..TEXTS {
        let numbers = numbers(&mut random);
        let text = result_with(&numbers);
        let result: CallToolResult = from_str(&text).expect("a result");
        let is_whole = numbers.iter().filter(|number| is_whole(number)).count();
        assert_eq!(typed(&result), numbers.len() + is_whole);
        let written = to_string(&result);
        let verdict = compare(&text, &written, AnyOrder).expect("two JSON texts");
        assert!(verdict.is_same(), "{:?}", verdict.findings);
        if let (0, Some(python)) = (turn % PYTHON, &mut python) {
            python.judge(&text, &written);
            seen_by_python += 3 * numbers.len() + is_whole;
        }
        (count, whole) = (count + numbers.len(), whole + is_whole);
    }
    println!("{count} numbers, {whole} of them whole, each in three places, whole ones in four");
    assert_eq!(count, if cfg!(debug_assertions) { 100_000 } else { 10_000_000 });
    assert!(whole > count / 4, "{whole}");
    match python {
        Some(python) => {
            let counted = python.end();
            println!("{counted} of the places were judged by Python's decimal, too");
            assert_eq!(counted, format!("{seen_by_python}"));
        }
        None => println!("skipped: there is no python3 here"),
    }
}

/// Both judges find a number that was rounded.
#[test]
fn a_rounded_number_is_found() {
    let (text, rounded) = (r#"{"n":[38.448624110701644]}"#, r#"{"n":[38.44862411070165]}"#);
    assert!(!compare(text, rounded, AnyOrder).expect("JSON").is_same());
    if let Some(mut python) = Python::start() {
        python.judge(text, rounded);
        assert!(python.end().starts_with("differs"));
    }
}

/// A Python that reads pairs of texts, a line each, and compares their numbers by `decimal`.
struct Python(Child);

const SCRIPT: &str = r"
import json, sys
from decimal import Decimal
count = 0
def number(text):
    global count
    count += 1
    return Decimal(text)
def exact(text):
    return json.loads(text, parse_float=number, parse_int=number)
for before in sys.stdin:
    after = sys.stdin.readline()
    if exact(before) != exact(after):
        print('differs:', before, after)
        sys.exit()
print(count // 2, end='')
";

impl Python {
    fn start() -> Option<Self> {
        let mut command = Command::new("python3");
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().ok().map(Self)
    }

    fn judge(&mut self, before: &str, after: &str) {
        let input = self.0.stdin.as_mut().expect("its input");
        // One that has found a difference reads no more, and says so at its end.
        let _ = writeln!(input, "{before}\n{after}");
    }

    /// How many numbers there were, or the first texts that differ.
    fn end(mut self) -> String {
        drop(self.0.stdin.take());
        let mut said = String::new();
        self.0.stdout.take().expect("its output").read_to_string(&mut said).expect("UTF-8");
        assert!(self.0.wait().expect("an end").success());
        said
    }
}
