//! An episodic memory: tasks, the attempts at them, what was done in each and what it taught, in
//! files that people can read.
//!
//! Nothing here reads or writes. A [`MemoryCall`] says which files and folders it must know, the host
//! hands over what it found, and the call answers with data and with a list of [`MemoryWrite`]s. So any
//! host can store a memory: a directory, the private file system of a browser, a bucket.
//!
//! The layout, below the root that the host chooses (`.aiwg/ralph/` by habit):
//!
//! ```text
//! tasks/task-001/metadata.json           what the task is and how far it has come
//! tasks/task-001/trajectory.json         every attempt in a few facts
//! tasks/task-001/reflections.jsonl       what each attempt taught
//! tasks/task-001/summary.json            the task in numbers
//! tasks/task-001/attempts/001/attempt.json   plan, execution, outcome
//! tasks/task-001/attempts/001/plan.md        what the agent began with
//! tasks/task-001/attempts/001/actions.jsonl  what it did
//! tasks/task-001/attempts/001/outcome.json   how it ended
//! tasks/task-001/attempts/001/results/iter-001/  files that an iteration has made, the host's own
//! index/by-status.json, index/by-agent.json  ids of tasks
//! reflections/loops/ralph-001/iteration-1.yaml   what an iteration of a loop taught
//! reflections/patterns/ralph-001.yaml            what recurs in a loop
//! ```
//!
//! Invariant: the first write of a call holds everything that is new; the others can be made from it
//! and from what was there. A crash between any two writes therefore loses nothing but order, which
//! [`Doctor`] restores, and a crash inside the first loses only what was being written.
//!
//! The number of a new attempt is higher than every number in the names among the attempts, in the rows
//! of the trajectory and in the reflections. An attempt has ended when its `outcome.json` says how.
//! Unknown members are kept when a file is written again.
//!
//! Times never go back: where `now` is earlier than a time that the task knows, that one is written
//! again, and `memory/clock-back` says so.
//!
//! This module does not lock: a host that lets several agents write takes a lock around a call, or
//! relies on [`MemoryWrite::was`] and makes the call again. It never follows links, and never deletes:
//! what cannot be used is kept beside its file as `NAME.broken-N`.

mod answer;
mod auto_reflection;
mod begin;
mod cache;
mod clock;
mod derive;
mod doctor;
mod end;
mod hook;
mod hook_settings;
mod index;
mod labels;
mod line;
pub(crate) mod names;
mod patterns;
mod query_history;
mod records;
mod request;
mod results;
mod spelling;
mod store;
mod stuck;
mod task;
mod task_search;
mod work;
mod yaml;

pub use answer::{
    ActionAnswer, AttemptAnswer, AttemptHistory, CompletedAnswer, FoundReflection, FoundTask,
    FoundTasks, HealthAnswer, ImprovementAnswer, IterationAnswer, IterationResults, MemoryAnswer,
    MemoryDone, MemoryFinding, ReflectedAnswer, ResultAnswer, ResultFile, TaskAnswer, TaskHistory,
};
pub use hook_settings::HookSettings;
pub use index::MemoryIndex;
pub use labels::{AttemptOutcome, ReflectionType, TaskStatus, Trigger};
pub use line::StoredLine;
pub use request::{
    AddReflection, AddResult, CompleteAttempt, Doctor, InitTask, LogAction, MemoryRequest,
    Milestone, Plan, QueryHistory, Reflect, ReflectionText, SearchTasks, SetStatus, SimilarTasks,
    StartAttempt, TaskLesson, TrackImprovement, memory_json,
};
pub use store::{FolderNames, MemoryFound, MemoryRead, MemoryWrite, ReadKind, WriteKind};

use crate::error::{Error, ErrorCode};
use crate::wasm_memory;
use cache::{Cache, Stop};

/// A record as it is stored: members in the spelling and the order of its file, also those that hindscope
/// does not know.
pub type Record = serde_json::Map<String, serde_json::Value>;

/// A request to a memory while it is answered.
///
/// Hand over everything in [`MemoryCall::needs`] until it is empty; then [`MemoryCall::finish`] has the
/// answer, and what to write.
///
/// # Example: a host with a map for its files
///
/// ```
/// use std::collections::BTreeMap;
/// use hindscope::{
///     Error, FolderNames, MemoryAnswer, MemoryCall, MemoryDone, MemoryFound, MemoryRequest, ReadKind,
/// };
///
/// fn ask(files: &mut BTreeMap<String, Vec<u8>>, request: &str) -> Result<MemoryDone, Error> {
///     let mut call = MemoryCall::new(MemoryRequest::from_json(request)?)?;
///     while !call.needs().is_empty() {
///         for read in call.needs().to_vec() {
///             let found = match (read.kind, files.get(&read.path)) {
///                 (ReadKind::Folder, _) => names(files, &read.path),
///                 (_, None) => MemoryFound::Absent,
///                 (ReadKind::File, Some(bytes)) => MemoryFound::File(bytes.clone()),
///                 (ReadKind::Tail, Some(bytes)) => {
///                     MemoryFound::Tail { bytes: bytes.clone(), len_bytes: bytes.len() as u64 }
///                 }
///             };
///             call.supply(&read.path, found)?;
///         }
///     }
///     let done = call.finish()?;
///     for write in &done.writes {
///         let bytes = write.apply(files.get(&write.path).map(Vec::as_slice))?;
///         files.insert(write.path.clone(), bytes);
///     }
///     Ok(done)
/// }
///
/// fn names(files: &BTreeMap<String, Vec<u8>>, folder: &str) -> MemoryFound {
///     let mut found = FolderNames::default();
///     for path in files.keys().filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/')) {
///         match path.split_once('/') {
///             None => found.files.push(path.to_owned()),
///             Some((folder, _)) => found.folders.push(folder.to_owned()),
///         }
///     }
///     found.folders.dedup();
///     MemoryFound::Folder(found)
/// }
///
/// let mut files = BTreeMap::new();
/// ask(&mut files, r#"{"call": "init-task", "now": "2026-03-05T09:00:00Z", "description": "Sort it."}"#)?;
/// ask(&mut files, r#"{"call": "start-attempt", "now": "2026-03-05T09:01:00Z", "task": "task-001"}"#)?;
/// ask(&mut files, r#"{"call": "log-action", "now": "2026-03-05T09:02:00Z", "task": "task-001",
///     "action": {"type": "bash", "params": {"command": "make"}, "success": false, "error": "exit 2"}}"#)?;
/// let done = ask(&mut files, r#"{"call": "complete-attempt", "now": "2026-03-05T09:03:00Z",
///     "task": "task-001", "outcome": "failure", "reflection": {"learning": "Install make first."}}"#)?;
/// assert!(done.findings.is_empty());
/// let done = ask(&mut files, r#"{"call": "start-attempt", "now": "2026-03-05T09:04:00Z", "task": "task-001"}"#)?;
/// let MemoryAnswer::Attempt(second) = done.answer else { panic!("an attempt") };
/// assert_eq!((second.attempt, second.reflections.len()), (2, 1));
/// assert!(second.plan.contains("Install make first."));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MemoryCall {
    request: MemoryRequest,
    cache: Cache,
    needs: Vec<MemoryRead>,
    /// How many reads at the front of `needs` are answered. Hosts usually answer in order, and counting
    /// is faster than removing when there are thousands.
    answered: usize,
    done: Option<MemoryDone>,
}

impl MemoryCall {
    /// Begins a call.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidRequest`] for a request that lacks what it needs; [`ErrorCode::PathRefused`]
    /// for an id that cannot be the name of a folder.
    pub fn new(request: MemoryRequest) -> Result<Self, Error> {
        let (cache, needs) = (Cache::default(), Vec::new());
        let mut call = Self { request, cache, needs, answered: 0, done: None };
        call.go_on()?;
        Ok(call)
    }

    /// What has to be read now, in order of the paths. More may follow once all of it was handed over.
    /// When it is empty, the call is done or has failed.
    pub fn needs(&self) -> &[MemoryRead] {
        self.needs.get(self.answered..).unwrap_or_default()
    }

    /// Hands over what was found at a path.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidRequest`] if that was not asked for, or is of another kind. The last of
    /// [`MemoryCall::needs`] can also show that the request as a whole fails:
    /// [`ErrorCode::NoSuchTask`], [`ErrorCode::NoSuchAttempt`], [`ErrorCode::AttemptComplete`],
    /// [`ErrorCode::MemoryConflict`], [`ErrorCode::MemoryUnreadable`], [`ErrorCode::InvalidRequest`].
    /// After such a failure the call has no answer.
    pub fn supply(&mut self, path: &str, found: MemoryFound) -> Result<(), Error> {
        let Some(at) = self.needs().iter().position(|read| read.path == path) else {
            return Err(Error::new(
                ErrorCode::InvalidRequest,
                format!("{path:?} was not requested, or was already supplied."),
            ));
        };
        let at = self.answered + at;
        let read = &self.needs[at];
        let is_fitting = match found {
            MemoryFound::File(_) => read.kind == ReadKind::File,
            MemoryFound::Tail { .. } => read.kind == ReadKind::Tail,
            MemoryFound::Folder(_) => read.kind == ReadKind::Folder,
            MemoryFound::Absent | MemoryFound::Failed(_) => true,
        };
        if !is_fitting {
            let kind = read.kind.as_str();
            return Err(Error::new(
                ErrorCode::InvalidRequest,
                format!("Expected a {kind} for {path:?}."),
            ));
        }
        wasm_memory::grow();
        let len_bytes = read.len_bytes;
        if at == self.answered {
            self.answered += 1;
        } else {
            self.needs.remove(at);
        }
        self.cache.put(path, len_bytes, found);
        if self.needs().is_empty() { self.go_on() } else { Ok(()) }
    }

    /// The answer, and what to write.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::UnreadRecord`] while [`MemoryCall::needs`] is not empty, or after an error.
    pub fn finish(self) -> Result<MemoryDone, Error> {
        self.done.ok_or_else(|| {
            Error::new(
                ErrorCode::UnreadRecord,
                "The call cannot finish yet: supply everything in `needs` first.",
            )
        })
    }

    /// Answers with what is known, or says what else must be.
    fn go_on(&mut self) -> Result<(), Error> {
        match answer_to(&self.request, &self.cache) {
            Ok(done) => self.done = Some(done),
            Err(Stop::Wait) => (self.needs, self.answered) = (self.cache.take_wanted(), 0),
            Err(Stop::Fail(error)) => return Err(error),
        }
        Ok(())
    }
}

/// Every call is a function of what was read: it says what it wants, and is called again with more.
fn answer_to(request: &MemoryRequest, cache: &Cache) -> Result<MemoryDone, Stop> {
    match request {
        MemoryRequest::InitTask(request) => begin::init_task(request, cache),
        MemoryRequest::StartAttempt(request) => begin::start_attempt(request, cache),
        MemoryRequest::LogAction(request) => work::log_action(request, cache),
        MemoryRequest::AddResult(request) => results::add_result(request, cache),
        MemoryRequest::CompleteAttempt(request) => end::complete_attempt(request, cache),
        MemoryRequest::AddReflection(request) => end::add_reflection(request, cache),
        MemoryRequest::SetStatus(request) => end::set_status(request, cache),
        MemoryRequest::QueryHistory(request) => query_history::query_history(request, cache),
        MemoryRequest::SearchTasks(request) => task_search::search_tasks(request, cache),
        MemoryRequest::SimilarTasks(request) => task_search::similar_tasks(request, cache),
        MemoryRequest::TrackImprovement(request) => task_search::track_improvement(request, cache),
        MemoryRequest::Reflect(request) => hook::reflect(request, cache),
        MemoryRequest::Doctor(request) => doctor::doctor(request, cache),
    }
}
