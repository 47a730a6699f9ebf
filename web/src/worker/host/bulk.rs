//! Many small files, asked of the browser in one go.
//!
//! A request for a file costs the browser the same for a hundred bytes as for a megabyte. Reading ten
//! thousand files one by one takes ten times as long as reading sixty-four of them per request.

use js_sys::{Array, Uint8Array};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Blob;

use crate::browser::FileHandle;

/// What became of a file: its bytes, or why there are none.
pub(crate) type Read = Result<Vec<u8>, String>;

/// Reads whole files together, and hands over what became of each, in their order.
pub(crate) fn read_together(files: Vec<FileHandle>, done: impl FnOnce(Vec<Read>) + 'static) {
    spawn_local(async move {
        let read = match together(&files).await {
            Some(read) => read,
            // One that cannot be read spoils them all: asked alone, each says what is wrong.
            None => files.iter().map(|file| file.read(0, file.size())).collect(),
        };
        done(read);
    });
}

async fn together(files: &[FileHandle]) -> Option<Vec<Read>> {
    let parts: Array = files.iter().map(FileHandle::as_js).collect();
    let blob = Blob::new_with_blob_sequence(&parts).ok()?;
    let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
    let bytes = Uint8Array::new(&buffer).to_vec();
    cut(&bytes, &files.iter().map(FileHandle::size).collect::<Vec<_>>())
}

/// The bytes of each file, if they are as many as all of them have.
fn cut(mut bytes: &[u8], sizes: &[u64]) -> Option<Vec<Read>> {
    let mut read = Vec::with_capacity(sizes.len());
    for size in sizes {
        let (own, rest) = bytes.split_at_checked(usize::try_from(*size).ok()?)?;
        read.push(Ok(own.to_vec()));
        bytes = rest;
    }
    bytes.is_empty().then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_cut_where_they_end() {
        let read = cut(b"abcde", &[2, 0, 3]).expect("five bytes");
        assert_eq!(read, [Ok(b"ab".to_vec()), Ok(Vec::new()), Ok(b"cde".to_vec())]);
        assert_eq!(cut(b"abc", &[2]), None, "one became longer");
        assert_eq!(cut(b"abc", &[2, 2]), None, "one became shorter");
    }
}
