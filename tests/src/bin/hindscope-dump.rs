//! Prints what the native core says about files and folders, one JSON value for all of them.
//!
//! The faces are compared with it: `hindscope-dump PATH...` Archives are opened.

use std::env;
use std::path::Path;
use std::process::ExitCode;

use hindscope::Unpacker;
use hindscope_tests::{Input, archive};

/// What a host would read at a time.
const SLICE: usize = 1 << 20;

fn unpacked(file: Input) -> Vec<Input> {
    if Unpacker::recognises(&file.bytes) {
        archive::files(&file.name, &file.bytes)
    } else {
        vec![file]
    }
}

fn main() -> ExitCode {
    let mut files = Vec::new();
    for path in env::args_os().skip(1) {
        match hindscope_tests::read(Path::new(&path)) {
            Ok(more) => files.extend(more.into_iter().flat_map(unpacked)),
            Err(error) => {
                eprintln!("{}: {error}", Path::new(&path).display());
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{}", hindscope_tests::dump(&files, SLICE));
    ExitCode::SUCCESS
}
