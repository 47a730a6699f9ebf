//! A host of the memory that keeps its files in a map, and the requests of a short example.

use std::collections::{BTreeMap, BTreeSet};

use hindscope::{
    Error, ErrorCode, FolderNames, History, IterationAnswer, MemoryAnswer, MemoryCall, MemoryDone,
    MemoryFound, MemoryRead, MemoryRequest, MemoryWrite, Profile, ReadKind, Severity,
};
use serde_json::{Value, json};

/// Where people keep a memory; the calls know nothing of it.
pub const ROOT: &str = ".aiwg/ralph/";

/// A host that keeps files in a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files(pub BTreeMap<String, Vec<u8>>);

impl Files {
    /// What a listing of this folder names.
    pub fn names(&self, folder: &str) -> MemoryFound {
        let lead = format!("{folder}/");
        let (mut files, mut folders) = (BTreeSet::new(), BTreeSet::new());
        for path in self.0.keys().filter_map(|path| path.strip_prefix(&lead)) {
            match path.split_once('/') {
                None => files.insert(path.to_owned()),
                Some((folder, _)) => folders.insert(folder.to_owned()),
            };
        }
        if files.is_empty() && folders.is_empty() {
            return MemoryFound::Absent;
        }
        let (files, folders) = (files.into_iter().collect(), folders.into_iter().collect());
        MemoryFound::Folder(FolderNames { files, folders, ..FolderNames::default() })
    }

    /// What is found where a call asks.
    pub fn answer(&self, read: &MemoryRead) -> MemoryFound {
        match (read.kind, self.0.get(&read.path)) {
            (ReadKind::Folder, _) => self.names(&read.path),
            (_, None) => MemoryFound::Absent,
            (ReadKind::File, Some(bytes)) => MemoryFound::File(bytes.clone()),
            (ReadKind::Tail, Some(bytes)) => {
                let len = usize::try_from(read.len_bytes.expect("a tail has one")).expect("small");
                let from = bytes.len().saturating_sub(len);
                MemoryFound::Tail { bytes: bytes[from..].to_vec(), len_bytes: bytes.len() as u64 }
            }
        }
    }

    /// Asks without writing. Requests and answers cross as JSON, as they do to any host.
    ///
    /// # Errors
    /// Those of the call.
    pub fn ask(&self, request: &Value) -> Result<MemoryDone, Error> {
        let mut call = MemoryCall::new(MemoryRequest::from_json(&request.to_string())?)?;
        let mut rounds = 0;
        while !call.needs().is_empty() {
            rounds += 1;
            assert!(rounds < 12, "{request} asks again and again");
            for read in call.needs().to_vec() {
                call.supply(&read.path, self.answer(&read))?;
            }
        }
        let done = call.finish()?;
        let text = serde_json::to_string(&done).expect("plain data");
        let again: MemoryDone = serde_json::from_str(&text).expect("what was written");
        assert_eq!(again.writes, done.writes);
        Ok(again)
    }

    /// Writes one of the files that a call asks for.
    ///
    /// # Errors
    /// Where the file is no longer what the call saw.
    pub fn write(&mut self, write: &MemoryWrite) -> Result<(), Error> {
        let bytes = write.apply(self.0.get(&write.path).map(Vec::as_slice))?;
        self.0.insert(write.path.clone(), bytes);
        Ok(())
    }

    /// Asks, and writes all of it.
    pub fn do_(&mut self, request: &Value) -> MemoryDone {
        let done = self.ask(request).unwrap_or_else(|error| panic!("{request}: {error}"));
        done.writes.iter().for_each(|write| self.write(write).expect("nobody else writes"));
        done
    }

    /// The code with which a request is refused.
    pub fn code(&self, request: &Value) -> ErrorCode {
        self.ask(request).map(|done| done.answer).expect_err(&request.to_string()).code()
    }

    /// A file as text.
    pub fn text(&self, path: &str) -> &str {
        let bytes = self.0.get(path).unwrap_or_else(|| panic!("no {path}"));
        std::str::from_utf8(bytes).expect("it is text")
    }

    /// A file as JSON.
    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(self.text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The history that these files are.
    pub fn open(&self) -> History {
        let mut history = History::new(Profile::Lenient);
        for (path, bytes) in &self.0 {
            let source = history.open(&format!("{ROOT}{path}"));
            history.push(source, bytes).expect("it is open");
            history.finish(source).expect("it is open");
        }
        history
    }

    /// Findings of the history that these files are.
    pub fn found(&self) -> Vec<String> {
        let history = self.open();
        let path = |finding: &hindscope::Finding| {
            finding.source.map(|s| history.source(s).expect("it is open").path).unwrap_or_default()
        };
        history
            .findings()
            .iter()
            .map(|f| format!("{}: {} {}", path(f), f.rule, f.message))
            .collect()
    }
}

/// The rules that a call speaks of.
pub fn rules(done: &MemoryDone) -> Vec<&str> {
    done.findings.iter().map(|note| note.finding.rule.as_ref()).collect()
}

/// A time of the first day, by its second.
pub fn at(second: u32) -> String {
    format!("2026-03-05T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// Asks for a task.
pub fn init(second: u32) -> Value {
    json!({"call": "init-task", "now": at(second), "description": "Sort the index.",
        "completionCriteria": "all checks green", "tags": ["index"]})
}

/// Asks for an attempt with a plan of two steps.
pub fn start(second: u32, task: &str) -> Value {
    json!({"call": "start-attempt", "now": at(second), "task": task, "agent": "coder",
        "plan": {"approach": "Halve the batch.", "steps": ["measure", "halve"], "estimatedIterations": 2}})
}

/// Keeps an action; those of every third second failed.
pub fn log(second: u32, task: &str, what: &str) -> Value {
    json!({"call": "log-action", "now": at(second), "task": task, "action": {
        "type": "bash", "tool": "shell", "iteration": 1 + second % 2, "quality": 0.25,
        "params": {"command": what}, "success": !second.is_multiple_of(3), "error": "exit 2",
        "output": "…", "reasoning": "Build first.", "expected_outcome": "a binary"}})
}

/// Ends an attempt.
pub fn end(second: u32, task: &str, outcome: &str) -> Value {
    json!({"call": "complete-attempt", "now": at(second), "task": task, "outcome": outcome,
        "reason": "two checks red", "finalQuality": 0.5, "completionPercent": 40,
        "whatWorked": ["measuring"], "whatDidntWork": ["guessing"],
        "suggestionsForNextTime": ["Quarter it"],
        "milestones": [{"timestamp": at(second), "event": "built"}]})
}

/// What a hook is given.
pub fn iteration(done: MemoryDone) -> IterationAnswer {
    let MemoryAnswer::Iteration(answer) = done.answer else { panic!("an iteration") };
    *answer
}

/// Hands one iteration of a loop to the hook.
pub fn reflect(second: u32, text: &str) -> Value {
    json!({"call": "reflect", "now": at(second), "loop": "ralph-001", "outcome": "failure",
        "errors": ["undefined is not a function"], "reflection": text})
}

/// Two attempts of one task, the second a success.
pub fn example() -> Files {
    let mut files = Files::default();
    for request in [
        init(0),
        start(10, "task-001"),
        log(20, "task-001", "make"),
        log(31, "task-001", "make again"),
        end(40, "task-001", "failure"),
        start(50, "task-001"),
        log(60, "task-001", "make -j1"),
        end(70, "task-001", "success"),
    ] {
        let done = files.do_(&request);
        assert!(done.findings.is_empty(), "{request}: {:?}", done.findings);
    }
    files
}

/// The doctor mends, and finds nothing more to mend. Gives its rules.
pub fn mended(files: &mut Files, second: u32, why: &str) -> Vec<String> {
    let request = json!({"call": "doctor", "now": at(second)});
    let done = files.do_(&request);
    let said: Vec<String> = rules(&done).into_iter().map(str::to_owned).collect();
    let again = files.ask(&request).expect("it answers");
    let faults: Vec<_> =
        again.findings.iter().filter(|n| n.finding.severity != Severity::Info).collect();
    assert!(
        again.writes.is_empty() && faults.is_empty(),
        "{why}: after {said:?}: {faults:?} {:?}",
        again.writes
    );
    let MemoryAnswer::Health(health) = again.answer else { panic!("health") };
    assert!(health.is_sound, "{why}");
    said
}
