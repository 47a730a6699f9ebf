//! Names that promise a format (`sniff/name-mismatch`). Content decides; a name that says something
//! else is worth a word.

use crate::format::FormatId;

/// The formats that writers give such a name to.
pub(super) fn expected(path: &str) -> Option<&'static [FormatId]> {
    let name = path.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    if !matches!(ending, "json" | "yaml" | "yml") {
        return None;
    }
    let numbered = |prefix: &str, suffix: &str| {
        let digits = stem.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
        digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    };
    if numbered("", "") && stem.len() >= 3 {
        return Some(&[FormatId::ReflectionMemory]);
    }
    if numbered("iteration-", "") {
        return Some(&[FormatId::HookIteration, FormatId::IterationFile]);
    }
    if numbered("env_results_trial_", "") {
        return Some(&[FormatId::EnvResults]);
    }
    if numbered("reflection-", "") {
        return Some(&[FormatId::MemoryReflection]);
    }
    if numbered("", "-analysis") {
        return Some(&[FormatId::AnalysisFile]);
    }
    matches!(stem, "session-state" | "current-loop").then_some(&[FormatId::LoopState])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_promise_something() {
        assert_eq!(expected("a/007.json"), Some(&[FormatId::ReflectionMemory][..]));
        assert_eq!(expected("env_results_trial_12.json"), Some(&[FormatId::EnvResults][..]));
        for path in ["7.json", "a/007", "iteration-.json", "iteration-1.md", "notes.json"] {
            assert_eq!(expected(path), None, "{path}");
        }
    }
}
