//! Tasks by the words of their descriptions, tags and lessons, and iterations of loops by those of
//! their reflections.
//!
//! The method is BM25 with k1 = 1.2 and b = 0.75, as `window/relevance-weighted` has it. A task is one
//! document: its description, its tags, and of its reflections the learnings and action items. An
//! iteration is one among iterations: its task, its reflection, its change of strategy. Terms are runs
//! of letters and digits of two characters or more in lower case, without stop words and without
//! stemming; a query counts each of its terms once.

use crate::model::natural::natural;
use crate::model::reward::count;
use crate::sort::StableSort as _;
use std::collections::{BTreeMap, BTreeSet};

use super::records::{Document, Lines, Members as _, Notes};
use super::{
    FoundReflection, FoundTask, FoundTasks, SearchTasks, SimilarTasks, TaskLesson, TaskStatus,
    derive, names, yaml,
};
use crate::error::Error;
use crate::wasm_memory;
use crate::window::candidate::{Terms, terms_of};
use crate::window::relevance::{query, weight};

/// Tasks that are found, if nobody says how many.
const FOUND: usize = 20;
const SIMILAR: usize = 5;
/// Lessons that are listed of each.
const LESSONS: usize = 5;

/// The words of all tasks and loops, kept by a host that searches often.
///
/// Hand over the two files of a task that are searched whenever they change; a search then reads
/// nothing. Without it, [`MemoryRequest::SearchTasks`](super::MemoryRequest::SearchTasks) reads these
/// files of every task, and every iteration of a loop.
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
    /// By the id of the task.
    tasks: Words,
    /// By the path of the iteration.
    iterations: Words,
}

/// Documents by their words.
#[derive(Clone, Debug, Default)]
struct Words {
    /// By id: where a document stands among `places`.
    ids: BTreeMap<String, usize>,
    /// Ten thousand documents share most of their words, so the words know them by number.
    places: Vec<Indexed>,
    /// Places of documents that were removed.
    free: Vec<usize>,
    /// By term: places of documents that have it, and how often.
    postings: BTreeMap<String, BTreeMap<usize, u32>>,
    /// Terms of all documents together.
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
        let path = names::of_task(task, "metadata.json");
        let metadata = Document::read(&path, metadata, None, notes).record;
        let path = names::of_task(task, "reflections.jsonl");
        // Schemas are checked where one task is opened, not where all of them are searched.
        let records = Lines::read(&path, reflections, None, notes).records;
        let lessons = records.iter().rev().flat_map(|record| {
            let learning = record.text_at("learning").map(str::to_owned);
            learning.into_iter().chain(record.texts_at("action_items"))
        });
        let mut seen = BTreeSet::new();
        let is_new = |lesson: &String| !lesson.trim().is_empty() && seen.insert(lesson.clone());
        let lessons = lessons.filter(is_new).collect();
        let description = metadata.text_at("description").unwrap_or_default().to_owned();
        let tags = metadata.texts_at("tags");
        let status = Some(derive::status_of(&metadata)).filter(|_| metadata.contains_key("status"));
        let id = task.to_owned();
        self.tasks.put(Indexed { id, description, tags, status, lessons, ..Indexed::default() });
    }

    /// Forgets a task.
    pub fn remove(&mut self, task: &str) {
        self.tasks.remove(task);
    }

    /// Adds an iteration of a loop, or replaces it. `path` is that of its file below the root of the
    /// memory, as `reflections/loops/ralph-001/iteration-1.yaml`; another path, and a file that cannot be
    /// read, are skipped.
    pub fn put_iteration(&mut self, path: &str, bytes: &[u8]) {
        self.iterations.remove(path);
        let Some(record) = names::iteration_of(path).and_then(|_| yaml::read(bytes)) else {
            return;
        };
        self.iterations.put(Indexed {
            id: path.to_owned(),
            description: record.text_at("task").unwrap_or_default().to_owned(),
            lessons: vec![
                record.texts_at("reflection").join("\n"),
                record.texts_at("strategy_change").join("\n"),
            ],
            ..Indexed::default()
        });
    }

    /// Forgets an iteration of a loop.
    pub fn remove_iteration(&mut self, path: &str) {
        self.iterations.remove(path);
    }

    /// Number of tasks.
    pub fn len(&self) -> usize {
        self.tasks.ids.len()
    }

    /// Whether there is no task.
    pub fn is_empty(&self) -> bool {
        self.tasks.ids.is_empty()
    }

    /// Tasks and iterations of loops that share a word with a query, best first. Iterations have no
    /// status: a search for one finds tasks only. Without a query, all tasks in natural order of their ids.
    pub fn search(&self, request: &SearchTasks) -> FoundTasks {
        if request.query.trim().is_empty() {
            return self.listed(request);
        }
        let terms = query([request.query.as_str()]);
        let is_asked =
            |task: &Indexed| request.status.is_none_or(|status| task.status == Some(status));
        let limit = limit(request.limit, FOUND);
        let reflections = self.iterations.find(&terms, |_| request.status.is_none(), limit).0;
        FoundTasks {
            reflections: reflections
                .filter_map(|(one, score)| one.reflection(score, &terms))
                .collect(),
            ..self.found(&terms, is_asked, limit)
        }
    }

    /// All tasks of a status, or all there are.
    fn listed(&self, request: &SearchTasks) -> FoundTasks {
        let tasks = self.tasks.ids.values().filter_map(|&place| self.tasks.places.get(place));
        let mut tasks: Vec<_> =
            tasks.filter(|task| request.status.is_none_or(|s| task.status == Some(s))).collect();
        tasks.stable_sort_by(|a, b| natural(&a.id, &b.id));
        FoundTasks {
            compared: count(tasks.len()),
            tasks: tasks
                .into_iter()
                .take(limit(request.limit, usize::MAX))
                .map(|task| task.found(0.0, &[]))
                .collect(),
            reflections: Vec::new(),
        }
    }

    /// Tasks like one, best first, without itself.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchTask`](crate::ErrorCode::NoSuchTask) if it is not in the index.
    pub fn similar(&self, request: &SimilarTasks) -> Result<FoundTasks, Error> {
        let own = self.tasks.ids.get(&request.task).and_then(|&place| self.tasks.places.get(place));
        let own = own.ok_or_else(|| super::task::no_such_task(&request.task))?;
        let texts = std::iter::once(&own.description).chain(&own.tags);
        let terms = query(texts.map(String::as_str));
        let is_other = |task: &Indexed| task.id != request.task;
        Ok(self.found(&terms, is_other, limit(request.limit, SIMILAR)))
    }

    fn found(
        &self,
        terms: &[String],
        is_asked: impl Fn(&Indexed) -> bool,
        limit: usize,
    ) -> FoundTasks {
        let (tasks, compared) = self.tasks.find(terms, is_asked, limit);
        let tasks = tasks.map(|(task, score)| task.found(score, terms)).collect();
        FoundTasks { tasks, compared: count(compared), reflections: Vec::new() }
    }
}

impl Words {
    /// Adds a document, or replaces the one of its id.
    fn put(&mut self, mut document: Indexed) {
        self.remove(&document.id);
        wasm_memory::grow();
        let Indexed { description, tags, lessons, .. } = &document;
        let texts = std::iter::once(description).chain(tags).chain(lessons);
        document.terms = Terms::of(texts.map(String::as_str));
        let place = self.free.pop().unwrap_or(self.places.len());
        for (term, times) in document.terms.counts() {
            if let Some(places) = self.postings.get_mut(term) {
                places.insert(place, *times);
            } else {
                self.postings.insert(term.clone(), BTreeMap::from([(place, *times)]));
            }
        }
        self.len += u64::from(document.terms.len());
        self.ids.insert(document.id.clone(), place);
        match self.places.get_mut(place) {
            Some(free) => *free = document,
            None => self.places.push(document),
        }
    }

    fn remove(&mut self, id: &str) {
        let Some(place) = self.ids.remove(id) else { return };
        let old = std::mem::take(&mut self.places[place]);
        self.free.push(place);
        self.len -= u64::from(old.terms.len());
        for (term, _) in old.terms.counts() {
            if let Some(places) = self.postings.get_mut(term) {
                places.remove(&place);
                if places.is_empty() {
                    self.postings.remove(term);
                }
            }
        }
    }

    /// The best of the documents that are asked about, with their scores, and how many were asked about.
    #[expect(clippy::cast_precision_loss, reason = "numbers of documents and of their words")]
    fn find(
        &self,
        terms: &[String],
        is_asked: impl Fn(&Indexed) -> bool,
        limit: usize,
    ) -> (impl Iterator<Item = (&Indexed, f64)>, usize) {
        let n = self.ids.len() as f64;
        let mean = self.len as f64 / n;
        let mut asked = vec![false; self.places.len()];
        for &place in self.ids.values() {
            asked[place] = is_asked(&self.places[place]);
        }
        let mut scores = vec![0.0; self.places.len()];
        for places in terms.iter().filter_map(|term| self.postings.get(term)) {
            for (&place, times) in places.iter().filter(|(place, _)| asked[**place]) {
                let len = f64::from(self.places[place].terms.len()) / mean;
                scores[place] += weight(n, places.len() as f64, f64::from(*times), len);
            }
        }
        let found = self.places.iter().zip(scores).filter(|(_, score)| *score > 0.0);
        let mut found: Vec<_> = found.collect();
        found.stable_sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| natural(&a.0.id, &b.0.id)));
        let compared = asked.into_iter().filter(|is_asked| *is_asked).count();
        (found.into_iter().take(limit), compared)
    }
}

impl Indexed {
    /// The terms that it shares with a query.
    fn shared(&self, terms: &[String]) -> Vec<String> {
        let has = |term: &&String| self.terms.times(term) > 0;
        terms.iter().filter(has).cloned().collect()
    }

    /// As an iteration of a loop.
    fn reflection(&self, score: f64, terms: &[String]) -> Option<FoundReflection> {
        let (loop_id, iteration) = names::iteration_of(&self.id)?;
        let said = |at: usize| self.lessons.get(at).filter(|text| !text.is_empty()).cloned();
        Some(FoundReflection {
            loop_id: loop_id.to_owned(),
            iteration,
            score: crate::model::reward::rounded(score),
            terms: self.shared(terms),
            task: Some(self.description.clone()).filter(|task| !task.is_empty()),
            reflection: said(0).unwrap_or_default(),
            strategy_change: said(1),
            path: self.id.clone(),
        })
    }

    fn found(&self, score: f64, terms: &[String]) -> FoundTask {
        let terms = self.shared(terms);
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
    fn without_a_query_tasks_are_listed() {
        let mut index = MemoryIndex::new();
        for (id, status) in [("task-10", "running"), ("task-9", "failed"), ("task-2", "running")] {
            let metadata = format!(r#"{{"id":"{id}","description":"Sort.","status":"{status}"}}"#);
            index.put(id, Some(metadata.as_bytes()), None);
        }
        let listed = |status, limit| {
            let request = SearchTasks { status, limit, ..SearchTasks::default() };
            let found = index.search(&request);
            let ids: Vec<_> = found.tasks.iter().map(|task| task.task.clone()).collect();
            (ids.join(" "), found.compared)
        };
        assert_eq!(listed(None, None), ("task-2 task-9 task-10".to_owned(), 3));
        assert_eq!(listed(None, Some(2)), ("task-2 task-9".to_owned(), 3));
        assert_eq!(listed(Some(TaskStatus::Running), None), ("task-2 task-10".to_owned(), 2));
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

    #[test]
    fn reflections_of_loops_are_found() {
        let mut index = index();
        let path = |n: u32| format!("reflections/loops/ralph-1/iteration-{n}.yaml");
        let text = "task: Fix the cache\nreflection: The lock was never released.\nstrategy_change: Release it";
        index.put_iteration(&path(1), text.as_bytes());
        index.put_iteration(&path(2), b"reflection: [The test, is flaky]");
        index.put_iteration(&path(3), b"\xff: [");
        index.put_iteration("reflections/patterns/lock.yaml", text.as_bytes());
        let asked = |query: &str| SearchTasks { query: query.to_owned(), ..SearchTasks::default() };
        let found = index.search(&asked("released a lock in the cache"));
        assert_eq!((found.tasks.len(), found.compared), (0, 4), "iterations are not tasks");
        let [one] = &found.reflections[..] else { panic!("one, found {found:?}") };
        assert_eq!((one.loop_id.as_str(), one.iteration, &one.path), ("ralph-1", 1, &path(1)));
        assert_eq!(one.terms, ["cache", "lock", "released"]);
        assert_eq!(one.task.as_deref(), Some("Fix the cache"));
        assert_eq!(one.reflection, "The lock was never released.");
        assert_eq!(one.strategy_change.as_deref(), Some("Release it"));
        assert_eq!(index.search(&asked("flaky")).reflections[0].reflection, "The test\nis flaky");
        let with_status = SearchTasks { status: Some(TaskStatus::Failed), ..asked("flaky") };
        assert_eq!(index.search(&with_status).reflections, []);
        index.remove_iteration(&path(2));
        assert_eq!(index.search(&asked("flaky")).reflections, []);
    }
}
