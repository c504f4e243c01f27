//! Everything one run has measured.

use super::bars::{self, Bar};
use super::compile::Build;
use super::generator::Run;
use super::machine::{Machine, Versions};
use super::memory::Memory;
use super::table::Table;

/// What was measured, or why it was not.
pub type Section<T> = Result<T, String>;

#[derive(Debug, Clone)]
pub struct Report {
    pub command: String,
    pub machine: Machine,
    pub versions: Versions,
    /// Nanoseconds.
    pub times: Table,
    pub instructions: Section<Table>,
    pub memory: Memory,
    pub builds: Section<Vec<Build>>,
    pub generator: Vec<Run>,
}

impl Report {
    /// Every demand that could be judged.
    pub fn bars(&self) -> Vec<Bar> {
        let mut all = bars::of_times(&self.times);
        all.extend(bars::of_memory(&self.memory));
        all.extend(self.builds.iter().flat_map(|builds| bars::of_builds(builds)));
        all.extend(bars::of_generator(&self.generator));
        all
    }
}
