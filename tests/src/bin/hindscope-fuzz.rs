//! Broken input for hours: `cargo run --profile fuzz --package hindscope-tests --bin hindscope-fuzz`.
//!
//! `--seconds 3600` and `--seed 1` say how long and which inputs; paths of files try one input again. What
//! breaks a law is made shorter and written to `target/fuzz`; the input of a process that died is there, too,
//! and a list of what was shown: which rules, and which formats in which framings and encodings.
//! With `HINDSCOPE_SHARED` the small files of that folder are changed as the fixtures are.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hindscope::Validator;
use hindscope_tests::fuzz::{Fuzzer, keep};
use hindscope_tests::{Input, Random, fixtures, read, root};

/// A schema of one's own.
const OWN: &str = r#"{"type": "object", "required": ["iteration"], "unevaluatedProperties": false,
    "properties": {"iteration": {"maximum": 1}, "timestamp": {"format": "date"}}}"#;

/// Files of the shared folder up to this length are changed.
const SMALL_LEN: usize = 20_000;

/// An input that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(5);

/// Attempts at making an input shorter.
const TRIES: u32 = 3000;

/// Judges inputs, and remembers what broke.
struct Judge {
    own: Validator,
    seed: u64,
    /// Where the last panic was and how it began; all that it said.
    said: Arc<Mutex<(String, String)>>,
}

impl Judge {
    fn new(seed: u64) -> Result<Self, Box<dyn Error>> {
        let own = Validator::new(OWN).map_err(|error| error.to_string())?;
        let said = Arc::new(Mutex::new((String::new(), String::new())));
        let to = Arc::clone(&said);
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let message = info.payload_as_str().unwrap_or_default().to_owned();
            let kind = message.chars().filter(|c| !c.is_numeric()).take(40).collect::<String>();
            let kind = format!("{place}: {kind}");
            *to.lock().unwrap_or_else(PoisonError::into_inner) = (kind, message);
        }));
        Ok(Self { own, seed, said })
    }

    /// What the files show; what tells the broken law from others, and its message. `count` says how
    /// they are cut into slices.
    fn judge(&self, files: &[Input], count: u64) -> Result<BTreeSet<String>, (String, String)> {
        let keeps = || keep(files, &mut Random::of(self.seed.wrapping_add(count)), &self.own);
        panic::catch_unwind(AssertUnwindSafe(keeps))
            .map_err(|_| self.said.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Fewer and shorter files that break the same law.
    fn shorten(&self, mut files: Vec<Input>, count: u64, kind: &str) -> Vec<Input> {
        let mut tries = 0;
        let mut fails = |files: &[Input]| {
            tries += 1;
            tries < TRIES && self.judge(files, count).is_err_and(|failure| failure.0 == kind)
        };
        for at in (0..files.len()).rev() {
            let mut fewer = files.clone();
            fewer.remove(at);
            if !fewer.is_empty() && fails(&fewer) {
                files = fewer;
            }
        }
        for at in 0..files.len() {
            let mut len = files[at].bytes.len().div_ceil(2);
            while len > 0 {
                let mut from = 0;
                while from < files[at].bytes.len() {
                    let mut shorter = files.clone();
                    let to = shorter[at].bytes.len().min(from + len);
                    shorter[at].bytes.drain(from..to);
                    if fails(&shorter) {
                        files = shorter;
                    } else {
                        from += len;
                    }
                }
                len /= 2;
            }
        }
        files
    }
}

/// Stops the process when an input takes too long.
fn watch(started: Arc<Mutex<Instant>>) {
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_millis(500));
            let started = *started.lock().unwrap_or_else(PoisonError::into_inner);
            if started.elapsed() > LONGEST {
                println!("An input takes more than {LONGEST:?}: see target/fuzz/last.");
                process::exit(1);
            }
        }
    });
}

/// Writes an input: its files by their places, and their names.
fn write(files: &[Input], folder: &Path) -> Result<(), Box<dyn Error>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for (at, file) in files.iter().enumerate() {
        fs::write(folder.join(at.to_string()), &file.bytes)?;
    }
    let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
    fs::write(folder.join("names"), names.join("\n"))?;
    Ok(())
}

/// What [`write`] wrote.
fn written(folder: &Path) -> Result<Vec<Input>, Box<dyn Error>> {
    let names = fs::read_to_string(folder.join("names"))?;
    let mut files = Vec::new();
    for (at, name) in names.lines().enumerate() {
        let bytes = fs::read(folder.join(at.to_string()))?;
        files.push(Input { name: name.to_owned(), bytes });
    }
    Ok(files)
}

fn corpus() -> Result<Vec<Vec<Input>>, Box<dyn Error>> {
    let fixtures = fixtures()?.into_iter().map(|fixture| fixture.files);
    let mut corpus: Vec<_> = fixtures.filter(|files| !files.is_empty()).collect();
    if let Some(shared) = std::env::var_os("HINDSCOPE_SHARED") {
        let files = read(Path::new(&shared))?.into_iter();
        corpus.extend(files.filter(|file| file.bytes.len() <= SMALL_LEN).map(|file| vec![file]));
    }
    Ok(corpus)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut seed, mut seconds, mut again) = (1, 60, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || -> Result<u64, Box<dyn Error>> {
            Ok(arguments.next().ok_or("a number is missing")?.parse()?)
        };
        match argument.as_str() {
            "--seed" => seed = number()?,
            "--seconds" => seconds = number()?,
            folder => again = Some(PathBuf::from(folder)),
        }
    }
    let judge = Judge::new(seed)?;
    if let Some(folder) = again {
        let files = written(&folder)?;
        let broken = (0..100).find_map(|count| judge.judge(&files, count).err());
        println!("{broken:?}");
        return Ok(());
    }
    run(&judge, seconds)
}

fn run(judge: &Judge, seconds: u64) -> Result<(), Box<dyn Error>> {
    let folder = root().join("target/fuzz");
    let seed = judge.seed;
    let mut fuzzer = Fuzzer::new(seed, corpus()?);
    let mut broken = BTreeSet::new();
    let begin = Instant::now();
    let started = Arc::new(Mutex::new(begin));
    watch(Arc::clone(&started));
    let (mut count, mut reported, mut news) = (0_u64, begin, 0);
    while begin.elapsed().as_secs() < seconds {
        count += 1;
        let files = fuzzer.make();
        write(&files, &folder.join("last"))?;
        *started.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        match judge.judge(&files, count) {
            Ok(shows) => news += u32::from(fuzzer.learn(files, shows)),
            Err((kind, message)) => {
                if broken.insert(kind.clone()) {
                    // Shortening takes longer than one input may.
                    let later = Instant::now() + Duration::from_mins(10);
                    *started.lock().unwrap_or_else(PoisonError::into_inner) = later;
                    let folder = folder.join(format!("{seed}-{count}"));
                    write(&judge.shorten(files, count, &kind), &folder)?;
                    println!("seed {seed}, input {count}: {kind}: {message:.600}");
                    println!("  {}", folder.display());
                }
            }
        }
        if reported.elapsed().as_secs() >= 60 {
            let (corpus, shown) = fuzzer.sizes();
            println!(
                "{count} inputs, {shown} things shown by {corpus}, {news} new, {} broken",
                broken.len()
            );
            (reported, news) = (Instant::now(), 0);
        }
    }
    fs::write(folder.join("shown"), fuzzer.shown().collect::<Vec<_>>().join("\n"))?;
    let (corpus, shown) = fuzzer.sizes();
    println!(
        "{count} inputs in {seconds} s, {shown} things shown by {corpus}, {} broken",
        broken.len()
    );
    if broken.is_empty() { Ok(()) } else { Err("laws were broken".into()) }
}
