//! The layouts, one function each.

use super::entry::{Entry, RenderOptions};
use crate::fences::{self, Fence};
use crate::model::reward::count;
use crate::text::counted;

/// A text as a layout takes it in.
#[derive(Clone, Copy)]
struct Ink {
    escapes: bool,
}

impl Ink {
    fn of(options: &RenderOptions) -> Self {
        Self { escapes: !options.verbatim }
    }

    /// A text on lines of its own: each of them could begin a heading or a block of code.
    fn block(self, text: &str) -> String {
        self.lines(text, true, "")
    }

    /// A text behind a label: its first line cannot begin a heading. A block of code begins on the next one.
    fn behind(self, text: &str) -> String {
        self.lines(text, false, "")
    }

    /// A text in a list item: further lines are indented, so that they belong to it.
    fn item(self, text: &str) -> String {
        self.lines(text, false, "  ")
    }

    /// One line of a label and a text, if there is one.
    fn labelled(self, label: &str, text: Option<&str>) -> Option<String> {
        Some(format!("**{label}**: {}", self.behind(text?)))
    }

    /// No block of code goes on behind the text: one is kept as it is if it ends, and a line that would begin one
    /// without an end is escaped, as headings are.
    fn lines(self, text: &str, is_first_open: bool, indent: &str) -> String {
        let text = clean(text);
        let all: Vec<&str> = text.split('\n').collect();
        let mut lines = String::with_capacity(text.len());
        // Up to this line all are code, and up to that one no block of code ends.
        let (mut code, mut barred) = (0, 0);
        for (index, line) in all.iter().enumerate() {
            if index > 0 {
                lines.push('\n');
                lines.push_str(if line.is_empty() { "" } else { indent });
            }
            let mut opens = false;
            if self.escapes && index >= code {
                let fence = Fence::of(line).filter(|fence| fence.opens());
                if let Some(fence) = fence.filter(|_| index >= barred) {
                    let (len, is_whole) = code_len(fence, &all[index..]);
                    *(if is_whole { &mut code } else { &mut barred }) = index + len;
                    if is_whole && index == 0 && !is_first_open {
                        lines.push('\n');
                        lines.push_str(indent);
                    }
                }
                opens = index >= code && (fence.is_some() || is_heading(line));
            }
            // Markdown sees one behind up to three spaces too.
            if opens && fences::indent(line) <= 3 && (index > 0 || is_first_open) {
                let inner = line.trim_start_matches(' ');
                lines.push_str(&line[..line.len() - inner.len()]);
                lines.push('\\');
                lines.push_str(inner);
            } else {
                lines.push_str(line);
            }
        }
        lines
    }
}

/// How many lines a block of code takes, and whether it ends. All of its lines stand as far to the right as the first
/// one: otherwise it could begin in an item of a list and go on behind it, where it is none.
fn code_len(opening: Fence<'_>, lines: &[&str]) -> (usize, bool) {
    for (index, line) in lines.iter().enumerate().skip(1) {
        if !line.trim().is_empty() && fences::indent(line) < opening.indent {
            return (index, false);
        }
        let closing = Fence::of(line).filter(|closing| opening.is_closed_by(*closing));
        if closing.is_some_and(|closing| closing.indent == opening.indent) {
            return (index + 1, true);
        }
    }
    (lines.len(), false)
}

/// Whether a line is a heading, or makes the line above it one.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let is_all = |mark: u8| line.bytes().all(|byte| byte == mark);
    line.starts_with('#') || (!line.is_empty() && (is_all(b'-') || is_all(b'=')))
}

/// Trimmed, its lines ended by LF: a lone CR ends a line of Markdown too.
fn clean(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace('\r', "\n")
}

/// What is there and says something.
fn said(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.trim().is_empty())
}

/// Blocks with one blank line between, and a line break at the end.
fn blocks(blocks: &[String]) -> String {
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
}

pub(super) fn plain(entries: &[Entry]) -> String {
    let block = |e: &Entry| format!("[{}] {}: {}", e.number, e.outcome.as_str(), clean(&e.text));
    blocks(&entries.iter().map(block).collect::<Vec<_>>())
}

pub(super) fn aiwg_template(entries: &[Entry], options: &RenderOptions) -> String {
    let ink = Ink::of(options);
    let learnt = counted(entries.len(), "reflection");
    let follow = if entries.len() == 1 { "follows" } else { "follow" };
    let opening = match options.attempts {
        Some(1) => format!("1 attempt was made so far; {learnt} {follow}."),
        Some(n) => format!("{n} attempts were made so far; {learnt} {follow}."),
        None => format!("{learnt} on earlier attempts {follow}."),
    };
    let mut all = vec!["## Lessons from Previous Iterations".to_owned(), opening];
    all.extend(entries.iter().map(|e| {
        format!(
            "### Iteration {}\n- **Outcome**: {}\n- **Reflection**: {}\n- **Strategy Change**: {}",
            e.number,
            e.outcome.as_str(),
            ink.item(&e.text),
            said(e.strategy.as_ref()).map_or("none recorded".to_owned(), |s| ink.item(s)),
        )
    }));
    all.push("## Instructions".to_owned());
    all.push(
        "1. Do not repeat what failed above.\n\
         2. Start from the latest strategy change.\n\
         3. If you notice that you repeat yourself, change the approach.\n\
         4. When you are done, reflect on this attempt: what happened, why, what to do next."
            .to_owned(),
    );
    blocks(&all)
}

pub(super) fn aiwg_guide(entries: &[Entry], options: &RenderOptions) -> String {
    let ink = Ink::of(options);
    let mut all = vec!["## Previous Reflections".to_owned()];
    all.extend(entries.iter().map(|e| {
        let mut lines = vec![format!("### Iteration {}", e.number), ink.block(&e.text)];
        let lessons: Vec<_> = e.lessons.iter().filter_map(|l| said(Some(l))).collect();
        if !lessons.is_empty() {
            lines.push("Lessons learned:".to_owned());
        }
        lines.extend(lessons.into_iter().map(|lesson| format!("- {}", ink.item(lesson))));
        lines.join("\n")
    }));
    blocks(&all)
}

pub(super) fn aiwg_memory(entries: &[Entry], options: &RenderOptions) -> String {
    let ink = Ink::of(options);
    let held = count(entries.len());
    let total = options.total.unwrap_or(held);
    let omega = options.omega.map_or("unbounded".to_owned(), |omega| omega.to_string());
    let mut all = vec![
        "## Reflection Memory (Recent Learnings)".to_owned(),
        format!("Active memory window: {held} of {total} total reflections (Ω={omega})"),
    ];
    all.extend(entries.iter().zip(1..).map(|(e, i)| {
        let mut lines = vec![format!("### Reflection {i} (Iteration {})", e.number)];
        lines.extend(ink.labelled("Type", said(e.kind.as_ref())));
        lines.extend(ink.labelled("Effectiveness", said(e.effectiveness.as_ref())));
        lines.push(ink.block(&e.text));
        lines.join("\n")
    }));
    blocks(&all)
}

/// The prompt of Reflexion's runs: no headings, so nothing to escape.
pub(super) fn reflexion_alfworld(entries: &[Entry], options: &RenderOptions) -> String {
    let mut lines = vec![String::new(), "Your memory for the task below:".to_owned()];
    for (e, i) in entries.iter().zip(0..) {
        let label: i64 = if options.absolute_numbers { e.number } else { i };
        lines.extend([format!("Trial {label}:"), clean(&e.text)]);
    }
    if let Some(task) = said(options.task.as_ref()) {
        lines.extend(["Here is the task:".to_owned(), clean(task)]);
    }
    lines.push(String::new());
    lines.join("\n")
}

pub(super) fn episodic(entries: &[Entry], options: &RenderOptions) -> String {
    let ink = Ink::of(options);
    let block = |e: &Entry| {
        let mut lines = vec![format!("## Reflection on Attempt {}", e.number)];
        let observation = said(e.observation.as_ref()).or(said(Some(&e.text)));
        lines.extend(ink.labelled("Observation", observation));
        lines.extend(ink.labelled("Analysis", said(e.analysis.as_ref())));
        lines.extend(ink.labelled("Learning", said(e.learning.as_ref())));
        let items: Vec<_> = e.action_items.iter().filter_map(|i| said(Some(i))).collect();
        if !items.is_empty() {
            lines.push("**Action Items**:".to_owned());
        }
        lines.extend((1..).zip(items).map(|(i, item)| format!("{i}. {}", ink.item(item))));
        lines.join("\n")
    };
    blocks(&entries.iter().map(block).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::Outcome;
    use crate::window::render::{Layout, render, render_with};

    fn window() -> [Entry; 2] {
        let first = Entry {
            strategy: Some("Warm the cache.".to_owned()),
            lessons: vec!["Cache keys differ.\r\n# really".to_owned(), " ".to_owned()],
            kind: Some("strategy".to_owned()),
            effectiveness: Some("0.8".to_owned()),
            analysis: Some("Keys differ.".to_owned()),
            learning: Some("Normalise.".to_owned()),
            action_items: vec!["Write a test.".to_owned(), "Run it\ntwice.".to_owned()],
            ..Entry::new(4, Outcome::Failure, " Clear cache first.\r\n# Not a heading\n\nDone. ")
        };
        [first, Entry::new(6, Outcome::Partial, "#1 was wrong.")]
    }

    #[test]
    fn empty_windows_are_empty_in_every_layout() {
        for layout in Layout::ALL {
            assert_eq!(render(&[], layout), "");
            assert!(render(&window(), layout).ends_with('\n'));
            assert!(!render(&window(), layout).contains('\r'));
            assert_eq!(Layout::parse(layout.as_str()), Ok(layout));
        }
        assert!(Layout::parse("Plain").is_err());
    }

    #[test]
    fn aiwg_template() {
        let options = RenderOptions { attempts: Some(7), ..RenderOptions::default() };
        let text = render_with(&window(), Layout::AiwgTemplate, &options);
        assert_eq!(
            text,
            "## Lessons from Previous Iterations\n\n\
             7 attempts were made so far; 2 reflections follow.\n\n\
             ### Iteration 4\n\
             - **Outcome**: failure\n\
             - **Reflection**: Clear cache first.\n  \\# Not a heading\n\n  Done.\n\
             - **Strategy Change**: Warm the cache.\n\n\
             ### Iteration 6\n\
             - **Outcome**: partial\n\
             - **Reflection**: #1 was wrong.\n\
             - **Strategy Change**: none recorded\n\n\
             ## Instructions\n\n\
             1. Do not repeat what failed above.\n\
             2. Start from the latest strategy change.\n\
             3. If you notice that you repeat yourself, change the approach.\n\
             4. When you are done, reflect on this attempt: what happened, why, what to do next.\n"
        );
        let text = render(&window()[..1], Layout::AiwgTemplate);
        assert!(text.contains("\n\n1 reflection on earlier attempts follows.\n\n"));
    }

    #[test]
    fn aiwg_guide() {
        assert_eq!(
            render(&window(), Layout::AiwgGuide),
            "## Previous Reflections\n\n\
             ### Iteration 4\nClear cache first.\n\\# Not a heading\n\nDone.\n\
             Lessons learned:\n- Cache keys differ.\n  \\# really\n\n\
             ### Iteration 6\n\\#1 was wrong.\n"
        );
        let verbatim = RenderOptions { verbatim: true, ..RenderOptions::default() };
        let text = render_with(&window(), Layout::AiwgGuide, &verbatim);
        assert!(text.contains("\n# Not a heading\n") && text.contains("\n#1 was wrong.\n"));
    }

    #[test]
    fn only_what_markdown_takes_for_a_heading_is_escaped() {
        let entry = Entry::new(0, Outcome::Failure, "a\r   # b\n    # code\nc # d\n## e");
        assert_eq!(
            render(&[entry], Layout::AiwgGuide),
            "## Previous Reflections\n\n### Iteration 0\na\n   \\# b\n    # code\nc # d\n\\## e\n"
        );
    }

    #[test]
    fn code_is_kept_as_it_is_where_it_ends_and_escaped_where_it_does_not() {
        let guide = |text: &str| {
            let text = render(&[Entry::new(0, Outcome::Failure, text)], Layout::AiwgGuide);
            text.strip_prefix("## Previous Reflections\n\n### Iteration 0\n").map(str::to_owned)
        };
        for (text, expected) in [
            ("a\n```sh\n# b\n---\n```\n# c", "a\n```sh\n# b\n---\n```\n\\# c\n"),
            ("~~~~\n~~~\n```\n~~~~ \nb", "~~~~\n~~~\n```\n~~~~ \nb\n"),
            ("- a\n  ```\n  # b\n  ```\n- c", "- a\n  ```\n  # b\n  ```\n- c\n"),
            ("```js\n# a", "\\```js\n\\# a\n"),
            ("a\n   ~~~\nb", "a\n   \\~~~\nb\n"),
            // The item ends with the line that stands further to the left, and with it the block.
            ("- a\n  ```\nb\n  ```", "- a\n  \\```\nb\n  \\```\n"),
            ("- a\n  ```\n  b\n```", "- a\n  \\```\n  b\n\\```\n"),
            ("``` `a` ```\nb", "``` `a` ```\nb\n"),
            ("a\n---\nb\n  ===  \nc\n-=\n--- d", "a\n\\---\nb\n  \\===  \nc\n-=\n--- d\n"),
        ] {
            assert_eq!(guide(text).as_deref(), Some(expected), "{text}");
        }
        let entry = Entry {
            strategy: Some("~~~\nx".to_owned()),
            ..Entry::new(0, Outcome::Failure, "```\n# a\n\n```")
        };
        let text = render(std::slice::from_ref(&entry), Layout::AiwgTemplate);
        assert!(
            text.contains(
                "- **Reflection**: \n  ```\n  # a\n\n  ```\n- **Strategy Change**: ~~~\n  x\n"
            ),
            "{text}"
        );
        let text = render(&[entry], Layout::Episodic);
        assert!(text.contains("**Observation**: \n```\n# a\n\n```\n"), "{text}");
    }

    #[test]
    fn aiwg_memory() {
        let options = RenderOptions { total: Some(5), omega: Some(3), ..RenderOptions::default() };
        assert_eq!(
            render_with(&window(), Layout::AiwgMemory, &options),
            "## Reflection Memory (Recent Learnings)\n\n\
             Active memory window: 2 of 5 total reflections (Ω=3)\n\n\
             ### Reflection 1 (Iteration 4)\n**Type**: strategy\n**Effectiveness**: 0.8\n\
             Clear cache first.\n\\# Not a heading\n\nDone.\n\n\
             ### Reflection 2 (Iteration 6)\n\\#1 was wrong.\n"
        );
        let text = render(&window(), Layout::AiwgMemory);
        assert!(text.contains("window: 2 of 2 total reflections (Ω=unbounded)\n"));
    }

    #[test]
    fn reflexion_alfworld_counts_inside_the_window() {
        let text = render(&window(), Layout::ReflexionAlfworld);
        assert_eq!(
            text,
            "\nYour memory for the task below:\n\
             Trial 0:\nClear cache first.\n# Not a heading\n\nDone.\n\
             Trial 1:\n#1 was wrong.\n"
        );
        let absolute = RenderOptions {
            absolute_numbers: true,
            task: Some("Boil an egg.\n".to_owned()),
            ..RenderOptions::default()
        };
        assert_eq!(
            render_with(&window()[1..], Layout::ReflexionAlfworld, &absolute),
            "\nYour memory for the task below:\n\
             Trial 6:\n#1 was wrong.\nHere is the task:\nBoil an egg.\n"
        );
    }

    #[test]
    fn episodic_leaves_out_what_is_absent() {
        assert_eq!(
            render(&window(), Layout::Episodic),
            "## Reflection on Attempt 4\n\
             **Observation**: Clear cache first.\n\\# Not a heading\n\nDone.\n\
             **Analysis**: Keys differ.\n**Learning**: Normalise.\n\
             **Action Items**:\n1. Write a test.\n2. Run it\n  twice.\n\n\
             ## Reflection on Attempt 6\n**Observation**: #1 was wrong.\n"
        );
        let seen = Entry { observation: Some("It hung.".to_owned()), ..window()[1].clone() };
        assert!(render(&[seen], Layout::Episodic).contains("**Observation**: It hung.\n"));
    }
}
