//! Names that promise a format (`sniff/name-mismatch`). Content decides; a name that says something
//! else is worth a word.

use super::FormatId;

/// The name of a JSON or YAML file, without its ending.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name {
    Exact(&'static str),
    /// A number of at least so many digits between two texts.
    Numbered(&'static str, &'static str, usize),
}

impl Name {
    fn is(self, stem: &str) -> bool {
        match self {
            Self::Exact(name) => stem == name,
            Self::Numbered(prefix, suffix, least) => {
                let rest = stem.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
                rest.is_some_and(|digits| {
                    digits.len() >= least && digits.bytes().all(|b| b.is_ascii_digit())
                })
            }
        }
    }
}

/// The formats that writers give such a name to; often none.
pub(crate) fn promised(path: &str) -> Vec<FormatId> {
    let name = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let Some((stem, "json" | "yaml" | "yml")) = name else { return Vec::new() };
    let has = |id: &FormatId| id.traits().names.iter().any(|name| name.is(stem));
    FormatId::ALL.into_iter().filter(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_promise_something() {
        assert_eq!(promised("a/007.json"), [FormatId::ReflectionMemory]);
        assert_eq!(promised("env_results_trial_12.json"), [FormatId::EnvResults]);
        let iterations = [FormatId::HookIteration, FormatId::IterationFile];
        assert_eq!(promised("iteration-7.yaml"), iterations);
        assert_eq!(promised("reflection-3.json"), [FormatId::MemoryReflection]);
        assert_eq!(promised("004-analysis.json"), [FormatId::AnalysisFile]);
        assert_eq!(promised("x/current-loop.json"), [FormatId::LoopState]);
        for path in ["7.json", "a/007", "iteration-.json", "iteration-1.md", "notes.json"] {
            assert_eq!(promised(path), [], "{path}");
        }
    }
}
