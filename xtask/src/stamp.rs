//! Skips a build whose inputs have not changed.
//!
//! A stamp is a fingerprint over names, sizes and times of the inputs, and over the compiler's
//! version. Deleted and replaced files change it as well, which a look at the newest time would
//! miss. Anything in doubt means building.

use crate::process::{Outcome, Run, at};
use crate::workspace::Workspace;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The state of one artefact's inputs before it is built.
pub(crate) struct Stamp {
    file: PathBuf,
    now: String,
}

impl Stamp {
    /// Looks at the inputs (files or folders, relative to the workspace; missing ones count as
    /// missing) of the artefact called `name`.
    ///
    /// # Errors
    ///
    /// Fails when an input cannot be listed.
    pub(crate) fn of(workspace: &Workspace, name: &str, inputs: &[&str]) -> Outcome<Self> {
        let mut hash = DefaultHasher::new();
        Run::new("rustc").arg("-vV").probe().unwrap_or_default().hash(&mut hash);
        for input in inputs {
            input.hash(&mut hash);
            add_path(&mut hash, &workspace.path(input))?;
        }
        Ok(Self { file: workspace.target("stamps").join(name), now: hex(&hash) })
    }

    /// Whether these inputs have already become these outputs.
    pub(crate) fn is_fresh(&self, outputs: &[&Path]) -> bool {
        outputs.iter().all(|output| output.exists())
            && fs::read_to_string(&self.file).is_ok_and(|before| before == self.now)
    }

    /// Remembers that the build of these inputs worked.
    ///
    /// # Errors
    ///
    /// Fails when the stamp cannot be written.
    pub(crate) fn keep(&self) -> Outcome {
        let dir = self.file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(dir).map_err(at(dir))?;
        fs::write(&self.file, &self.now).map_err(at(&self.file))
    }
}

fn add_path(hash: &mut DefaultHasher, path: &Path) -> Outcome {
    let Ok(facts) = fs::metadata(path) else {
        "missing".hash(hash);
        return Ok(());
    };
    if !facts.is_dir() {
        let changed = facts.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        (facts.len(), changed).hash(hash);
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(at(path))? {
        entries.push(entry.map_err(at(path))?.path());
    }
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if name != "target" && name != "node_modules" {
            name.hash(hash);
            add_path(hash, &entry)?;
        }
    }
    Ok(())
}

/// A hash as 16 digits: for names of files and stamps.
pub(crate) fn hex(hash: &DefaultHasher) -> String {
    format!("{:016x}", hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash_of(path: &Path) -> String {
        let mut hash = DefaultHasher::new();
        add_path(&mut hash, path).expect("listable");
        hex(&hash)
    }

    #[test]
    fn adding_renaming_and_deleting_files_is_seen() {
        let dir = std::env::temp_dir().join(format!("hindscope-stamp-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("temporary folder");
        let empty = hash_of(&dir);
        fs::write(dir.join("a"), "1").expect("write");
        let one = hash_of(&dir);
        fs::rename(dir.join("a"), dir.join("b")).expect("rename");
        let renamed = hash_of(&dir);
        fs::write(dir.join("b"), "22").expect("write");
        let longer = hash_of(&dir);
        fs::remove_file(dir.join("b")).expect("delete");
        assert_eq!(hash_of(&dir), empty);
        assert!(one != empty && renamed != one && longer != renamed);
        fs::remove_dir_all(&dir).expect("clean up");
    }
}
