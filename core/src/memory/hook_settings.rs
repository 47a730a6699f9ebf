//! What a workflow says of the hook after an iteration: its `hook:` block.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with_macros::skip_serializing_none;

use super::Record;
use crate::error::{Error, ErrorCode};
use crate::fences::code_blocks;
use crate::source::yaml::configuration;
use crate::text::did_you_mean;

/// Every member of the block. `name` and `enforcement` speak to people.
const MEMBERS: [&str; 7] =
    ["name", "type", "enforcement", "scope", "output_path", "k", "stuck_after"];

/// The `hook:` block of a workflow.
///
/// # Example: a block in YAML
///
/// ```
/// use hindscope::HookSettings;
///
/// let settings = HookSettings::from_workflow("hook:\n  scope: [ralph-loop]\n  k: 3\n")?;
/// assert_eq!((settings.scope, settings.k), (vec!["ralph-loop".to_owned()], Some(3)));
///
/// let error = HookSettings::from_workflow("hook:\n  scpe: [ralph-loop]\n").unwrap_err();
/// assert!(error.to_string().contains("Did you mean `scope`?"));
/// # Ok::<(), hindscope::Error>(())
/// ```
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HookSettings {
    /// Kinds of loops whose iterations are stored; empty: all.
    pub scope: Vec<String>,
    /// Where the iterations go, below the folder of the workflow: it ends with `reflections/loops`.
    pub output_path: Option<String>,
    /// How many reflections the next iteration is given, 0 to 10.
    pub k: Option<u8>,
    /// How many reflections must say the same for the loop to be stuck, from 2. Other rules `stuck/*` have
    /// numbers of their own.
    pub stuck_after: Option<u32>,
}

impl HookSettings {
    /// Reads the block of a document in YAML, or of one in Markdown: of the YAML between two lines of `---`
    /// at its beginning, or of a code block. The first `hook:` counts.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidRequest`] if there is no block, if it gives a key twice, or if it has an unknown
    /// member or a value that the member cannot have; the message says which.
    pub fn from_workflow(text: &str) -> Result<Self, Error> {
        let mut hook = None;
        let mut wrong = None;
        let parts = front_matter(text).into_iter().chain(code_blocks(text));
        for (at, block) in std::iter::once((0, text)).chain(parts) {
            let is_part = at > 0;
            match configuration(block) {
                Ok(value) => hook = value.get("hook").cloned(),
                // Of Markdown as a whole a part may be YAML.
                Err(bad) if block.lines().any(|line| line.starts_with("hook:")) => {
                    let above = text.get(..at).map_or(0, |above| above.lines().count());
                    wrong = Some((is_part, bad.placed(above)));
                }
                Err(_) => {}
            }
            if hook.is_some() || wrong.as_ref().is_some_and(|(is_part, _)| *is_part) {
                break;
            }
        }
        let Some(hook) = hook else {
            return Err(match wrong {
                Some((_, wrong)) => {
                    invalid(&format!("The `hook:` block is not valid YAML {wrong}"))
                }
                None => invalid(
                    "The workflow has no `hook:` block, neither as YAML nor in the front matter or a code block of Markdown.",
                ),
            });
        };
        let Value::Object(hook) = hook else {
            return Err(invalid(&format!(
                "`hook` must have members such as `scope`, `output_path`, `k` and `stuck_after`, found {hook}."
            )));
        };
        Self::of(&hook)
    }

    fn of(hook: &Record) -> Result<Self, Error> {
        if let Some(name) = hook.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
            let mut hint = did_you_mean(name, &MEMBERS);
            if hint.is_empty() {
                hint = format!(" It can have `{}`.", MEMBERS.join("`, `"));
            }
            return Err(invalid(&format!("Unexpected member `{name}` of `hook`.{hint}")));
        }
        let wrong = |name: &str, expected: &str| {
            let found = hook.get(name).map(Value::to_string).unwrap_or_default();
            invalid(&format!("`hook.{name}` must be {expected}, found {found}."))
        };
        for name in ["name", "type", "enforcement", "output_path"] {
            if hook.get(name).is_some_and(|value| !value.is_string()) {
                return Err(wrong(name, "a text"));
            }
        }
        if hook.get("type").is_some_and(|kind| kind != "post-iteration") {
            return Err(wrong("type", "post-iteration"));
        }
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let scope = match hook.get("scope") {
            None => Some(Vec::new()),
            Some(Value::Array(items)) => items.iter().map(text).collect(),
            Some(one) => text(one).map(|one| vec![one]),
        };
        let number = |name: &str, least: u32, most: u32, expected: &str| {
            let Some(value) = hook.get(name) else { return Ok(None) };
            let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
            number
                .filter(|n| (least..=most).contains(n))
                .map(Some)
                .ok_or_else(|| wrong(name, expected))
        };
        Ok(Self {
            scope: scope.ok_or_else(|| wrong("scope", "a list of texts"))?,
            output_path: hook.get("output_path").and_then(text),
            k: number("k", 0, 10, "an integer from 0 to 10")?.and_then(|k| u8::try_from(k).ok()),
            stuck_after: number("stuck_after", 2, u32::MAX, "an integer from 2")?,
        })
    }
}

/// What stands between two lines of `---` at the beginning of a text in Markdown, with its offset.
fn front_matter(text: &str) -> Option<(usize, &str)> {
    let mut lines = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end()))
    });
    lines.next().filter(|(_, line)| *line == "---")?;
    let (from, _) = lines.clone().next()?;
    let (end, _) = lines.find(|(_, line)| *line == "---")?;
    Some((from, text.get(from..end)?))
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorCode::InvalidRequest, message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_in_markdown_is_read() {
        let text = "# hook\n\n```sh\nls\n```\n\n```yaml\nhook:\n  name: post-iteration-reflect\n  type: post-iteration\n  enforcement: required\n  scope:\n    - ralph-loop\n    - ralph-external\n  output_path: \".aiwg/ralph/reflections/loops/\"\n  stuck_after: 4\n```\n";
        let settings = HookSettings::from_workflow(text).expect("it is one");
        assert_eq!(
            settings,
            HookSettings {
                scope: vec!["ralph-loop".to_owned(), "ralph-external".to_owned()],
                output_path: Some(".aiwg/ralph/reflections/loops/".to_owned()),
                k: None,
                stuck_after: Some(4),
            }
        );
    }

    #[test]
    fn a_hook_is_found_wherever_markdown_has_yaml() {
        for text in [
            "hook:\n  k: 7\n",
            "---\nhook:\n  k: 7\n",
            "---\nhook:\n  k: 7\n---\n# Text\n\n```yaml\nhook: {k: 1}\n```\n",
            "---\r\ntitle: x\r\nhook: {k: 7}\r\n---\r\n",
            "---\ntitle: x\n---\n~~~yaml\nhook:\n  k: 7\n~~~\n",
            "Text with ``` in a line.\n\n````yaml\nhook:\n  name: |\n    ```\n    no fence of this block\n    ```\n  k: 7\n````\n",
            "```sh\necho 'hook: no'\n```\n  ```yaml\nhook:\n  k: 7\n",
        ] {
            assert_eq!(HookSettings::from_workflow(text).map(|hook| hook.k), Ok(Some(7)), "{text}");
        }
    }

    #[test]
    fn what_nobody_can_mean_is_refused() {
        for (block, message) in [
            (
                "hook:\n  outptu_path: x\n",
                "Unexpected member `outptu_path` of `hook`. Did you mean `output_path`?",
            ),
            (
                "hook:\n  colour: red\n",
                "Unexpected member `colour` of `hook`. It can have `name`, `type`, `enforcement`, `scope`, `output_path`, `k`, `stuck_after`.",
            ),
            ("hook:\n  k: 11\n", "`hook.k` must be an integer from 0 to 10, found 11."),
            ("hook:\n  stuck_after: 1\n", "`hook.stuck_after` must be an integer from 2, found 1."),
            (
                "hook:\n  type: pre-iteration\n",
                "`hook.type` must be post-iteration, found \"pre-iteration\".",
            ),
            ("hook:\n  scope: [1]\n", "`hook.scope` must be a list of texts, found [1]."),
            ("hook:\n  output_path: 1\n", "`hook.output_path` must be a text, found 1."),
            (
                "hook: on\n",
                "`hook` must have members such as `scope`, `output_path`, `k` and `stuck_after`, found \"on\".",
            ),
            (
                "nodes: []\n",
                "The workflow has no `hook:` block, neither as YAML nor in the front matter or a code block of Markdown.",
            ),
            (
                "hook:\n  k: 3\n  scope: a\n  k: 4\n",
                "The `hook:` block is not valid YAML (line 4, column 3): the key \"k\" is given twice.",
            ),
            (
                "# Text\n\n~~~yaml\nhook:\n  k: 3\n  k: 4\n~~~\n\n```yaml\nhook:\n  k: 5\n```\n",
                "The `hook:` block is not valid YAML (line 6, column 3): the key \"k\" is given twice.",
            ),
            (
                "---\r\nhook:\r\n  k: 3\r\nhook:\r\n---\r\n# Text\r\n",
                "The `hook:` block is not valid YAML (line 4, column 1): the key \"hook\" is given twice.",
            ),
        ] {
            let error = HookSettings::from_workflow(block).expect_err(block);
            assert_eq!(
                (error.code(), error.to_string().as_str()),
                (ErrorCode::InvalidRequest, message)
            );
        }
    }
}
