//! More stack: what readers, compilers and validators do by calling themselves is bounded, and the
//! bounds leave room in twice the megabyte that a wasm has by default.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=2097152");
    }
}
