//! What is wrong with a memory, and the writes that mend it.
//!
//! Everything is made again from the files that claim something: metadata, attempts, lines of actions
//! and reflections, outcomes. A file that follows from them and says something else is written again; a
//! file that cannot be read is kept aside whole, and what could be read of it stays. What others wrote
//! is changed only where it contradicts itself: members, rows and texts that say more are left alone.

mod attempts;
mod indexes;
mod tasks;

use super::cache::{Cache, Stop};
use super::records::{Lines, Notes};
use super::store::MemoryFound;
use super::{
    Doctor, HealthAnswer, MemoryAnswer, MemoryDone, MemoryWrite, clock, names, task_search,
};
use crate::model::finding::{Finding, Severity};
use crate::model::kept::kept_of;
use crate::model::natural::natural;
use crate::model::reward::count;
use crate::sort::StableSort as _;

/// Folders of no task that keep something aside.
const KEEPING: [&str; 2] = [names::INDEX, names::PATTERNS];

/// A memory while it is looked after.
struct Ward<'a> {
    cache: &'a Cache,
    now: &'a str,
    notes: Notes,
    writes: Vec<MemoryWrite>,
    health: HealthAnswer,
}

/// `doctor`. Everything that is needed is asked for in a few rounds, whatever the number of tasks.
pub(super) fn doctor(request: &Doctor, cache: &Cache) -> Result<MemoryDone, Stop> {
    clock::check("now", &request.now)?;
    let all = task_search::all_tasks(cache)?;
    for id in &request.tasks {
        names::check_name(names::Named::Task, id)?;
        if !all.contains(id) {
            return Err(super::task::no_such_task(id).into());
        }
    }
    let is_whole = request.tasks.is_empty();
    let ids = if is_whole { &all } else { &request.tasks };
    let mut ward = Ward {
        cache,
        now: &request.now,
        notes: Notes::default(),
        writes: Vec::new(),
        health: HealthAnswer::default(),
    };
    if is_whole || request.index_only {
        super::task::want_indexes(cache);
        for folder in KEEPING {
            cache.want_folder(folder);
        }
    }
    if request.index_only {
        indexes::want(cache, &all)?;
    } else {
        tasks::want(cache, ids)?;
    }
    if is_whole || request.index_only {
        ward.in_the_way(names::TASKS, "task", false, names::task_number);
        loops(&mut ward)?;
        for folder in KEEPING {
            ward.list_aside(folder);
        }
    }
    let listed: Vec<_> = if request.index_only {
        all.iter().map(|id| indexes::as_stored(&mut ward, id)).collect()
    } else {
        ids.iter().map(|id| ward.task(id)).collect::<Result<_, _>>()?
    };
    if is_whole || request.index_only {
        indexes::mend(&mut ward, &listed)?;
    }
    // What was kept aside before has to be known, so that nothing is kept twice.
    cache.settle()?;
    let mut health = ward.health;
    let is_fault = |finding: &Finding| finding.severity != Severity::Info;
    health.is_sound = !ward.notes.0.iter().any(|note| is_fault(&note.finding));
    health.tasks = count(listed.len());
    health.kept_aside.stable_sort_by(|a, b| natural(a, b));
    health.kept_aside.dedup();
    let answer = MemoryAnswer::Health(health);
    Ok(MemoryDone { answer, findings: ward.notes.0, writes: ward.writes })
}

impl Ward<'_> {
    /// Says and passes over what the host could not read.
    fn is_unreadable(&mut self, paths: &[String]) -> bool {
        let mut is_any = false;
        for path in paths {
            if let MemoryFound::Failed(why) = self.cache.at(path) {
                let message = format!("The file or folder cannot be read: {why}.");
                let finding = Finding::new("memory/unreadable", Severity::Error, message);
                self.notes.say(path, finding.hint("Its content was neither checked nor changed."));
                is_any = true;
            }
        }
        is_any
    }

    /// Names what stands where a task, an attempt or an iteration would: nothing is read of it.
    fn in_the_way(
        &mut self,
        folder: &str,
        what: &str,
        is_file: bool,
        number: fn(&str) -> Option<u32>,
    ) {
        let MemoryFound::Folder(names) = self.cache.at(folder) else { return };
        let kind = if is_file { "file" } else { "folder" };
        let article = if what == "task" { "a" } else { "an" };
        let wrong = if is_file { &names.folders } else { &names.files };
        for name in wrong.iter().chain(&names.others).filter(|name| number(name).is_some()) {
            let message = format!(
                "This name is for the {kind} of {article} {what}, but it is not a {kind}, or only a link to one. It is skipped, and its number is not given to a new {what}. Rename it or move it away."
            );
            self.notes.warn(&format!("{folder}/{name}"), "memory/name-taken", message);
        }
    }

    /// Lists what a folder keeps aside.
    fn list_aside(&mut self, folder: &str) {
        let MemoryFound::Folder(names) = self.cache.at(folder) else { return };
        let aside = names.files.iter().filter(|name| kept_of(name).is_some());
        self.health.kept_aside.extend(aside.map(|name| format!("{folder}/{name}")));
    }

    /// Keeps `what` of a file beside it, unless it is kept there already.
    fn keep_aside(&mut self, path: &str, what: &str, bytes: &[u8]) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.cache.want_folder(folder);
        let beside = self.cache.folder(folder).ok().flatten();
        let files = beside.into_iter().flat_map(|names| &names.files);
        for file in files.filter(|file| kept_of(file).is_some_and(|(of, _)| of == name)) {
            let kept = format!("{folder}/{file}");
            self.cache.want_file(&kept);
            if matches!(self.cache.at(&kept), MemoryFound::File(same) if same == bytes) {
                return;
            }
        }
        let to = format!("{folder}/{}", names::next_aside(beside, name));
        let message = format!("The repair copies {what} to {to}.");
        self.notes.inform(path, "memory/kept-aside", message);
        self.health.kept_aside.push(to.clone());
        self.writes.push(MemoryWrite::create(to, bytes));
    }

    /// Keeps lines that cannot be used aside, ends the last line with a line break, and appends `more`.
    fn mend_lines(&mut self, lines: &Lines, more: &str) {
        let bytes = self.cache.file(&lines.path).ok().flatten().unwrap_or_default();
        if lines.bad.is_empty() {
            let text = format!("{}{more}", lines.lead());
            if !text.is_empty() {
                self.writes.push(MemoryWrite::append(&lines.path, lines.was, text));
            }
            return;
        }
        let pick = |ranges: &[std::ops::Range<usize>]| {
            let mut picked = Vec::new();
            for range in ranges {
                let line = bytes.get(range.clone()).unwrap_or_default();
                picked.extend_from_slice(line);
                if !line.ends_with(b"\n") {
                    picked.push(b'\n');
                }
            }
            picked
        };
        let (bad, mut good) = (pick(&lines.bad), pick(&lines.good));
        good.extend_from_slice(more.as_bytes());
        let what = if lines.bad.len() == 1 { "the damaged line" } else { "the damaged lines" };
        self.keep_aside(&lines.path, what, &bad);
        self.writes.push(MemoryWrite::replace(&lines.path, lines.was, good));
    }
}

/// Iterations of loops: each is one file, written at once, so there is nothing to make again.
fn loops(ward: &mut Ward<'_>) -> Result<(), Stop> {
    let cache = ward.cache;
    cache.want_folder(names::LOOPS);
    cache.settle()?;
    let listed = cache.folder(names::LOOPS).ok().flatten();
    let mut folders = listed.map(|names| names.folders.clone()).unwrap_or_default();
    folders.retain(|id| names::why_not(id).is_none());
    folders.sort();
    let folders: Vec<String> = folders.iter().map(|id| names::loop_folder(id)).collect();
    for folder in &folders {
        cache.want_folder(folder);
    }
    cache.settle()?;
    let mut files = Vec::new();
    for folder in &folders {
        let MemoryFound::Folder(names) = cache.at(folder) else { continue };
        let iterations = names.files.iter().filter(|n| names::iteration_number(n).is_some());
        files.extend(iterations.map(|name| format!("{folder}/{name}")));
    }
    files.sort();
    for path in &files {
        cache.want_file(path);
    }
    cache.settle()?;
    let mut paths = vec![names::LOOPS.to_owned()];
    paths.extend(folders);
    paths.extend(files.iter().cloned());
    for folder in &paths {
        ward.in_the_way(folder, "iteration", true, names::iteration_number);
    }
    ward.is_unreadable(&paths);
    for path in &files {
        let MemoryFound::File(bytes) = cache.at(path) else { continue };
        if super::yaml::read(bytes).is_none() {
            let message = "The file is not a YAML mapping, so no iteration can be read from it.";
            let finding = Finding::new("memory/bad-file", Severity::Error, message);
            ward.notes.say(path, finding.hint("Correct the file, or move it out of the folder."));
        }
    }
    Ok(())
}
