//! One target of [`hindscope_tests::fuzz`] under libFuzzer, which changes what reaches new code:
//! `cargo xtask fuzz` builds and runs it. `HINDSCOPE_TARGET` names the target.

#![no_main]

use std::sync::LazyLock;

use hindscope_tests::fuzz::{TARGETS, Target, target};

static CHOSEN: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("HINDSCOPE_TARGET").unwrap_or_default();
    let names = || TARGETS.map(|target| target.name).join(", ");
    target(&name).unwrap_or_else(|| panic!("HINDSCOPE_TARGET must be one of {}", names()))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (CHOSEN.run)(bytes));
