//! The interface `memories`.

use std::cell::RefCell;

use hindscope::{MemoryRequest, memory_json};

use crate::Component;
use crate::cross::{Cross, given, json, labels, rows};
use crate::misuse;
use crate::wit::memories::{
    self, FileTail, FolderNames, Guest, GuestMemoryCall, GuestMemoryIndex, MemoryDone,
    MemoryFinding, MemoryFound, MemoryRead, MemoryWrite, ReadKind, WriteKind,
};
use crate::wit::types::Error;

labels!(hindscope::ReadKind => ReadKind { File, Tail, Folder });
labels!(hindscope::WriteKind => WriteKind { Create, Replace, Append });

rows! {
    MemoryFinding { path, finding }
    MemoryRead { kind, path, len_bytes }
    MemoryWrite { kind, path, was, bytes }
}

given! { FolderNames { files, folders, others } }

impl Cross<hindscope::MemoryFound> for MemoryFound {
    fn cross(self) -> hindscope::MemoryFound {
        match self {
            Self::File(bytes) => hindscope::MemoryFound::File(bytes),
            Self::Tail(FileTail { bytes, len_bytes }) => {
                hindscope::MemoryFound::Tail { bytes, len_bytes }
            }
            Self::Folder(names) => hindscope::MemoryFound::Folder(names.cross()),
            Self::Absent => hindscope::MemoryFound::Absent,
            Self::Failed(why) => hindscope::MemoryFound::Failed(why),
        }
    }
}

impl Guest for Component {
    type MemoryCall = MemoryCall;
    type MemoryIndex = MemoryIndex;

    fn is_task_id(id: String) -> bool {
        hindscope::MemoryIndex::is_task_id(&id)
    }
}

/// A call in a cell: resources are called by shared reference.
pub(crate) struct MemoryCall(RefCell<hindscope::MemoryCall>);

impl GuestMemoryCall for MemoryCall {
    fn start(request: String) -> Result<memories::MemoryCall, Error> {
        let call = MemoryRequest::from_json(&request).and_then(hindscope::MemoryCall::new);
        call.map(|call| memories::MemoryCall::new(Self(RefCell::new(call))))
            .map_err(misuse::plain())
    }

    fn needs(&self) -> Vec<MemoryRead> {
        self.0.borrow().needs().cross()
    }

    fn supply(&self, path: String, found: MemoryFound) -> Result<(), Error> {
        self.0.borrow_mut().supply(&path, found.cross()).map_err(misuse::plain())
    }

    fn finish(call: memories::MemoryCall) -> Result<MemoryDone, Error> {
        let call = call.into_inner::<Self>().0.into_inner();
        let hindscope::MemoryDone { answer, findings, writes } =
            call.finish().map_err(misuse::plain())?;
        Ok(MemoryDone { answer: json(&answer), findings: findings.cross(), writes: writes.cross() })
    }
}

/// The words of all tasks, in a cell.
pub(crate) struct MemoryIndex(RefCell<hindscope::MemoryIndex>);

impl GuestMemoryIndex for MemoryIndex {
    fn new() -> Self {
        Self(RefCell::default())
    }

    fn put(&self, task: String, metadata: Option<Vec<u8>>, reflections: Option<Vec<u8>>) {
        self.0.borrow_mut().put(&task, metadata.as_deref(), reflections.as_deref());
    }

    fn remove(&self, task: String) {
        self.0.borrow_mut().remove(&task);
    }

    fn put_iteration(&self, path: String, bytes: Vec<u8>) {
        self.0.borrow_mut().put_iteration(&path, &bytes);
    }

    fn remove_iteration(&self, path: String) {
        self.0.borrow_mut().remove_iteration(&path);
    }

    fn search(&self, request: String) -> Result<String, Error> {
        let request = memory_json(&request).map_err(misuse::plain())?;
        Ok(json(&self.0.borrow().search(&request)))
    }

    fn similar(&self, request: String) -> Result<String, Error> {
        let request = memory_json(&request).map_err(misuse::plain())?;
        self.0.borrow().similar(&request).map(|found| json(&found)).map_err(misuse::plain())
    }
}
