//! The files that are read now and were read last, for the page to show.

use std::collections::VecDeque;

use hindscope::{SourceId, SourceState};

use super::session::Session;
use crate::protocol::{FileProgress, FileState, float};

/// Files that the page hears of; of the others it knows the number.
const MOST: usize = 8;

/// The last few files, in the order of reading.
#[derive(Default)]
pub(super) struct RecentFiles(VecDeque<Watched>);

struct Watched {
    path: String,
    size: u64,
    read: u64,
    is_done: bool,
    content: Content,
}

#[derive(Clone, Copy)]
enum Content {
    Unknown,
    Source(SourceId),
    Archive { entries: u32 },
}

impl RecentFiles {
    pub(super) fn begin(&mut self, path: &str, size: u64) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        let content = Content::Unknown;
        self.0.push_back(Watched { path: path.to_owned(), size, read: 0, is_done: false, content });
    }

    /// The file that was begun last is this source.
    pub(super) fn is_source(&mut self, source: SourceId) {
        self.last(|file| file.content = Content::Source(source));
    }

    /// The file that was begun last is an archive with so many entries so far.
    pub(super) fn is_archive(&mut self, entries: u32) {
        self.last(|file| file.content = Content::Archive { entries });
    }

    pub(super) fn read(&mut self, bytes: u64) {
        self.last(|file| file.read = bytes);
    }

    pub(super) fn done(&mut self) {
        self.last(|file| {
            file.read = file.size;
            file.is_done = true;
        });
    }

    fn last(&mut self, change: impl FnOnce(&mut Watched)) {
        if let Some(file) = self.0.back_mut() {
            change(file);
        }
    }

    pub(super) fn progress(&self, session: &Session) -> Vec<FileProgress> {
        self.0.iter().map(|file| file.progress(session)).collect()
    }
}

impl Watched {
    fn progress(&self, session: &Session) -> FileProgress {
        let state = if self.is_done { FileState::Ready } else { FileState::Reading };
        let mut progress = FileProgress {
            path: self.path.clone(),
            bytes_read: float(self.read),
            bytes_total: float(self.size),
            state,
            records: 0,
            members: None,
            format: None,
            reason: None,
        };
        match self.content {
            Content::Unknown => {}
            Content::Archive { entries } => progress.members = Some(entries),
            Content::Source(source) => {
                let Ok(view) = session.history.source(source) else { return progress };
                progress.records = view.kept;
                progress.reason = view.reason;
                progress.format = view.format.map(|format| {
                    let info = hindscope::formats().iter().find(|info| info.id == format);
                    info.map_or(format, |info| info.title.to_owned())
                });
                progress.state = match view.state {
                    SourceState::Reading => state,
                    SourceState::Read => FileState::Ready,
                    SourceState::Raw => FileState::Raw,
                    SourceState::Refused => FileState::Refused,
                };
            }
        }
        progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindscope::Profile;

    #[test]
    fn the_last_files_are_listed_with_what_became_of_them() {
        let mut session = Session::new(Profile::Lenient);
        let mut watch = RecentFiles::default();
        for n in 0..MOST {
            watch.begin(&format!("{n}.txt"), 5);
            watch.done();
        }
        watch.begin("notes.md", 8);
        let source = session.open("notes.md", None);
        watch.is_source(source);
        watch.read(4);
        let files = watch.progress(&session);
        assert_eq!(files.len(), MOST);
        assert_eq!(files[0].path, "1.txt");
        assert_eq!((files[7].state, files[7].bytes_read), (FileState::Reading, 4.0));
        session.push(source, b"# Notes\n");
        session.finish(source);
        watch.done();
        let files = watch.progress(&session);
        assert_eq!(files[7].state, FileState::Raw);
        assert!(files[7].reason.is_some(), "raw needs a reason");
    }
}
