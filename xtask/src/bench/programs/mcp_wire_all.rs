//! As `mcp_wire.rs`, but each message is read in the revision that stands behind "c " or "s ".

use mcp_wire::{AnyClientMessage, AnyServerMessage, Pending, Revision, v2025_11_25 as revision};

mod results;

fn main() {
    results::print();
    let mut pending = Pending::new();
    for line in std::io::stdin().lines() {
        let Ok(line) = line else { break };
        let Some((sender, rest)) = line.split_once(' ') else { continue };
        let Some((revision, text)) = rest.split_once(' ') else { continue };
        let revision = Revision::from(revision);
        let printed = match sender {
            "c" => AnyClientMessage::from_str(&revision, text, &()).map(|message| {
                message.observe(&mut pending.sent, &mut pending.received);
                message.to_text()
            }),
            "s" => AnyServerMessage::from_str(&revision, text, &pending).map(|message| message.to_text()),
            _ => continue,
        };
        match printed {
            Ok(text) => println!("{text}"),
            Err(error) => println!("refused: {error}"),
        }
    }
}
