//! How much memory a history may take (`size/memory`): what grows with input is counted, and asked for before
//! a record is kept. Lengths are counted, not capacities, so the answer does not depend on how the input was
//! sliced.

use crate::text::counted;

/// By default. WebAssembly has addresses for 4 GiB, and answers need some: a list that grows exists twice for
/// a moment.
const DEFAULT: usize = 2 << 30;

/// The highest limit that can be set, in MB of 2²⁰ bytes: WebAssembly has addresses for 4096, and answers need
/// some of them.
pub const MOST_MEMORY_MB: u32 = 3072;

/// What grouping needs for a record or an attempt, while it groups and afterwards: measured in wasm, with runs
/// of a thousand attempts.
pub(super) const GROUPED_LEN: usize = 224;

/// The same for a run, of which there may be one for each key and for each source.
pub(super) const RUN_LEN: usize = 720;

#[derive(Debug)]
pub(super) struct Budget {
    most: usize,
    /// What sources hold, without the one that is being read.
    sources: usize,
    /// Something did not fit.
    is_exceeded: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self { most: DEFAULT, sources: 0, is_exceeded: false }
    }
}

impl Budget {
    pub(super) fn limit(&mut self, most: usize) {
        self.most = most;
        self.is_exceeded = false;
    }

    /// The limit, for people.
    pub(super) fn text(&self) -> String {
        match self.most >> 20 {
            0 => counted(self.most, "byte"),
            megabytes => format!("{megabytes} MB"),
        }
    }

    /// What to do where it is reached.
    pub(super) fn advice(&self) -> &'static str {
        if self.most < (MOST_MEMORY_MB as usize) << 20 {
            "What was kept can be used. To read more, raise the limit or open fewer files."
        } else {
            "What was kept can be used. This is the highest limit: to read more, open fewer files, or a part of a file."
        }
    }

    /// Something does not fit.
    pub(super) fn exceed(&mut self) {
        self.is_exceeded = true;
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }

    /// Whether another record fits, if the table and the source that is being read hold this many bytes.
    pub(super) fn has_room(&self, held: usize) -> bool {
        self.room(held) > 0
    }

    /// How many bytes are left, if they hold this many.
    pub(super) fn room(&self, held: usize) -> usize {
        self.most.saturating_sub(self.sources.saturating_add(held))
    }

    /// Counts what a source holds.
    pub(super) fn add(&mut self, held: usize) {
        self.sources = self.sources.saturating_add(held);
    }

    /// Takes from the count what [`Budget::add`] was told of a source.
    pub(super) fn remove(&mut self, held: usize) {
        self.sources = self.sources.saturating_sub(held);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Finding, History, Profile, SourceState};

    /// Small records with three deviations each, of runs of a thousand.
    fn lines(count: usize) -> String {
        let line = |n| {
            format!(
                "{{\"loop_id\":\"my-{:04}\",\"iteration\":{n},\"outcome\":1,\"self_reflection\":{{\"reflection_text\":\"Look again.\"}}}}\n",
                n / 1000
            )
        };
        (0..count).map(line).collect()
    }

    fn opened(text: &str, megabytes: usize, slice: usize) -> History {
        let mut history = History::new(Profile::Lenient);
        history.limit_memory(megabytes << 20);
        let source = history.open("a.jsonl");
        for slice in text.as_bytes().chunks(slice) {
            history.push(source, slice).expect("it is open");
        }
        history.finish(source).expect("it is open");
        history
    }

    fn about_memory(history: &History) -> Vec<Finding> {
        history.findings().into_iter().filter(|f| f.rule == "size/memory").collect()
    }

    #[test]
    fn what_does_not_fit_is_left_and_said_and_the_rest_answers() {
        let text = lines(20_000);
        let mut history = opened(&text, 4, 1 << 16);
        let [source] = &history.sources()[..] else { panic!("one was opened") };
        let kept = source.kept as usize;
        assert!((1000..19_000).contains(&kept), "{kept}");
        assert_eq!((source.state, &source.digest), (SourceState::Read, &None));
        let [finding] = &about_memory(&history)[..] else { panic!("one speaks of all") };
        assert_eq!(
            finding.message,
            format!(
                "The memory limit of 4 MB is reached. {} records of this file are kept; the rest of it, from here on, is not read.",
                crate::text::whole(kept)
            )
        );
        let at = usize::try_from(finding.offset.expect("it has a place")).expect("small");
        assert_eq!(text[..at].lines().count(), kept, "the place is that of the first one left");
        let advice = |megabytes: usize| {
            let mut budget = super::Budget::default();
            budget.limit(megabytes << 20);
            budget.advice()
        };
        assert_eq!(finding.hint.as_deref(), Some(advice(4)));
        assert!(advice(4).contains("raise the limit"));
        assert!(!advice(super::MOST_MEMORY_MB as usize).contains("raise"));
        // Everything that was kept can be asked.
        assert_eq!((history.record_count(), history.run_count()), (kept, kept.div_ceil(1000)));
        assert!(history.finding_count() > kept);
        assert!(history.finding_groups().len() < 10);
        assert_eq!(history.runs()[0].iterations, 1000);
        // What is opened now is not read at all, and says so.
        let other = history.open("b.jsonl");
        let more = history.push(other, text.as_bytes()).expect("it is open");
        assert_eq!(more, crate::More::Enough);
        history.finish(other).expect("it is open");
        let view = history.source(other).expect("it is known");
        assert_eq!((view.state, view.kept), (SourceState::Refused, 0));
        assert_eq!(view.reason.as_deref(), Some("the memory limit of 4 MB is reached"));
        assert_eq!(history.open_files([("c.json", &b"{}"[..])]).len(), 1);
        assert_eq!(about_memory(&history).len(), 3);
    }

    #[test]
    fn slices_change_nothing_of_where_it_ends() {
        let text = lines(6000);
        let kept = |slice| opened(&text, 1, slice).record_count();
        let whole = kept(usize::MAX);
        assert!((500..6000).contains(&whole), "{whole}");
        for slice in [777, 1 << 14] {
            assert_eq!(kept(slice), whole, "slices of {slice}");
        }
    }

    /// A list in one document, of JSON and of YAML, is one value to framing.
    #[test]
    fn the_records_of_one_value_are_counted_one_by_one() {
        let items = lines(6000).trim_end().replace('\n', ",");
        for text in [format!("[{items}]"), format!("{{\"records\":[{items}]}}")] {
            let history = opened(&text, 1, usize::MAX);
            assert!((500..6000).contains(&history.record_count()), "{}", history.record_count());
            assert_eq!(about_memory(&history).len(), 1);
        }
        let item = "- {loop_id: my-a, iteration: 1, self_reflection: {reflection_text: a}}\n";
        let history = opened(&item.repeat(6000), 1, usize::MAX);
        assert!((500..6000).contains(&history.record_count()), "{}", history.record_count());
        assert_eq!(about_memory(&history).len(), 1);
    }

    #[test]
    fn a_small_limit_is_said_in_bytes() {
        let mut history = History::new(Profile::Lenient);
        history.limit_memory(500_000);
        let text = lines(6000);
        assert_eq!(history.open_files([("a.jsonl", text.as_bytes())]).len(), 1);
        let [finding] = &about_memory(&history)[..] else { panic!("one speaks of all") };
        let start = "The memory limit of 500,000 bytes is reached. ";
        assert!(finding.message.starts_with(start), "{}", finding.message);
    }

    #[test]
    fn what_a_file_holds_that_fails_is_given_back() {
        let mut history = History::new(Profile::Lenient);
        history.limit_memory(2 << 20);
        let beginning = format!("{{\"loop_id\":\"{}", "a".repeat(4 << 20));
        let source = history.open("a.json");
        history.push(source, beginning.as_bytes()).expect("it is open");
        history.fail(source, "the disk is gone").expect("it is open");
        let text = lines(10);
        assert_eq!(history.open_files([("b.jsonl", text.as_bytes())]).len(), 1);
        assert_eq!((history.record_count(), about_memory(&history).len()), (10, 0));
    }

    #[test]
    fn a_limit_that_is_high_enough_leaves_nothing() {
        let history = opened(&lines(2000), 64, usize::MAX);
        assert_eq!((history.record_count(), about_memory(&history).len()), (2000, 0));
    }
}
