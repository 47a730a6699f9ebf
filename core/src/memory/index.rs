//! Tasks by the words of their descriptions, tags and lessons.
//!
//! The method is BM25 with k1 = 1.2 and b = 0.75, as `window/relevance-weighted` has it. A task is one
//! document: its description, its tags, and of its reflections the learnings and action items. Terms
//! are runs of letters and digits of two characters or more in lower case, without stop words and
//! without stemming; a query counts each of its terms once.

use crate::model::reward::count;
use crate::sort::StableSort as _;
use std::collections::{BTreeMap, BTreeSet};

use super::records::{Document, Lines, Members as _, Notes};
use super::{FoundTask, FoundTasks, SearchTasks, SimilarTasks, TaskLesson, TaskStatus, derive};
use crate::error::Error;
use crate::wasm_memory;
use crate::window::candidate::{Terms, terms_of};
use crate::window::relevance::{query, weight};

/// Tasks that are found, if nobody says how many.
const FOUND: usize = 20;
const SIMILAR: usize = 5;
/// Lessons that are listed of each.
const LESSONS: usize = 5;

/// The words of all tasks, kept by a host that searches often.
///
/// Hand over the two files of a task that are searched whenever they change; a search then reads
/// nothing. Without it, [`MemoryRequest::SearchTasks`](super::MemoryRequest::SearchTasks) reads these
/// files of every task.
///
/// # Example: a task that taught something about locks
///
/// ```
/// use hindscope::{MemoryIndex, SearchTasks};
///
/// let mut index = MemoryIndex::new();
/// let metadata = br#"{"id": "task-001", "description": "Migrate the tables.", "tags": ["sql"]}"#;
/// let lines = br#"{"attempt_id": 1, "learning": "Create the lock row first."}"#;
/// index.put("task-001", Some(metadata), Some(lines));
/// index.put("task-002", Some(br#"{"description": "Paint the fence."}"#), None);
///
/// let found = index.search(&SearchTasks { query: "which LOCK".into(), ..SearchTasks::default() });
/// assert_eq!((found.compared, found.tasks.len()), (2, 1));
/// assert_eq!((found.tasks[0].task.as_str(), &found.tasks[0].terms[..]), ("task-001", &["lock".to_owned()][..]));
/// assert_eq!(found.tasks[0].lessons[0].lesson, "Create the lock row first.");
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryIndex {
    /// By id: where a task stands among `places`.
    tasks: BTreeMap<String, usize>,
    /// Ten thousand tasks share most of their words, so the words know them by number.
    places: Vec<Indexed>,
    /// Places of tasks that were removed.
    free: Vec<usize>,
    /// By term: places of tasks that have it, and how often.
    postings: BTreeMap<String, BTreeMap<usize, u32>>,
    /// Terms of all tasks together.
    len: u64,
}

#[derive(Clone, Debug, Default)]
struct Indexed {
    id: String,
    description: String,
    tags: Vec<String>,
    status: Option<TaskStatus>,
    /// Latest first.
    lessons: Vec<String>,
    terms: Terms,
}

impl MemoryIndex {
    /// No task.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether an id is one that a task can have: it is the name of a folder.
    pub fn is_task_id(id: &str) -> bool {
        super::names::why_not(id).is_none()
    }

    /// Adds a task, or replaces it if the index has it already. The bytes are those of its
    /// `metadata.json` and its `reflections.jsonl`; what cannot be read in them is skipped.
    pub fn put(&mut self, task: &str, metadata: Option<&[u8]>, reflections: Option<&[u8]>) {
        self.put_noted(task, metadata, reflections, &mut Notes::default());
    }

    pub(super) fn put_noted(
        &mut self,
        task: &str,
        metadata: Option<&[u8]>,
        reflections: Option<&[u8]>,
        notes: &mut Notes,
    ) {
        self.remove(task);
        wasm_memory::grow();
        let path = super::names::of_task(task, "metadata.json");
        let metadata = Document::read(&path, metadata, None, notes).record;
        let path = super::names::of_task(task, "reflections.jsonl");
        // Schemas are checked where one task is opened, not where all of them are searched.
        let records = Lines::read(&path, reflections, None, notes).records;
        let lessons = records.iter().rev().flat_map(|record| {
            let learning = record.text_at("learning").map(str::to_owned);
            learning.into_iter().chain(record.texts_at("action_items"))
        });
        let mut seen = BTreeSet::new();
        let is_new = |lesson: &String| !lesson.trim().is_empty() && seen.insert(lesson.clone());
        let lessons: Vec<String> = lessons.filter(is_new).collect();
        let description = metadata.text_at("description").unwrap_or_default().to_owned();
        let tags = metadata.texts_at("tags");
        let texts = std::iter::once(&description).chain(&tags).chain(&lessons);
        let terms = Terms::of(texts.map(String::as_str));
        let place = self.free.pop().unwrap_or(self.places.len());
        for (term, times) in terms.counts() {
            if let Some(tasks) = self.postings.get_mut(term) {
                tasks.insert(place, *times);
            } else {
                self.postings.insert(term.clone(), BTreeMap::from([(place, *times)]));
            }
        }
        self.len += u64::from(terms.len());
        let status = Some(derive::status_of(&metadata)).filter(|_| metadata.contains_key("status"));
        let id = task.to_owned();
        let indexed = Indexed { id, description, tags, status, lessons, terms };
        match self.places.get_mut(place) {
            Some(free) => *free = indexed,
            None => self.places.push(indexed),
        }
        self.tasks.insert(task.to_owned(), place);
    }

    /// Forgets a task.
    pub fn remove(&mut self, task: &str) {
        let Some(place) = self.tasks.remove(task) else { return };
        let old = std::mem::take(&mut self.places[place]);
        self.free.push(place);
        self.len -= u64::from(old.terms.len());
        for term in old.terms.counts().keys() {
            if let Some(tasks) = self.postings.get_mut(term) {
                tasks.remove(&place);
                if tasks.is_empty() {
                    self.postings.remove(term);
                }
            }
        }
    }

    /// Number of tasks.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Tasks that share a word with a query, best first.
    pub fn search(&self, request: &SearchTasks) -> FoundTasks {
        let terms = query([request.query.as_str()]);
        let is_asked =
            |task: &Indexed| request.status.is_none_or(|status| task.status == Some(status));
        self.find(&terms, is_asked, limit(request.limit, FOUND))
    }

    /// Tasks like one, best first, without itself.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchTask`](crate::ErrorCode::NoSuchTask) if it is not in the index.
    pub fn similar(&self, request: &SimilarTasks) -> Result<FoundTasks, Error> {
        let own = self.tasks.get(&request.task).and_then(|&place| self.places.get(place));
        let own = own.ok_or_else(|| super::task::no_such_task(&request.task))?;
        let texts = std::iter::once(&own.description).chain(&own.tags);
        let terms = query(texts.map(String::as_str));
        let is_other = |task: &Indexed| task.id != request.task;
        Ok(self.find(&terms, is_other, limit(request.limit, SIMILAR)))
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers of tasks and of their words")]
    fn find(
        &self,
        terms: &[String],
        is_asked: impl Fn(&Indexed) -> bool,
        limit: usize,
    ) -> FoundTasks {
        let n = self.tasks.len() as f64;
        let mean = self.len as f64 / n;
        let mut asked = vec![false; self.places.len()];
        for &place in self.tasks.values() {
            asked[place] = is_asked(&self.places[place]);
        }
        let mut scores = vec![0.0; self.places.len()];
        for tasks in terms.iter().filter_map(|term| self.postings.get(term)) {
            for (&place, times) in tasks.iter().filter(|(place, _)| asked[**place]) {
                let len = f64::from(self.places[place].terms.len()) / mean;
                scores[place] += weight(n, tasks.len() as f64, f64::from(*times), len);
            }
        }
        let found = self.places.iter().zip(scores).filter(|(_, score)| *score > 0.0);
        let mut found: Vec<_> = found.collect();
        found.stable_sort_by(|a, b| {
            b.1.total_cmp(&a.1).then_with(|| crate::model::natural::natural(&a.0.id, &b.0.id))
        });
        let found = found.into_iter().take(limit);
        let compared = asked.into_iter().filter(|is_asked| *is_asked).count();
        FoundTasks {
            tasks: found.map(|(task, score)| task.found(score, terms)).collect(),
            compared: count(compared),
        }
    }
}

impl Indexed {
    fn found(&self, score: f64, terms: &[String]) -> FoundTask {
        let has = |term: &&String| self.terms.counts().contains_key(*term);
        let terms: Vec<_> = terms.iter().filter(has).cloned().collect();
        let shares = |lesson: &str| terms_of(lesson).iter().any(|term| terms.contains(term));
        let (sharing, others): (Vec<_>, Vec<_>) = self.lessons.iter().partition(|l| shares(l));
        let lessons = sharing.into_iter().chain(others).take(LESSONS);
        FoundTask {
            task: self.id.clone(),
            score: crate::model::reward::rounded(score),
            description: self.description.clone(),
            status: self.status,
            lessons: lessons
                .map(|lesson| TaskLesson { task: self.id.clone(), lesson: lesson.clone() })
                .collect(),
            terms,
        }
    }
}

fn limit(asked: Option<u32>, default: usize) -> usize {
    asked.map_or(default, |n| usize::try_from(n).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;

    fn index() -> MemoryIndex {
        let mut index = MemoryIndex::new();
        for (id, text) in [
            (
                "a",
                "Token refresh ignored the expiry field, so the session test failed. Check expiry before refresh",
            ),
            ("b", "The lint step failed on unused imports. Remove unused imports"),
            (
                "c",
                "Expiry check compares seconds with milliseconds. Convert expiry to milliseconds Name units in variables",
            ),
            ("d", "Formatting only; nothing new."),
        ] {
            let metadata = format!(r#"{{"id":"{id}","description":"{text}","status":"failed"}}"#);
            index.put(id, Some(metadata.as_bytes()), None);
        }
        index
    }

    fn scores(found: &FoundTasks) -> Vec<(&str, f64)> {
        found.tasks.iter().map(|t| (t.task.as_str(), (t.score * 1e4).round() / 1e4)).collect()
    }

    /// The documents and the query of `window/relevance-weighted`.
    #[test]
    fn scores_are_those_of_the_window() {
        let request = SearchTasks {
            query: "Fix token expiry handling, session expiry test: expected 401".to_owned(),
            ..SearchTasks::default()
        };
        let mut index = index();
        let found = index.search(&request);
        assert_eq!(scores(&found), [("a", 3.9984), ("c", 0.8888)]);
        assert_eq!(found.tasks[0].terms, ["expiry", "session", "test", "token"]);
        // Another task, gone again, leaves nothing behind.
        index.put("e", Some(br#"{"description":"token token"}"#), None);
        index.remove("e");
        index.put(
            "d",
            Some(br#"{"description":"Formatting only; nothing new.","status":"running"}"#),
            None,
        );
        assert_eq!(index.search(&request), found);
        let running = SearchTasks { status: Some(TaskStatus::Running), ..request };
        assert_eq!((index.search(&running).tasks.len(), index.search(&running).compared), (0, 1));
    }

    #[test]
    fn similar_tasks_are_others_with_lessons() {
        let mut index = index();
        let lines = br#"{"learning":"Old.","action_items":["Rotate the token"]}
{"learning":"New."}
nothing
"#;
        index.put("a", Some(br#"{"description":"Token refresh"}"#), Some(lines));
        index.put("x", Some(br#"{"description":"Token","tags":["refresh"]}"#), None);
        let request = SimilarTasks { task: "x".to_owned(), limit: Some(1) };
        let found = index.similar(&request).expect("x is there");
        let lessons: Vec<_> = found.tasks[0].lessons.iter().map(|l| l.lesson.as_str()).collect();
        assert_eq!(
            (found.tasks[0].task.as_str(), &lessons[..]),
            ("a", &["Rotate the token", "New.", "Old."][..])
        );
        let request = SimilarTasks { task: "y".to_owned(), limit: None };
        assert_eq!(index.similar(&request).map_err(|e| e.code()), Err(ErrorCode::NoSuchTask));
    }
}
