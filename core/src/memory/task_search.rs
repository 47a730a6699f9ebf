//! Calls that look at all tasks: search, similar tasks, improvement.

use crate::model::reward::count;
use crate::sort::StableSort as _;
use serde_json::Value;

use super::cache::{Cache, Stop};
use super::index::MemoryIndex;
use super::records::bytes_at;
use super::records::{Document, Lines, Members as _, Notes};
use super::task::check_there;
use super::{
    AttemptOutcome, ImprovementAnswer, MemoryAnswer, MemoryDone, Record, SearchTasks, SimilarTasks,
    TrackImprovement, derive, names,
};
use crate::insight::retries::Retries;
use crate::model::natural::natural;

/// Ids of all tasks, in natural order.
pub(super) fn all_tasks(cache: &Cache) -> Result<Vec<String>, Stop> {
    cache.want_folder(names::TASKS);
    cache.settle()?;
    let mut ids: Vec<String> =
        cache.folder(names::TASKS)?.map(|n| n.folders.clone()).unwrap_or_default();
    // A folder whose name is refused as an id is not a task.
    ids.retain(|id| names::why_not(id).is_none());
    ids.stable_sort_by(|a, b| natural(a, b));
    Ok(ids)
}

/// `search_tasks`: by the words of every task, and of every iteration of a loop.
pub(super) fn search_tasks(request: &SearchTasks, cache: &Cache) -> Result<MemoryDone, Stop> {
    let (mut index, mut notes) = index(cache)?;
    cache.want_folder(names::LOOPS);
    cache.settle()?;
    let loops = cache.folder(names::LOOPS)?.into_iter().flat_map(|names| &names.folders);
    let folders: Vec<String> = loops.map(|id| names::loop_folder(id)).collect();
    for folder in &folders {
        cache.want_folder(folder);
    }
    cache.settle()?;
    let mut paths = Vec::new();
    for folder in &folders {
        let files = cache.folder(folder)?.into_iter().flat_map(|names| &names.files);
        paths.extend(files.map(|file| format!("{folder}/{file}")));
    }
    paths.retain(|path| names::iteration_of(path).is_some());
    for path in &paths {
        cache.want_file(path);
    }
    cache.settle()?;
    for path in &paths {
        if let Some(bytes) = bytes_at(cache, path, &mut notes) {
            index.put_iteration(path, bytes);
        }
    }
    let answer = MemoryAnswer::Found(index.search(request));
    Ok(MemoryDone { answer, findings: notes.0, writes: Vec::new() })
}

/// `search_similar`: by the words of one task.
pub(super) fn similar_tasks(request: &SimilarTasks, cache: &Cache) -> Result<MemoryDone, Stop> {
    names::check_name(names::Named::Task, &request.task)?;
    let (index, notes) = index(cache)?;
    let answer = MemoryAnswer::Found(index.similar(request)?);
    Ok(MemoryDone { answer, findings: notes.0, writes: Vec::new() })
}

fn index(cache: &Cache) -> Result<(MemoryIndex, Notes), Stop> {
    let ids = all_tasks(cache)?;
    let files =
        |id: &str| ["metadata.json", "reflections.jsonl"].map(|file| names::of_task(id, file));
    ids.iter().flat_map(|id| files(id)).for_each(|path| cache.want_file(&path));
    cache.settle()?;
    let mut notes = Notes::default();
    let mut index = MemoryIndex::new();
    for id in &ids {
        let [metadata, reflections] = files(id);
        let metadata = bytes_at(cache, &metadata, &mut notes);
        let reflections = bytes_at(cache, &reflections, &mut notes);
        index.put_noted(id, metadata, reflections, &mut notes);
    }
    Ok((index, notes))
}

/// Retries with and without reflections (`retry/improvement`), from the rows of the trajectories.
pub(super) fn track_improvement(
    request: &TrackImprovement,
    cache: &Cache,
) -> Result<MemoryDone, Stop> {
    let ids = if request.tasks.is_empty() { all_tasks(cache)? } else { request.tasks.clone() };
    ids.iter().try_for_each(|id| names::check_name(names::Named::Task, id))?;
    let files =
        |id: &str| ["trajectory.json", "reflections.jsonl"].map(|file| names::of_task(id, file));
    ids.iter().flat_map(|id| files(id)).for_each(|path| cache.want_file(&path));
    for id in &request.tasks {
        cache.want_folder(&names::task(id));
    }
    cache.settle()?;
    for id in &request.tasks {
        check_there(cache, id)?;
    }
    let mut notes = Notes::default();
    let (mut counts, mut open) = ([0_u32; 4], 0_u32);
    for id in &ids {
        let [trajectory, reflections] = files(id);
        let bytes = bytes_at(cache, &trajectory, &mut notes);
        let trajectory = Document::read(&trajectory, bytes, None, &mut notes).record;
        let bytes = bytes_at(cache, &reflections, &mut notes);
        let reflections = Lines::read(&reflections, bytes, None, &mut notes).records;
        open += count_task(&trajectory, &reflections, &mut counts);
    }
    let tasks = count(ids.len());
    let answer = ImprovementAnswer { retries: Retries::new(counts), tasks, open };
    let answer = MemoryAnswer::Improvement(answer);
    Ok(MemoryDone { answer, findings: notes.0, writes: Vec::new() })
}

/// Adds the retries of a task to `counts`: those with reflections, the successes among them, those
/// without reflections, the successes among them. Returns the number of attempts without an outcome.
fn count_task(trajectory: &Record, reflections: &[Record], counts: &mut [u32; 4]) -> u32 {
    let mut rows: Vec<&Record> = derive::rows(trajectory).collect();
    rows.stable_sort_by_key(|row| row.count_at("attempt_id"));
    let mut open = 0;
    for (position, row) in rows.into_iter().enumerate() {
        let Some(outcome) = row.text_at("outcome").and_then(AttemptOutcome::named) else {
            open += 1;
            continue;
        };
        if position == 0 {
            continue;
        }
        let number = row.count_at("attempt_id");
        let has_earlier = || {
            reflections.iter().any(|r| r.count_at("attempt_id").is_some_and(|n| Some(n) < number))
        };
        // Attempts that began here record what their plans took in. For others it is assumed that
        // reflections of earlier attempts were taken in.
        let has_learned = match row.get("learned_from") {
            Some(Value::Array(from)) => !from.is_empty(),
            _ => has_earlier(),
        };
        let side = if has_learned { 0 } else { 2 };
        let (all, good) = (side, side + 1);
        counts[all] += 1;
        counts[good] += u32::from(outcome == AttemptOutcome::Success);
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn retries_are_counted_by_what_their_plans_took_in() {
        let value = json!({"attempts": [
            {"attempt_id": 3, "outcome": "success", "learned_from": []},
            {"attempt_id": 1, "outcome": "success"},
            {"attempt_id": 2, "outcome": "failure", "learned_from": [1]},
            {"attempt_id": 4, "outcome": "success"},
            {"attempt_id": 5}]});
        let trajectory = value.as_object().expect("it is one");
        let reflection = json!({"attempt_id": 3}).as_object().cloned().expect("it is one");
        let mut counts = [0; 4];
        assert_eq!(count_task(trajectory, &[reflection], &mut counts), 1);
        assert_eq!(counts, [2, 1, 1, 1], "2 and 4 with, 3 without");
        assert_eq!(count_task(&Record::new(), &[], &mut counts), 0);
    }
}
