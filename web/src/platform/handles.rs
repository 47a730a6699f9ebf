//! Files and folders that can be read again later, where the browser hands out handles of them (Chrome and Edge).

use js_sys::{Array, AsyncIterator, IteratorNext, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, DataTransferItem, File, FileSystemDirectoryHandle, FileSystemFileHandle,
    FileSystemHandle, FileSystemHandleKind, window,
};

use super::FileHandle;
use crate::protocol::FileItem;

/// Files up to this size are copied when they are read again: the browser refuses to read a file that has changed
/// since, and one that grows has always changed.
const COPIED: f64 = 16e6;

// web-sys keeps these behind a flag.
#[wasm_bindgen]
extern "C" {
    type ItemOfDrop;
    #[wasm_bindgen(method, js_name = getAsFileSystemHandle, catch)]
    fn handle(this: &ItemOfDrop) -> Result<Promise, JsValue>;

    type Pickers;
    #[wasm_bindgen(method, js_name = showOpenFilePicker, catch)]
    fn pick_files(this: &Pickers, options: &JsValue) -> Result<Promise, JsValue>;

    type Guarded;
    #[wasm_bindgen(method, js_name = requestPermission, catch)]
    fn request(this: &Guarded, what: &JsValue) -> Result<Promise, JsValue>;
}

/// A file or folder that was dropped or picked. Cloning it copies the handle.
#[derive(Clone, Debug)]
pub(crate) struct Root(FileSystemHandle);

impl Root {
    pub(super) fn new(handle: JsValue) -> Self {
        Self(handle.unchecked_into())
    }

    pub(super) fn as_js(&self) -> &JsValue {
        self.0.as_ref()
    }

    pub(crate) fn name(&self) -> String {
        self.0.name()
    }

    pub(crate) fn is_folder(&self) -> bool {
        self.0.kind() == FileSystemHandleKind::Directory
    }

    /// Whether the browser made it, which then can keep it. A server of the page (`served`) makes its own.
    pub(crate) fn is_of_browser(&self) -> bool {
        self.as_js().has_type::<FileSystemHandle>()
    }

    /// The handle of what was dropped. To be called before the first wait: after it the transfer is empty.
    pub(super) fn of_drop(item: &DataTransferItem) -> Option<Promise> {
        item.unchecked_ref::<ItemOfDrop>().handle().ok()
    }

    /// What a folder holds, or the file.
    pub(super) fn content(&self) -> Promise {
        if self.is_folder() {
            let folder = self.0.clone().unchecked_into();
            return wasm_bindgen_futures::future_to_promise(async move {
                members(&folder).await.map(JsValue::from)
            });
        }
        self.0.unchecked_ref::<FileSystemFileHandle>().get_file().unchecked_into()
    }

    /// Whether it may be read; asks the person where the browser wants that.
    async fn is_allowed(&self) -> bool {
        let mode = option("mode", &"read".into());
        let Ok(asked) = self.as_js().unchecked_ref::<Guarded>().request(&mode) else {
            return false;
        };
        JsFuture::from(asked).await.is_ok_and(|answer| answer == "granted")
    }
}

/// The first of them that may not be read, after the person was asked.
pub(crate) async fn refused(roots: &[Root]) -> Option<String> {
    for root in roots {
        if !root.is_allowed().await {
            return Some(root.name());
        }
    }
    None
}

async fn members(folder: &FileSystemDirectoryHandle) -> Result<Array, JsValue> {
    let (all, values): (Array, AsyncIterator) = (Array::new(), folder.values());
    loop {
        let next: IteratorNext = JsFuture::from(values.next()?).await?.unchecked_into();
        if next.done() {
            return Ok(all);
        }
        all.push(&next.value());
    }
}

fn option(name: &str, value: &JsValue) -> JsValue {
    let options = Object::new();
    let _ = Reflect::set(&options, &name.into(), value);
    options.into()
}

/// Whether the browser hands out handles at all.
pub(crate) fn has_handles() -> bool {
    window()
        .is_some_and(|window| Reflect::has(&window, &"FileSystemHandle".into()).unwrap_or(false))
}

/// Whether the browser hands out a handle of a file with this name. It keeps back what not every system can store.
pub(super) fn has_handle(path: &str) -> bool {
    path.split('/').all(|name| {
        let is_odd = |c: char| c.is_control() || "<>:\"|?*\\".contains(c);
        !name.contains(is_odd) && !name.ends_with(['.', ' '])
    })
}

/// Whether the page itself was opened from a disk.
pub(super) fn is_from_disk() -> bool {
    let protocol = window().and_then(|window| window.location().protocol().ok());
    protocol.as_deref() == Some("file:")
}

/// Whether handles may be kept: all pages from a disk would share them.
pub(crate) fn may_keep_files() -> bool {
    has_handles() && !is_from_disk()
}

/// Opens the browser's own dialog for files; none where it has none that gives handles.
pub(super) fn picked() -> Option<Promise> {
    // In a frame of another page there is none.
    let window = window().filter(|own| own.parent().ok().flatten().as_ref() == Some(own))?;
    let pickers: &Pickers = window.unchecked_ref();
    let many = option("multiple", &true.into());
    pickers.pick_files(&many).ok()
}

/// A copy of a file as it is now, if it is small; none if it changed while it was copied.
pub(crate) async fn copied(item: &FileItem) -> Option<FileItem> {
    let Some(handle) = item.handle.as_ref().filter(|_| item.size <= COPIED) else {
        return Some(item.clone());
    };
    let blob: &Blob = handle.as_js().unchecked_ref();
    let bytes = JsFuture::from(blob.array_buffer()).await.ok()?;
    let copy = File::new_with_buffer_source_sequence(&Array::of1(&bytes), &handle.name()).ok()?;
    let handle = Some(FileHandle::new(copy));
    Some(FileItem { handle, ..item.clone() })
}
