//! An episodic memory: requests come in as JSON text, what was found as bytes, and the answer goes out
//! as JSON text, with what to write.

use hindscope::{
    FolderNames, HookSettings, MemoryAnswer, MemoryFound, MemoryRequest, StoredLine, memory_json,
};
use wasm_bindgen::prelude::*;

use crate::wire::{self, Misuse};

/// A request while it is answered.
#[wasm_bindgen]
#[derive(Debug)]
pub struct MemoryCall(hindscope::MemoryCall);

#[wasm_bindgen]
impl MemoryCall {
    /// Begins a call.
    ///
    /// # Errors
    ///
    /// `invalid-request`, `path-refused`.
    #[wasm_bindgen(constructor)]
    pub fn new(request: &str) -> Result<Self, Misuse> {
        Ok(Self(hindscope::MemoryCall::new(MemoryRequest::from_json(request)?)?))
    }

    /// What has to be read now, as a list.
    pub fn needs(&self) -> String {
        text(&self.0.needs())
    }

    /// Hands over a file.
    ///
    /// # Errors
    ///
    /// `invalid-request` if this was not asked for or is of another kind. With the last of what is
    /// needed, whatever is wrong with the request as a whole.
    #[wasm_bindgen(js_name = giveFile)]
    pub fn give_file(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), Misuse> {
        Ok(self.0.supply(path, MemoryFound::File(bytes))?)
    }

    /// Hands over the end of a file that has `len_bytes`.
    ///
    /// # Errors
    ///
    /// Those of `giveFile`, and `invalid-option` if `len_bytes` is no integer from 0.
    #[wasm_bindgen(js_name = giveTail)]
    pub fn give_tail(&mut self, path: &str, bytes: Vec<u8>, len_bytes: f64) -> Result<(), Misuse> {
        let len_bytes = wire::count(Some(len_bytes), "lenBytes")?.unwrap_or_default();
        Ok(self.0.supply(path, MemoryFound::Tail { bytes, len_bytes })?)
    }

    /// Hands over the names in a folder: `{files, folders}`.
    ///
    /// # Errors
    ///
    /// Those of `giveFile`, and `invalid-request` if `names` is no JSON of this form.
    #[wasm_bindgen(js_name = giveFolder)]
    pub fn give_folder(&mut self, path: &str, names: &str) -> Result<(), Misuse> {
        let names: FolderNames = memory_json(names)?;
        Ok(self.0.supply(path, MemoryFound::Folder(names))?)
    }

    /// Says that nothing is there.
    ///
    /// # Errors
    ///
    /// Those of `giveFile`.
    #[wasm_bindgen(js_name = giveNothing)]
    pub fn give_nothing(&mut self, path: &str) -> Result<(), Misuse> {
        Ok(self.0.supply(path, MemoryFound::Absent)?)
    }

    /// Says that it could not be read, and why.
    ///
    /// # Errors
    ///
    /// Those of `giveFile`.
    pub fn fail(&mut self, path: &str, why: &str) -> Result<(), Misuse> {
        Ok(self.0.supply(path, MemoryFound::Failed(why.to_owned()))?)
    }

    /// The answer, findings and writes. Where the answer is a history, the actions of each of its
    /// attempts stand behind it as texts of their own: they are most of it, and parsed when somebody
    /// looks at them.
    ///
    /// # Errors
    ///
    /// `unread-record`.
    pub fn finish(self) -> Result<Vec<String>, Misuse> {
        let mut done = self.0.finish()?;
        let mut actions = Vec::new();
        if let MemoryAnswer::History(history) = &mut done.answer {
            let attempts = history.attempts.iter_mut();
            actions.extend(attempts.map(|attempt| list(&std::mem::take(&mut attempt.actions))));
        }
        Ok(std::iter::once(text(&done)).chain(actions).collect())
    }
}

/// What the `hook:` block of a workflow says, as JSON.
///
/// # Errors
///
/// `invalid-request`.
#[wasm_bindgen(js_name = hookSettings)]
pub fn hook_settings(workflow: &str) -> Result<String, Misuse> {
    Ok(text(&HookSettings::from_workflow(workflow)?))
}

/// The words of all tasks.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct MemoryIndex(hindscope::MemoryIndex);

#[wasm_bindgen]
impl MemoryIndex {
    /// No task.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a name is one that a task can have.
    #[wasm_bindgen(js_name = isTaskId)]
    pub fn is_task_id(id: &str) -> bool {
        hindscope::MemoryIndex::is_task_id(id)
    }

    /// Takes a task in, of its `metadata.json` and its `reflections.jsonl`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "wasm-bindgen has no borrowed optional slice"
    )]
    pub fn put(&mut self, task: &str, metadata: Option<Vec<u8>>, reflections: Option<Vec<u8>>) {
        self.0.put(task, metadata.as_deref(), reflections.as_deref());
    }

    /// Forgets a task.
    pub fn remove(&mut self, task: &str) {
        self.0.remove(task);
    }

    /// Takes an iteration of a loop in.
    #[wasm_bindgen(js_name = putIteration)]
    pub fn put_iteration(&mut self, path: &str, bytes: &[u8]) {
        self.0.put_iteration(path, bytes);
    }

    /// Forgets an iteration of a loop.
    #[wasm_bindgen(js_name = removeIteration)]
    pub fn remove_iteration(&mut self, path: &str) {
        self.0.remove_iteration(path);
    }

    /// Tasks and iterations that share a word with a query, of a request without its `call`.
    ///
    /// # Errors
    ///
    /// `invalid-request`.
    pub fn search(&self, request: &str) -> Result<String, Misuse> {
        Ok(text(&self.0.search(&memory_json(request)?)))
    }

    /// Tasks like one.
    ///
    /// # Errors
    ///
    /// `invalid-request`, `no-such-task`.
    pub fn similar(&self, request: &str) -> Result<String, Misuse> {
        Ok(text(&self.0.similar(&memory_json(request)?)?))
    }
}

/// Lines, each an object, as one list.
fn list(lines: &[StoredLine]) -> String {
    let mut list =
        String::with_capacity(2 + lines.iter().map(|line| line.text().len() + 1).sum::<usize>());
    list.push('[');
    for (at, line) in lines.iter().enumerate() {
        list.push_str(if at == 0 { "" } else { "," });
        list.push_str(line.text());
    }
    list.push(']');
    list
}

fn text<T: serde::Serialize>(data: &T) -> String {
    serde_json::to_string(data).expect("plain data")
}
