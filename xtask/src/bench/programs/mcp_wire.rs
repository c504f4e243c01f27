//! Prints three results, then reads messages from the input, a line each, and prints them: those of a client stand
//! behind "c ", those of a server behind "s ".

use mcp_wire_2025_11_25 as revision;
use revision::{ClientMessage, Pending, ServerMessage};

mod results;

fn main() {
    results::print();
    let mut pending = Pending::new();
    for line in std::io::stdin().lines() {
        let Ok(line) = line else { break };
        let printed = match line.split_once(' ') {
            Some(("c", text)) => ClientMessage::from_str(text, &()).map(|message| {
                message.observe(&mut pending.sent, &mut pending.received);
                message.to_text()
            }),
            Some(("s", text)) => ServerMessage::from_str(text, &pending).map(|message| message.to_text()),
            _ => continue,
        };
        match printed {
            Ok(text) => println!("{text}"),
            Err(rejection) => println!("refused: {rejection}"),
        }
    }
}
