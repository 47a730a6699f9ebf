//! Prints what the native core says about files and folders, one JSON value for all of them.
//!
//! The faces are compared with it: `hindscope-dump PATH...`

use std::env;
use std::path::Path;
use std::process::ExitCode;

/// What a host would read at a time.
const SLICE: usize = 1 << 20;

fn main() -> ExitCode {
    let mut files = Vec::new();
    for path in env::args_os().skip(1) {
        match hindscope_tests::read(Path::new(&path)) {
            Ok(more) => files.extend(more),
            Err(error) => {
                eprintln!("{}: {error}", Path::new(&path).display());
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{}", hindscope_tests::dump(&files, SLICE));
    ExitCode::SUCCESS
}
