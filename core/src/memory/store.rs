//! What a host reads and writes for a call.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use crate::error::{Error, ErrorCode};
use crate::labels::labels;

labels! {
    /// How a path is read.
    pub ReadKind {
        /// The whole file.
        File = "file",
        /// The last bytes of a file, and how many it has.
        Tail = "tail",
        /// The names in a folder.
        Folder = "folder",
    }

    /// How a file is written.
    pub WriteKind {
        /// A new file, all of it or nothing.
        Create = "create",
        /// The whole file, all of it or nothing: readers see the old bytes or the new ones.
        Replace = "replace",
        /// Behind what is there, which makes the file if there is none. A crash may leave a part.
        Append = "append",
    }
}

/// Something that a call must know. Paths are below the memory's root, `/` between folders; they
/// hold no `.` or `..`, and nothing that they lead to may be reached by way of a symbolic link.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemoryRead {
    /// How.
    pub kind: ReadKind,
    /// Which file or folder.
    pub path: String,
    /// Of a tail: how many bytes at most. A longer one may be asked for later.
    pub len_bytes: Option<u64>,
}

/// What a host found at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryFound {
    /// The bytes of a file.
    File(Vec<u8>),
    /// The last bytes of a file, and how many it has.
    Tail {
        /// The last ones.
        bytes: Vec<u8>,
        /// Length of the whole file.
        len_bytes: u64,
    },
    /// Names in a folder, in any order.
    Folder(FolderNames),
    /// Nothing is there.
    Absent,
    /// It could not be read, and why: no permission, a link that leads outside, a broken disk.
    Failed(String),
}

/// The names in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FolderNames {
    /// Names of files.
    pub files: Vec<String>,
    /// Names of folders.
    pub folders: Vec<String>,
    /// Names of what is neither, as a symbolic link: nothing of it is read, and no new file or folder
    /// can have its name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
}

impl FolderNames {
    /// Every name, whatever has it.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.files.iter().chain(&self.folders).chain(&self.others)
    }
}

/// Something to write. Folders on the way are made.
///
/// A host looks first whether the file has the length that `was` says; if not, somebody else wrote
/// it, nothing is written, and the host fails with [`ErrorCode::MemoryConflict`]. If that happens to
/// the first write of a call, nothing came of the call and it can be made again. If it happens later,
/// or if the host stops there, what was new is kept, and [`Doctor`](super::Doctor) makes the rest of
/// it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemoryWrite {
    /// How.
    pub kind: WriteKind,
    /// Which file.
    pub path: String,
    /// Bytes that the file has before; absent: there is no such file.
    pub was: Option<u64>,
    /// What to write: in JSON `text`, or `base64` where it is no UTF-8.
    #[serde(flatten, with = "content")]
    pub bytes: Vec<u8>,
}

impl MemoryWrite {
    /// The content of the file after this write, given what it holds now.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::MemoryConflict`] if its length is not [`MemoryWrite::was`], or if a file that should
    /// be created exists.
    ///
    /// # Example: two writers
    ///
    /// ```
    /// use hindscope::{ErrorCode, MemoryWrite, WriteKind};
    ///
    /// let kind = WriteKind::Append;
    /// let path = "tasks/task-001/reflections.jsonl".to_owned();
    /// let write = MemoryWrite { kind, path, was: Some(3), bytes: b"{}\n".to_vec() };
    /// assert_eq!(write.apply(Some(b"{}\n"))?, b"{}\n{}\n");
    /// let error = write.apply(Some(b"{}\n{}\n")).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::MemoryConflict);
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn apply(&self, now: Option<&[u8]>) -> Result<Vec<u8>, Error> {
        let len = now.map(|bytes| bytes.len() as u64);
        if len != self.was || (self.kind == WriteKind::Create && now.is_some()) {
            return Err(self.conflict(len));
        }
        Ok(match (self.kind, now) {
            (WriteKind::Append, Some(now)) => [now, &self.bytes].concat(),
            _ => self.bytes.clone(),
        })
    }

    /// The conflict of a file that has `len` bytes instead.
    pub fn conflict(&self, len: Option<u64>) -> Error {
        let said = |len: Option<u64>| match len {
            None => "absent".to_owned(),
            Some(1) => "1 byte long".to_owned(),
            Some(len) => format!("{len} bytes long"),
        };
        Error::new(
            ErrorCode::MemoryConflict,
            format!(
                "{} was {} when it was read, and is {} now: another program changed it.",
                self.path,
                said(self.was),
                said(len)
            ),
        )
    }

    pub(super) fn create(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { kind: WriteKind::Create, path: path.into(), was: None, bytes: text.into() }
    }

    pub(super) fn replace(
        path: impl Into<String>,
        was: Option<u64>,
        text: impl Into<Vec<u8>>,
    ) -> Self {
        Self { kind: WriteKind::Replace, path: path.into(), was, bytes: text.into() }
    }

    pub(super) fn append(
        path: impl Into<String>,
        was: Option<u64>,
        text: impl Into<Vec<u8>>,
    ) -> Self {
        Self { kind: WriteKind::Append, path: path.into(), was, bytes: text.into() }
    }
}

/// Bytes as text where they are one: hosts pass JSON.
mod content {
    use serde::de::Error as _;
    use serde::ser::SerializeMap as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::json::write::{base64, from_base64};

    #[derive(Deserialize)]
    struct Content {
        text: Option<String>,
        base64: Option<String>,
    }

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(1))?;
        match std::str::from_utf8(bytes) {
            Ok(text) => map.serialize_entry("text", text)?,
            Err(_) => map.serialize_entry("base64", &base64(bytes))?,
        }
        map.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let content = Content::deserialize(from)?;
        match (content.text, content.base64) {
            (Some(text), None) => Ok(text.into_bytes()),
            (None, Some(text)) => {
                from_base64(&text).ok_or_else(|| D::Error::custom("`base64` is not valid base64"))
            }
            _ => Err(D::Error::custom("expected either `text` or `base64`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_cross_as_text_or_base64() {
        for (bytes, member) in
            [(&b"{}\n"[..], r#""text":"{}\n""#), (b"\xff\0", r#""base64":"/wA=""#)]
        {
            let write = MemoryWrite::replace("a/b", Some(4), bytes);
            let json = serde_json::to_string(&write).expect("plain data");
            assert!(json.contains(member) && json.contains(r#""was":4"#), "{json}");
            assert_eq!(serde_json::from_str::<MemoryWrite>(&json).expect("it is one"), write);
        }
    }

    #[test]
    fn a_write_fits_what_was_read_or_nothing() {
        let create = MemoryWrite::create("a", "x");
        assert_eq!(create.apply(None).as_deref(), Ok(&b"x"[..]));
        assert_eq!(create.apply(Some(b"")).map_err(|e| e.code()), Err(ErrorCode::MemoryConflict));
        let replace = MemoryWrite::replace("a", Some(1), "xyz");
        assert_eq!(replace.apply(Some(b"q")).as_deref(), Ok(&b"xyz"[..]));
        let error = replace.apply(None).expect_err("it is gone");
        assert_eq!(
            error.to_string(),
            "a was 1 byte long when it was read, and is absent now: another program changed it."
        );
        let append = MemoryWrite::append("a", None, "x");
        assert_eq!(append.apply(None).as_deref(), Ok(&b"x"[..]));
        assert!(append.apply(Some(b"")).is_err());
    }
}
