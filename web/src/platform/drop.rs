//! Files that are dropped or picked, folders walked.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{
    DataTransfer, DragEvent, Event, EventTarget, File, FileSystemDirectoryEntry,
    FileSystemDirectoryReader, FileSystemEntry, FileSystemFileEntry, HtmlInputElement,
};

use super::dom::{listen, target_of};
use super::{FileHandle, now, pause};
use crate::browser::reason;
use crate::protocol::FileItem;

/// A folder with more files than this is cut off, and the page says so. An episodic memory of
/// 10,000 tasks, the size that it is measured with, has 240,002.
pub(crate) const MOST_FILES: u32 = 300_000;
/// Entries that are asked about at a time.
const ENTRIES: usize = 32;
/// Picked files that are looked at together, and how long that may keep the page from drawing.
const PICKED: u32 = 16;
const TURN_MS: f64 = 12.0;

#[wasm_bindgen]
extern "C" {
    // web-sys has it for no global that is there in windows and workers alike.
    #[wasm_bindgen(js_name = structuredClone, catch)]
    fn structured_clone(value: &JsValue) -> Result<JsValue, JsValue>;
}

/// What a drop, a picker, a paste or another page gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) items: Vec<FileItem>,
    /// More was there than can be listed.
    pub(crate) is_cut: bool,
}

impl Found {
    /// Files that came without folders.
    pub(super) fn of_files(files: Vec<File>) -> Self {
        let items = files.into_iter().map(|file| readable(file.name(), file)).collect();
        Self { items, is_cut: false }
    }
}

/// Calls while files are dragged over the window, and when they are dropped. Lasts as long as
/// the page.
///
/// The browser would open a dropped file in place of the page: that is always prevented, also for
/// drags without files.
pub(crate) fn on_drops(
    dragged: impl Fn(bool) + Clone + 'static,
    listing: impl Fn(usize) + Clone + 'static,
    found: impl Fn(Found) + Clone + 'static,
) {
    // A drag enters a child before it leaves its parent: it is gone when it leaves what it entered
    // last.
    let entered = Rc::new(RefCell::new(None::<EventTarget>));
    let (enter, enters) = (dragged.clone(), Rc::clone(&entered));
    listen("dragenter", move |event: &DragEvent| {
        *enters.borrow_mut() = event.target();
        if has_files(event) {
            event.prevent_default();
            enter(true);
        }
    });
    listen("dragover", |event: &DragEvent| {
        event.prevent_default();
        if let Some(transfer) = event.data_transfer() {
            transfer.set_drop_effect(if has_files(event) { "copy" } else { "none" });
        }
    });
    let leave = dragged.clone();
    listen("dragleave", move |event: &DragEvent| {
        let mut entered = entered.borrow_mut();
        if *entered == event.target() {
            *entered = None;
            leave(false);
        }
    });
    listen("drop", move |event: &DragEvent| {
        event.prevent_default();
        dragged(false);
        if let Some(transfer) = event.data_transfer().filter(|_| has_files(event)) {
            // All entries are taken now: after the first wait the transfer is empty.
            let entries = entries(&transfer);
            let (listing, found) = (listing.clone(), found.clone());
            spawn_local(async move {
                let mut walk = Walk { found: Found::default(), listing };
                for entry in entries {
                    walk.visit(entry).await;
                }
                found(walk.found);
            });
        }
    });
}

fn has_files(event: &DragEvent) -> bool {
    let types = event.data_transfer().map(|transfer| transfer.types());
    types.is_some_and(|types| types.includes(&"Files".into(), 0))
}

enum Dropped {
    /// An entry, and the file itself: Chromium hands out no file of an entry to a page that comes
    /// from a disk.
    Entry(FileSystemEntry, Option<File>),
    File(File),
}

fn entries(transfer: &DataTransfer) -> Vec<Dropped> {
    let items = transfer.items();
    let mut list = Vec::new();
    for at in 0..items.length() {
        let Some(item) = items.get(at).filter(|item| item.kind() == "file") else { continue };
        let file = item.get_as_file().ok().flatten();
        if let Ok(Some(entry)) = item.webkit_get_as_entry() {
            let file = file.filter(|_| entry.is_file());
            list.push(Dropped::Entry(entry, file));
        } else if let Some(file) = file {
            list.push(Dropped::File(file));
        }
    }
    list
}

struct Walk<L> {
    found: Found,
    listing: L,
}

impl<L: Fn(usize)> Walk<L> {
    async fn visit(&mut self, dropped: Dropped) {
        let (first, itself) = match dropped {
            Dropped::Entry(entry, file) => (entry, file),
            Dropped::File(file) => {
                let path = file.name();
                self.found.items.push(readable(path, file));
                return;
            }
        };
        // A list and not recursion: folders may be as deep as a disk allows. Their order is none
        // of ours: the worker sorts.
        let mut open = vec![first];
        let mut listed = 0;
        while !open.is_empty() {
            if self.found.items.len() >= MOST_FILES as usize {
                self.found.is_cut = true;
                return;
            }
            let batch = open.split_off(open.len().saturating_sub(ENTRIES));
            let batch: Vec<_> = batch
                .into_iter()
                .map(|entry| (entry.full_path().trim_start_matches('/').to_owned(), entry))
                .filter(|(path, _)| !is_clutter(path))
                .collect();
            let promises: Array = batch.iter().map(|(_, entry)| promise(entry)).collect();
            let Ok(settled) = JsFuture::from(Promise::all_settled(&promises)).await else { return };
            let settled: Array = settled.unchecked_into();
            for ((path, entry), settled) in batch.into_iter().zip(settled.iter()) {
                let member = |name: &str| js_sys::Reflect::get(&settled, &name.into());
                match member("value").ok().filter(|value| !value.is_undefined()) {
                    Some(inside) if entry.is_directory() => {
                        let inside: Array = inside.unchecked_into();
                        open.extend(inside.iter().map(FileSystemEntry::from));
                    }
                    Some(file) => self.found.items.push(readable(path, file.unchecked_into())),
                    // It is the only entry then.
                    None if let Some(file) = &itself => {
                        self.found.items.push(readable(path, file.clone()));
                    }
                    None => {
                        let error = member("reason").unwrap_or_default();
                        self.found.items.push(FileItem::unreadable(path, reason(&error)));
                    }
                }
            }
            if self.found.items.len() >= listed + 500 {
                listed = self.found.items.len();
                (self.listing)(listed);
            }
        }
    }
}

/// What stands behind an entry: the file, or the entries of the folder.
fn promise(entry: &FileSystemEntry) -> Promise {
    let entry = entry.clone();
    if entry.is_directory() {
        future_to_promise(async move { children(entry.unchecked_into()).await.map(JsValue::from) })
    } else {
        file(entry.unchecked_into())
    }
}

fn readable(path: String, file: File) -> FileItem {
    FileItem::readable(path, FileHandle::new(file))
}

/// Everything in a folder. Chromium hands out about a hundred entries at a time.
async fn children(folder: FileSystemDirectoryEntry) -> Result<Array, JsValue> {
    let reader = folder.create_reader();
    let all = Array::new();
    loop {
        let batch: Array = JsFuture::from(next_entries(&reader)).await?.unchecked_into();
        if batch.length() == 0 {
            return Ok(all);
        }
        for entry in batch.iter() {
            all.push(&entry);
        }
    }
}

fn next_entries(reader: &FileSystemDirectoryReader) -> Promise {
    Promise::new(&mut |resolve: Function, reject: Function| {
        let _ = reader.read_entries_with_callback_and_callback(&resolve, &reject);
    })
}

fn file(entry: FileSystemFileEntry) -> Promise {
    Promise::new(&mut |resolve: Function, reject: Function| {
        entry.file_with_callback_and_callback(&resolve, &reject);
    })
}

/// Finds the files of a picker, which knows the paths inside a chosen folder. Nothing is called
/// where nothing was chosen.
pub(crate) fn on_picked(
    event: &Event,
    listing: impl Fn(usize) + 'static,
    found: impl FnOnce(Found) + 'static,
) {
    let files = target_of::<HtmlInputElement>(event).and_then(|input| input.files());
    // A copy: the input is emptied next, so that the same files can be chosen again.
    let Some(files) = files.map(|files| Array::from(&files)).filter(|files| files.length() > 0)
    else {
        return;
    };
    spawn_local(async move {
        let mut items = Vec::new();
        let count = files.length();
        let is_cut = count > MOST_FILES;
        let mut begun = now();
        for from in (0..count.min(MOST_FILES)).step_by(PICKED as usize) {
            let batch = files.slice(from, from + PICKED);
            let clones = clones(&batch);
            for (file, clone) in batch.iter().zip(clones.iter()) {
                let (file, clone) = (File::unchecked_from_js(file), File::unchecked_from_js(clone));
                let path = path_of(&file);
                if !is_clutter(&path) {
                    items.push(readable(path, clone));
                }
            }
            // As many as ten thousand of them keep the disk busy for seconds.
            if now() - begun > TURN_MS {
                listing(items.len());
                pause().await;
                begun = now();
            }
        }
        found(Found { items, is_cut });
    });
}

/// Clones of picked files. A picked file asks the disk whenever its size is read or it is handed over;
/// a clone asks only once, when it is made.
fn clones(files: &Array) -> Array {
    structured_clone(files).map_or_else(|_| files.clone(), JsCast::unchecked_into)
}

/// The name of a picked file, with its folders where a folder was picked.
fn path_of(file: &File) -> String {
    let inside = js_sys::Reflect::get(file, &"webkitRelativePath".into());
    let inside = inside.ok().and_then(|path| path.as_string()).filter(|path| !path.is_empty());
    inside.unwrap_or_else(|| file.name())
}

/// What operating systems and hindscope itself leave in folders; archives leave the same out.
fn is_clutter(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.split('/').any(|part| matches!(part, "__MACOSX" | ".hindscope"))
        || name.starts_with("._")
        || matches!(name, ".DS_Store" | "Thumbs.db" | ".gitkeep")
}

#[cfg(test)]
mod tests {
    use super::is_clutter;

    #[test]
    fn leaves_out_what_systems_leave_behind() {
        assert!(is_clutter("a/.DS_Store"));
        assert!(is_clutter("__MACOSX/a/b.json"));
        assert!(is_clutter("a/._b.json"));
        assert!(is_clutter("a/.hindscope/lock"));
        assert!(!is_clutter(".aiwg/ralph/reflections/001.json"));
    }
}
