//! Files that are dropped or picked, folders walked.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{
    DataTransfer, DomException, DragEvent, Event, EventTarget, File, FileSystemDirectoryEntry,
    FileSystemDirectoryReader, FileSystemEntry, FileSystemFileEntry, HtmlInputElement, MouseEvent,
};

use super::dom::{listen, target_of};
use super::handles::{Root, has_handle, is_from_disk, picked};
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
    /// The files and folders that all of it is in, to be read again; empty where that is not possible.
    pub(crate) roots: Rc<[Root]>,
}

impl Found {
    /// Files that came without folders.
    pub(super) fn of_files(files: Vec<File>) -> Self {
        let items = files.into_iter().map(|file| readable(file.name(), file)).collect();
        Self { items, ..Self::default() }
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
            // All of it is taken now: after the first wait the transfer is empty.
            let dropped = dropped(&transfer);
            let (listing, found) = (listing.clone(), found.clone());
            spawn_local(async move {
                let mut walk = Walk { found: Found::default(), listing, is_again: false };
                let mut roots = Vec::new();
                for dropped in &dropped {
                    let root = dropped.root().await;
                    match root.as_ref().filter(|_| is_from_disk()) {
                        // To a page that comes from a disk, Chromium hands out no file of an entry.
                        Some(root) => walk.take_from_disk(root, dropped).await,
                        // Entries come first: handles do not show files with a name like `a:b.json`.
                        None => walk.take(dropped).await,
                    }
                    roots.extend(root);
                }
                // Only what can be read again as a whole is.
                let is_whole = walk.found.items.iter().all(|item| has_handle(&item.path));
                if is_whole && roots.len() == dropped.len() {
                    walk.found.roots = roots.into();
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

/// What the browser says of one file or folder.
struct Dropped {
    handle: Option<Promise>,
    entry: Option<FileSystemEntry>,
    /// The file itself: Chromium hands out no file of an entry to a page that comes from a disk.
    file: Option<File>,
}

impl Dropped {
    /// Its handle. The browser keeps those of some folders to itself, such as the home of the person.
    async fn root(&self) -> Option<Root> {
        let handle = JsFuture::from(self.handle.clone()?).await.ok()?;
        handle.is_object().then(|| Root::new(handle))
    }
}

fn dropped(transfer: &DataTransfer) -> Vec<Dropped> {
    let items = transfer.items();
    let items = (0..items.length()).filter_map(|at| items.get(at));
    let items = items.filter(|item| item.kind() == "file").map(|item| Dropped {
        handle: Root::of_drop(&item),
        entry: item.webkit_get_as_entry().ok().flatten(),
        file: item.get_as_file().ok().flatten(),
    });
    items.collect()
}

/// Finds the files of handles once more. What cannot be read is found with the reason.
pub(crate) async fn found_again(roots: Rc<[Root]>, listing: impl Fn(usize)) -> Found {
    let mut walk = Walk { found: Found::default(), listing, is_again: true };
    for root in &*roots {
        walk.visit(root.name(), Node::Handle(root.clone()), None).await;
    }
    walk.found.roots = roots;
    walk.found
}

/// A file or folder, as the browser hands it out.
enum Node {
    Entry(FileSystemEntry),
    Handle(Root),
}

impl Node {
    fn is_folder(&self) -> bool {
        match self {
            Self::Entry(entry) => entry.is_directory(),
            Self::Handle(handle) => handle.is_folder(),
        }
    }

    /// The same in a folder of this one, with its name.
    fn inside(&self, value: JsValue) -> (String, Self) {
        match self {
            Self::Entry(_) => {
                let entry = FileSystemEntry::from(value);
                (entry.name(), Self::Entry(entry))
            }
            Self::Handle(_) => {
                let handle = Root::new(value);
                (handle.name(), Self::Handle(handle))
            }
        }
    }

    /// The file, or what is in the folder.
    fn content(&self) -> Promise {
        match self {
            Self::Handle(handle) => handle.content(),
            Self::Entry(entry) if entry.is_directory() => {
                let folder = entry.clone().unchecked_into();
                future_to_promise(async move { children(folder).await.map(JsValue::from) })
            }
            Self::Entry(entry) => file(entry.clone().unchecked_into()),
        }
    }
}

struct Walk<L> {
    found: Found,
    listing: L,
    /// Whether the same was found before.
    is_again: bool,
}

impl<L: Fn(usize)> Walk<L> {
    /// What the browser hands out without a handle.
    async fn take(&mut self, dropped: &Dropped) {
        let file = dropped.file.clone();
        match &dropped.entry {
            Some(entry) => {
                let file = file.filter(|_| entry.is_file());
                self.visit(entry.name(), Node::Entry(entry.clone()), file).await;
            }
            None => self.found.items.extend(file.map(|file| readable(file.name(), file))),
        }
    }

    /// Handles, and of the entries what handles do not show: that is listed as unreadable.
    async fn take_from_disk(&mut self, root: &Root, dropped: &Dropped) {
        let before = self.found.items.len();
        self.visit(root.name(), Node::Handle(root.clone()), None).await;
        if !root.is_folder() {
            return;
        }
        let end = self.found.items.len();
        self.take(dropped).await;
        let entries = self.found.items.split_off(end);
        let shown: BTreeSet<_> =
            self.found.items[before..].iter().map(|item| item.path.clone()).collect();
        self.found.items.extend(entries.into_iter().filter(|item| !shown.contains(&item.path)));
    }

    async fn visit(&mut self, name: String, first: Node, itself: Option<File>) {
        // A list and not recursion: folders may be as deep as a disk allows. Their order is none
        // of ours: the worker sorts.
        let mut open = vec![(name.clone(), first)];
        let mut listed = 0;
        while !open.is_empty() {
            if self.found.items.len() >= MOST_FILES as usize {
                self.found.is_cut = true;
                return;
            }
            let mut batch = open.split_off(open.len().saturating_sub(ENTRIES));
            batch.retain(|(path, _)| !is_clutter(path));
            let promises: Array = batch.iter().map(|(_, node)| node.content()).collect();
            let Ok(settled) = JsFuture::from(Promise::all_settled(&promises)).await else { return };
            let settled: Array = settled.unchecked_into();
            for ((path, node), settled) in batch.into_iter().zip(settled.iter()) {
                let member = |name: &str| js_sys::Reflect::get(&settled, &name.into());
                match member("value").ok().filter(|value| !value.is_undefined()) {
                    Some(inside) if node.is_folder() => {
                        let inside: Array = inside.unchecked_into();
                        open.extend(inside.iter().map(|value| {
                            let (name, node) = node.inside(value);
                            (format!("{path}/{name}"), node)
                        }));
                    }
                    Some(file) => self.found.items.push(readable(path, file.unchecked_into())),
                    // It is the only entry then.
                    None if let Some(file) = &itself => {
                        self.found.items.push(readable(path, file.clone()));
                    }
                    None => {
                        let error = member("reason").unwrap_or_default();
                        // What a program makes for a moment may be gone before it is looked at.
                        let is_gone =
                            self.is_again && path != name && is_named(&error, "NotFoundError");
                        if !is_gone {
                            self.found.items.push(FileItem::unreadable(path, reason(&error)));
                        }
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

fn is_named(error: &JsValue, name: &str) -> bool {
    error.dyn_ref::<DomException>().is_some_and(|error| error.name() == name)
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
        found(Found { items, is_cut, ..Found::default() });
    });
}

thread_local! {
    /// The browser has the dialog and does not let this page open it.
    static IS_REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Lets the person choose files in a dialog of the browser that gives handles. False: there is none, and the field
/// has its own, as it has for folders, in which handles do not show all files. Nothing is called where nothing was
/// chosen.
pub(crate) fn pick(
    event: &MouseEvent,
    listing: impl Fn(usize) + 'static,
    found: impl FnOnce(Found) + 'static,
) -> bool {
    if IS_REFUSED.get() {
        return false;
    }
    let Some(picked) = picked() else { return false };
    let field = target_of::<HtmlInputElement>(event);
    spawn_local(async move {
        let chosen = match JsFuture::from(picked).await {
            Ok(chosen) => chosen,
            Err(error) if is_named(&error, "AbortError") => return,
            Err(_) => {
                IS_REFUSED.set(true);
                return field.iter().for_each(|field| field.click());
            }
        };
        let chosen: Array = chosen.unchecked_into();
        found(found_again(chosen.iter().map(Root::new).collect(), listing).await);
    });
    true
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
