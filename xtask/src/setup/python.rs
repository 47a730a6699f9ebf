//! Python with the `wasmtime` package, away from the person's own packages.

use super::{announce, system};
use crate::process::{Failure, Outcome, Run, at};
use crate::workspace::Workspace;
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
    pub(crate) fn of(workspace: &Workspace) -> Self {
        let venv = workspace.target("python/bin/python");
        if venv.exists() {
            return Self { program: venv, path: None };
        }
        Self { program: PathBuf::from("python3"), path: Some(workspace.target("pytools")) }
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
pub(crate) fn ensure(workspace: &Workspace) -> Outcome {
    if Python::of(workspace).imports_wasmtime() {
        return Ok(());
    }
    if python3(workspace, &["--version"]).is_err() {
        system::install(&["python3", "python3-venv"], WHY, "")?;
    }
    announce(
        &format!("installing Python's wasmtime {WASMTIME} below target/"),
        WHY,
        "some seconds",
    );
    if in_venv(workspace).is_ok() || beside(workspace).is_ok() {
        return works(workspace);
    }
    // Debian's Python comes without the tools that install packages.
    system::install(&["python3-venv"], WHY, "")?;
    in_venv(workspace)?;
    works(workspace)
}

fn works(workspace: &Workspace) -> Outcome {
    if Python::of(workspace).imports_wasmtime() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "wasmtime {WASMTIME} was installed, but Python cannot import it. Delete target/python and \
         target/pytools and call this again."
    )))
}

fn in_venv(workspace: &Workspace) -> Outcome {
    let venv = workspace.target("python");
    if venv.exists() {
        fs::remove_dir_all(&venv).map_err(at(&venv))?;
    }
    let made = python3(workspace, &["-m", "venv", "target/python"]).and_then(|()| {
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

fn beside(workspace: &Workspace) -> Outcome {
    let wanted = format!("wasmtime=={WASMTIME}");
    python3(
        workspace,
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

fn python3(workspace: &Workspace, arguments: &[&str]) -> Outcome {
    workspace.run("python3").args(arguments).read().map(drop)
}
