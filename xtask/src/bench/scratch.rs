//! A folder of one run, gone with everything in it when the run ends.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    pub fn new(name: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("mcp-wire-bench-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).context("the folder for temporary files")?;
        Ok(Self { folder })
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> Result<PathBuf> {
        let file = self.folder.join(name);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        std::fs::write(&file, text).with_context(|| file.display().to_string())?;
        Ok(file)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays is no reason to hide the result.
        std::fs::remove_dir_all(&self.folder).ok();
    }
}
