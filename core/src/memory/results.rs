//! Files that the iterations of an attempt have made: `results/iter-NNN`. They are the host's own: nothing here
//! depends on what they hold.

use super::cache::{Cache, Stop};
use super::records::bytes_at;
use super::records::{Document, Notes};
use super::task::{Attempt, attempts, check_there, no_such_attempt};
use super::{
    AddResult, FolderNames, IterationResults, MemoryAnswer, MemoryDone, MemoryWrite, ResultAnswer,
    ResultFile, clock, names,
};
use crate::error::{Error, ErrorCode};
use crate::json::write::{base64, from_base64};
use crate::model::finding::{Finding, Severity};

/// `add_result`. The new file is all that is written.
pub(super) fn add_result(request: &AddResult, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    clock::check("now", &request.now)?;
    let id = &request.task;
    names::check_name(names::Named::Task, id)?;
    names::check_name(names::Named::Result, &request.name)?;
    let invalid = |message: &str| Error::new(ErrorCode::InvalidRequest, message.to_owned());
    if !(1..=names::HIGHEST).contains(&request.iteration) {
        let message = format!("`iteration` must be from 1 to {}.", names::HIGHEST);
        return Err(invalid(&message).into());
    }
    let bytes = match (&request.text, &request.base64) {
        (Some(text), None) => text.clone().into_bytes(),
        (None, Some(text)) => {
            from_base64(text).ok_or_else(|| invalid("`base64` is not valid base64."))?
        }
        _ => return Err(invalid("A result needs either `text` or `base64`.").into()),
    };
    let folder = names::attempts(id);
    cache.want_folder(&names::task(id));
    cache.want_folder(&folder);
    cache.settle()?;
    check_there(cache, id)?;
    let all = attempts(cache, &folder)?;
    let chosen = match request.attempt {
        Some(number) => all.into_iter().find(|(n, _)| *n == number),
        None => all.into_iter().next_back(),
    };
    let (attempt, folder) = chosen.ok_or_else(|| no_such_attempt(id, request.attempt))?;
    let inner = names::of_attempt(id, &folder, "results");
    Attempt::want(cache, id, &folder);
    cache.want_folder(&inner);
    cache.settle()?;
    let ending = names::of_attempt(id, &folder, "outcome.json");
    if Document::read(&ending, cache.file(&ending)?, None, &mut notes).is_ending() {
        let message = format!("Attempt {attempt} of task {id} has ended. Start another one.");
        return Err(Error::new(ErrorCode::AttemptComplete, message).into());
    }
    let iterations = iterations(cache.folder(&inner)?);
    let there = iterations.into_iter().find(|(number, _)| *number == request.iteration);
    let name = there.map_or_else(|| format!("iter-{:03}", request.iteration), |(_, name)| name);
    let own = format!("{inner}/{name}");
    cache.want_folder(&own);
    cache.settle()?;
    let listed = cache.folder(&own)?;
    let path = format!("{own}/{}", request.name);
    if listed.into_iter().flat_map(FolderNames::all).any(|name| *name == request.name) {
        let message =
            format!("Iteration {} already has this result: {path} exists.", request.iteration);
        return Err(Error::new(ErrorCode::MemoryConflict, message).into());
    }
    names::check_new(names::Named::Result, &request.name, listed)?;
    let writes = vec![MemoryWrite::create(&path, bytes)];
    let answer = ResultAnswer { task: id.clone(), attempt, iteration: request.iteration, path };
    Ok(MemoryDone { answer: MemoryAnswer::Result(answer), findings: notes.0, writes })
}

/// Numbers and folders of iterations, in order. Of two folders of one number the first by name counts.
fn iterations(folder: Option<&FolderNames>) -> Vec<(u32, String)> {
    let folders = folder.into_iter().flat_map(|names| &names.folders);
    let mut all: Vec<_> =
        folders.filter_map(|name| Some((names::result_number(name)?, name.clone()))).collect();
    all.sort();
    all.dedup_by_key(|(number, _)| *number);
    all
}

/// Asks for the list of the iterations of an attempt.
pub(super) fn want(cache: &Cache, task: &str, folder: &str) {
    cache.want_folder(&names::of_attempt(task, folder, "results"));
}

/// Asks for their files, once that list is known; for what these hold, too, if `is_whole`.
pub(super) fn want_files<'a>(
    cache: &Cache,
    task: &str,
    folders: &(impl Iterator<Item = &'a String> + Clone),
    is_whole: bool,
) -> Result<(), Stop> {
    let all = || {
        let inner = folders.clone().map(|folder| names::of_attempt(task, folder, "results"));
        inner.flat_map(|inner| {
            let listed = iterations(cache.folder(&inner).ok().flatten());
            listed.into_iter().map(move |(_, name)| format!("{inner}/{name}"))
        })
    };
    all().for_each(|folder| cache.want_folder(&folder));
    cache.settle()?;
    if is_whole {
        for folder in all() {
            for name in cache.folder(&folder).ok().flatten().into_iter().flat_map(|n| &n.files) {
                cache.want_file(&format!("{folder}/{name}"));
            }
        }
        cache.settle()?;
    }
    Ok(())
}

/// The files of the iterations of an attempt, as far as they are known. What cannot be read is said.
pub(super) fn results(
    cache: &Cache,
    task: &str,
    folder: &str,
    is_whole: bool,
    notes: &mut Notes,
) -> Vec<IterationResults> {
    let inner = names::of_attempt(task, folder, "results");
    let listed = |path: &str, notes: &mut Notes| {
        let names = cache.folder(path);
        names.unwrap_or_else(|error| {
            notes.say(path, Finding::new("memory/unreadable", Severity::Error, error.to_string()));
            None
        })
    };
    let mut all = Vec::new();
    for (iteration, name) in iterations(listed(&inner, notes)) {
        let folder = format!("{inner}/{name}");
        let mut names = listed(&folder, notes).map(|names| names.files.clone()).unwrap_or_default();
        names.sort();
        let mut files = Vec::with_capacity(names.len());
        for name in names {
            let path = format!("{folder}/{name}");
            let bytes = if is_whole { bytes_at(cache, &path, notes) } else { None };
            let text = bytes.map(std::str::from_utf8);
            files.push(ResultFile {
                text: text.and_then(Result::ok).map(str::to_owned),
                base64: bytes.filter(|_| text.is_some_and(|text| text.is_err())).map(base64),
                name,
                path,
            });
        }
        all.push(IterationResults { iteration, files });
    }
    all
}
