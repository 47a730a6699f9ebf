//! Files and folders as a host opens them: names relative to the folder that holds what was
//! dropped, in natural order, in slices. `files.mjs` of the npm package does the same.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hindscope::{History, LoadedRun, Profile, RecordId, RunId, natural};

/// A file to open.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name, folders included.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Input {
    /// A file of this name, with these bytes or this text.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// A file or folder under `tests/fixtures/<producer>/<version>/`.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// `<producer>/<version>/<name>`.
    pub name: String,
    /// What it holds.
    pub files: Vec<Input>,
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the workspace").to_owned()
}

/// A file or folder of the real histories, which lie beside the clone; says that tests skip it where it
/// is not there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = env::var_os("HINDSCOPE_SHARED");
    let folder = folder.map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let path = folder.join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: there is no {}", path.display());
    None
}

/// All fixtures, by name.
///
/// # Errors
///
/// Fails if one cannot be read.
pub fn fixtures() -> io::Result<Vec<Fixture>> {
    let mut fixtures = Vec::new();
    let root = root().join("tests/fixtures");
    for producer in folders(&root)? {
        for version in folders(&producer)? {
            for path in children(&version)? {
                if path.file_name().is_some_and(|name| name == "NOTICE") {
                    continue;
                }
                let name = path.strip_prefix(&root).unwrap_or(&path);
                let name = name.to_string_lossy().replace('\\', "/");
                fixtures.push(Fixture { name, files: read(&path)? });
            }
        }
    }
    fixtures.sort_by(|a, b| natural(&a.name, &b.name));
    Ok(fixtures)
}

/// A file, or a folder with everything below it.
///
/// # Errors
///
/// Fails if something cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<Input>> {
    // `.` has no name of its own.
    let path = path.canonicalize()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = Vec::new();
    walk(&path, name, &mut files)?;
    files.sort_by(|a, b| natural(&a.name, &b.name));
    Ok(files)
}

fn walk(path: &Path, name: String, files: &mut Vec<Input>) -> io::Result<()> {
    if path.is_dir() {
        for child in children(path)? {
            let inner = child.file_name().unwrap_or_default().to_string_lossy().into_owned();
            walk(&child, format!("{name}/{inner}"), files)?;
        }
    } else {
        files.push(Input { name, bytes: fs::read(path)? });
    }
    Ok(())
}

fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut children = Vec::new();
    for entry in fs::read_dir(folder)? {
        children.push(entry?.path());
    }
    children.sort();
    Ok(children)
}

fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = children(folder)?;
    folders.retain(|path| path.is_dir());
    Ok(folders)
}

/// Opens files, each in slices of this many bytes. Every slice is handed over, even when the source
/// says that it has seen enough: how much a host reads after that is not the core's to say.
pub fn open(files: &[Input], slice: usize) -> History {
    open_as(files, slice, Profile::Lenient)
}

/// Opens files all at once, as far as they are no archives.
pub fn open_together(files: &[Input], profile: Profile) -> History {
    let mut history = History::new(profile);
    let mut rest = files;
    while !rest.is_empty() {
        let pairs = rest.iter().map(|file| (file.name.as_str(), file.bytes.as_slice()));
        let opened = history.open_files(pairs).len();
        rest = &rest[opened..];
        if let [archive, behind @ ..] = rest {
            let source = history.open(&archive.name);
            history.push(source, &archive.bytes).expect("the source is open");
            history.finish(source).expect("the source is open");
            rest = behind;
        }
    }
    history
}

/// The same with a profile.
pub fn open_as(files: &[Input], slice: usize, profile: Profile) -> History {
    let mut history = History::new(profile);
    for file in files {
        let source = history.open(&file.name);
        for slice in file.bytes.chunks(slice.max(1)) {
            history.push(source, slice).expect("the source is open");
        }
        history.finish(source).expect("the source is open");
    }
    history
}

/// The bytes of a record, as a host reads them.
pub fn bytes_of<'a>(history: &History, files: &'a [Input], id: RecordId) -> &'a [u8] {
    let span = history.locate(id).expect("the history holds it");
    let offset = |at: u64| usize::try_from(at).expect("fixtures are small");
    &files[span.source.0 as usize].bytes[offset(span.start)..offset(span.end)]
}

/// Hands the bytes of records to a run; returns how many bytes that were.
pub fn load(history: &History, files: &[Input], run: &mut LoadedRun, ids: Vec<RecordId>) -> usize {
    let mut len = 0;
    for id in ids {
        let bytes = bytes_of(history, files, id);
        len += bytes.len();
        history.load(run, id, bytes).expect("these are its bytes");
    }
    len
}

/// A run with all of its records read.
pub fn loaded(history: &History, files: &[Input], run: RunId) -> LoadedRun {
    let mut loaded_run = history.loaded_run(run).expect("the history listed it");
    let needs = loaded_run.needs();
    load(history, files, &mut loaded_run, needs);
    loaded_run
}
