//! What can be said about the source without running it.

use crate::place::Place;
use crate::process::{Failure, Outcome};
use crate::setup::{self, Need};
use crate::test::Report;

/// `cargo xtask lint`
pub(crate) fn command(place: &Place, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        return Err(Failure::usage(format!("`lint` does not know `{unknown}`; it takes nothing")));
    }
    let mut report = Report::new();
    let result = steps(place, &mut report);
    report.close(result)
}

fn steps(place: &Place, report: &mut Report) -> Outcome {
    report.step("setup", || setup::ensure(place, &[Need::Crates, Need::WasmTarget]))?;
    report.step("formatting", || format(place))?;
    report.step("clippy", || clippy(place))?;
    report.step("clippy for wasm", || clippy_for_wasm(place))?;
    report.step("rustdoc", || rustdoc(place))
}

/// `cargo fmt --check`
pub(crate) fn format(place: &Place) -> Outcome {
    place
        .run_cargo()
        .args(["fmt", "--all", "--", "--check"])
        .go()
        .map_err(|failure| Failure::new(format!("{failure}. `cargo fmt --all` would repair it")))
}

/// Clippy over everything, as this machine compiles it.
pub(crate) fn clippy(place: &Place) -> Outcome {
    place
        .run_cargo()
        .args(["clippy", "--quiet", "--workspace", "--all-targets"])
        .args(["--", "-D", "warnings"])
        .go()
}

/// Clippy over what runs as wasm, where other code is switched on. The core comes along, as
/// Clippy looks at every package of the workspace that is built.
pub(crate) fn clippy_for_wasm(place: &Place) -> Outcome {
    place
        .run_cargo()
        .args(["clippy", "--quiet", "--target", "wasm32-unknown-unknown"])
        .args(["--package", "hindscope-js"])
        .args(["--package", "hindscope-component"])
        .args(["--package", "hindscope-web"])
        .args(["--", "-D", "warnings"])
        .go()
}

/// The core's documentation, without one warning.
pub(crate) fn rustdoc(place: &Place) -> Outcome {
    place
        .run_cargo()
        .args(["doc", "--quiet", "--no-deps", "--package", "hindscope"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .go()
}
