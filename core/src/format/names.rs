//! Names that promise a format (`sniff/name-mismatch`). Content decides; a name that
//! promises another format is reported.

use super::FormatId;

/// The formats that writers give such a name to; often none.
fn promised(path: &str) -> Vec<FormatId> {
    let name = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let Some((stem, "json" | "yaml" | "yml")) = name else { return Vec::new() };
    let has = |id: &FormatId| id.traits().names.iter().any(|name| is_like(stem, name));
    FormatId::ALL.into_iter().filter(has).collect()
}

/// Says in a clause what kind of file a path names, if nothing of that kind is JSON or YAML.
pub(crate) fn other_kind(path: &str) -> Option<&'static str> {
    let mut folders = path.split('/');
    let name = folders.next_back().unwrap_or(path).to_ascii_lowercase();
    let is_git = |name: &str| {
        matches!(name, ".gitattributes" | ".gitconfig" | ".gitignore" | ".gitmodules" | ".mailmap")
    };
    if is_git(&name) || folders.any(|folder| folder == ".git") {
        return Some("it is a file of Git");
    }
    match name.rsplit_once('.')? {
        (_, "md" | "mdx" | "markdown") => Some("it is Markdown"),
        (_, "toml") | ("cargo" | "poetry" | "uv", "lock") => Some("it is TOML"),
        _ => None,
    }
}

/// What a path says of the formats of its file. It is kept for the next path: of thousands of files in a
/// tree most have names that differ in digits alone, and no pattern says more of a digit than that it is one.
#[derive(Debug, Default)]
pub(crate) struct Promises {
    pub(crate) path: String,
    /// The file is a text, in which `---` divides nothing.
    pub(crate) is_text: bool,
    /// The format that only a path shows.
    pub(crate) alone: Option<FormatId>,
    /// The formats that writers give such a name to.
    pub(crate) names: Vec<FormatId>,
}

impl Promises {
    pub(crate) fn turn_to(&mut self, path: &str) {
        let is_same = |(a, b): (u8, u8)| a == b || (a.is_ascii_digit() && b.is_ascii_digit());
        let is_alike =
            self.path.len() == path.len() && self.path.bytes().zip(path.bytes()).all(is_same);
        path.clone_into(&mut self.path);
        if is_alike {
            return;
        }
        self.is_text = FormatId::is_text_path(path);
        self.alone = FormatId::by_path_alone(path);
        self.names = promised(path);
    }
}

/// Whether a path ends as a pattern says, part by part: `*` in a part stands for any text, `#` for digits,
/// and several `#` for at least so many digits.
pub(crate) fn ends_like(path: &str, pattern: &str) -> bool {
    let mut parts = path.rsplit('/');
    pattern.rsplit('/').all(|wanted| parts.next().is_some_and(|part| is_like(part, wanted)))
}

fn is_like(part: &str, wanted: &str) -> bool {
    let Some((before, rest)) = wanted.split_once(['*', '#']) else { return part == wanted };
    let after = rest.trim_start_matches('#');
    let inside = part.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    inside.is_some_and(|inside| {
        let is_long = inside.len() > rest.len() - after.len();
        let is_digits = is_long && inside.bytes().all(|b| b.is_ascii_digit());
        is_digits || !wanted.contains('#')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_decide_alone() {
        for (pattern, path, is_it) in [
            ("tasks/*/attempts/*/outcome.json", "x/tasks/a/attempts/002/outcome.json", true),
            ("tasks/*/attempts/*/outcome.json", "tasks/a/attempts/002/outcome.json", true),
            ("tasks/*/attempts/*/outcome.json", "tasks/a/outcome.json", false),
            ("tasks/*/attempts/*/outcome.json", "attempts/002/outcome.json", false),
            ("tasks/*/reflections.jsonl", "tasks/a/b/reflections.jsonl", false),
            ("tasks/*/trajectory.json", "tasks/a/trajectory.jsonl", false),
        ] {
            assert_eq!(ends_like(path, pattern), is_it, "{path}");
        }
    }

    #[test]
    fn a_path_says_the_same_before_and_after_another_one() {
        for id in FormatId::ALL {
            let patterns = id.traits().path.iter().chain(id.traits().names);
            for pattern in patterns {
                assert!(!pattern.bytes().any(|b| b.is_ascii_digit()), "{pattern} names a digit");
            }
        }
        let mut promises = Promises::default();
        for path in [
            "a/007.json",
            "a/012.json",
            "b/012.json",
            "b/x12.json",
            "iteration-7.json",
            "tasks/a/plan.md",
        ] {
            promises.turn_to(path);
            assert_eq!(promises.names, promised(path), "{path}");
            assert_eq!(promises.is_text, FormatId::is_text_path(path), "{path}");
            assert_eq!(promises.alone, FormatId::by_path_alone(path), "{path}");
        }
    }

    #[test]
    fn names_of_what_is_no_history() {
        for (path, kind) in [
            ("a/README.md", Some("it is Markdown")),
            ("Cargo.toml", Some("it is TOML")),
            ("a/Cargo.lock", Some("it is TOML")),
            ("a/.git/config", Some("it is a file of Git")),
            ("a/.git/hooks/x.sample", Some("it is a file of Git")),
            (".gitignore", Some("it is a file of Git")),
            (".github/x.yml", None),
            ("a/git/log.json", None),
            ("md", None),
        ] {
            assert_eq!(other_kind(path), kind, "{path}");
        }
    }

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
