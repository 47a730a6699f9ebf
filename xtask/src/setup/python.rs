//! Python with the `wasmtime` package, away from the person's own packages.

use super::{announce, system};
use crate::place::Place;
use crate::process::{Failure, Outcome, Run, at};
use std::fs;
use std::path::PathBuf;

/// The version the component's test was written for.
const WASMTIME: &str = "50.0.1";

const WHY: &str = "a second host for the component, beside Node";

/// How to start a Python that can `import wasmtime`.
pub(crate) struct Python {
    /// The interpreter.
    pub(crate) program: PathBuf,
    /// A folder to put on `PYTHONPATH`, where no virtual environment could be made.
    pub(crate) path: Option<PathBuf>,
}

impl Python {
    /// The Python [`ensure`] has made ready.
    pub(crate) fn of(place: &Place) -> Self {
        let venv = place.target("python/bin/python");
        if venv.exists() {
            return Self { program: venv, path: None };
        }
        Self { program: PathBuf::from("python3"), path: Some(place.target("pytools")) }
    }

    fn imports_wasmtime(&self) -> bool {
        let code = format!(
            "import wasmtime.component, importlib.metadata as m; \
             assert m.version('wasmtime') == '{WASMTIME}'"
        );
        let mut run = Run::new(&self.program).args(["-c", &code]);
        if let Some(path) = &self.path {
            run = run.env("PYTHONPATH", path);
        }
        run.probe().is_some()
    }
}

/// Makes sure that a Python with wasmtime is there.
///
/// # Errors
///
/// Fails when Python, or both ways to install packages for it, are missing.
pub(crate) fn ensure(place: &Place) -> Outcome {
    if Python::of(place).imports_wasmtime() {
        return Ok(());
    }
    if python3(place, &["--version"]).is_err() {
        system::install(&["python3", "python3-venv"], WHY, "")?;
    }
    announce(
        &format!("installing Python's wasmtime {WASMTIME} below target/"),
        WHY,
        "some seconds",
    );
    if in_venv(place).is_ok() || beside(place).is_ok() {
        return works(place);
    }
    // Debian's Python comes without the tools that install packages.
    system::install(&["python3-venv"], WHY, "")?;
    in_venv(place)?;
    works(place)
}

fn works(place: &Place) -> Outcome {
    if Python::of(place).imports_wasmtime() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "wasmtime {WASMTIME} was installed, but Python cannot import it. Delete target/python and \
         target/pytools and call this again."
    )))
}

fn in_venv(place: &Place) -> Outcome {
    let venv = place.target("python");
    if venv.exists() {
        fs::remove_dir_all(&venv).map_err(at(&venv))?;
    }
    let made = python3(place, &["-m", "venv", "target/python"]).and_then(|()| {
        Run::new(venv.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet"])
            .arg("--disable-pip-version-check")
            .arg(format!("wasmtime=={WASMTIME}"))
            .read()
            .map(drop)
    });
    if made.is_err() && venv.exists() {
        // Half a virtual environment would be taken for a whole one.
        fs::remove_dir_all(&venv).map_err(at(&venv))?;
    }
    made
}

fn beside(place: &Place) -> Outcome {
    let wanted = format!("wasmtime=={WASMTIME}");
    python3(
        place,
        &[
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--upgrade",
            "--target",
            "target/pytools",
            &wanted,
        ],
    )
}

fn python3(place: &Place, arguments: &[&str]) -> Outcome {
    place.run("python3").args(arguments).read().map(drop)
}
