//! Builds what people take home: the npm package, the component, the page and its package.
//!
//! Each build is skipped while its inputs are what they were ([`Stamp`]), so that tests can ask
//! for it every time.

mod component;
mod glue;
mod npm;
pub(crate) mod package;
mod page;
mod viewer;

use crate::process::{Failure, Outcome, at};
use crate::setup;
use crate::stamp::Stamp;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// Something to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Product {
    /// `target/npm/hindscope-<version>.tgz`
    Npm,
    /// `target/component/hindscope.wasm`
    Component,
    /// `target/www`
    Page,
    /// `target/www/viewer.html`
    Single,
    /// `target/npm/hindscope-viewer-<version>.tgz`
    Viewer,
}

/// How much is optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// What people get.
    Release,
    /// The same code for tests, in less than half of the time: without link-time optimisation, and little of
    /// what wasm-opt could gain.
    Testing,
}

impl Profile {
    /// As in `Cargo.toml`.
    fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Testing => "testing",
        }
    }

    /// The options of wasm-opt: for speed on what people get. For tests some passes of a few seconds, which
    /// keep the npm wasm below the 8 MB that Chromium starts on a page's main thread.
    fn passes(self) -> &'static [&'static str] {
        match self {
            Self::Release => &["-O3"],
            Self::Testing => &[
                "-O0",
                "--duplicate-function-elimination",
                "--simplify-locals-notee-nostructure",
                "--coalesce-locals",
                "--vacuum",
            ],
        }
    }

    /// The option of `cargo xtask build` for it.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Self::Release => "--release",
            Self::Testing => "--testing",
        }
    }

    /// Where artefacts of this profile go.
    pub(crate) fn target(self, workspace: &Workspace, relative: &str) -> PathBuf {
        match self {
            Self::Release => workspace.target(relative),
            // `target/testing` is what cargo compiles with this profile.
            Self::Testing => workspace.target("test-artefacts").join(relative),
        }
    }

    /// The artefact's stamp; profiles do not share any.
    fn stamp(self, workspace: &Workspace, product: &str, inputs: &[&str]) -> Outcome<Stamp> {
        Stamp::of(workspace, &format!("{product}-{}", self.name()), inputs)
    }
}

/// What rustc emits for our target, in wasm-opt's words. `--all-features` would let it use
/// features that Node 20 refuses.
const WASM_FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-simd",
];

/// Inputs of every product; each adds the file that builds it.
const SHARED_INPUTS: &[&str] = &[
    ".cargo",
    "Cargo.toml",
    "Cargo.lock",
    "core/Cargo.toml",
    "core/compiler",
    "core/features",
    "core/patterns",
    "core/schemas",
    "core/seed",
    "core/src",
    "package-lock.json",
    "xtask/src/build/mod.rs",
];

/// `cargo xtask build`
pub(crate) fn command(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let Wanted { products, profile, force } = parse(arguments)?;
    if force {
        let stamps = workspace.target("stamps");
        if stamps.exists() {
            fs::remove_dir_all(&stamps).map_err(at(&stamps))?;
        }
    }
    for product in products {
        let built = product.build(workspace, profile)?;
        println!("build: {}", shown(workspace, &built));
    }
    Ok(())
}

/// What the arguments of `build` ask for.
struct Wanted {
    products: Vec<Product>,
    profile: Profile,
    force: bool,
}

fn parse(arguments: &[String]) -> Outcome<Wanted> {
    let mut products = Vec::new();
    let mut profile = Profile::Release;
    let mut force = false;
    for argument in arguments {
        match argument.as_str() {
            "npm" => products.push(Product::Npm),
            "component" => products.push(Product::Component),
            "page" => products.push(Product::Page),
            "single" => products.push(Product::Single),
            "viewer" => products.push(Product::Viewer),
            "--release" => profile = Profile::Release,
            "--testing" => profile = Profile::Testing,
            "--force" => force = true,
            other => {
                return Err(Failure::usage(format!(
                    "`build` does not know `{other}`; it takes npm, component, page, single, viewer, --testing, --force"
                )));
            }
        }
    }
    if products.is_empty() {
        products = vec![Product::Npm, Product::Component, Product::Page, Product::Viewer];
    }
    Ok(Wanted { products, profile, force })
}

impl Product {
    /// Where the product is once it is built.
    pub(crate) fn path(self, workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
        Ok(match self {
            Self::Npm => package::NPM.tarball(workspace, profile)?,
            Self::Viewer => package::VIEWER.tarball(workspace, profile)?,
            Self::Component => profile.target(workspace, "component/hindscope.wasm"),
            Self::Page => profile.target(workspace, page::DIST),
            Self::Single => profile.target(workspace, page::DIST).join(page::SINGLE),
        })
    }

    /// Makes the machine ready, builds the product if needed, and returns where it is.
    ///
    /// # Errors
    ///
    /// Fails when a tool fails, or when the product is not what it has to be.
    pub(crate) fn build(self, workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
        match self {
            Self::Npm => {
                setup::ensure(workspace, setup::FOR_NPM)?;
                npm::build(workspace, profile)
            }
            Self::Component => {
                setup::ensure(workspace, setup::FOR_COMPONENT)?;
                component::build(workspace, profile)
            }
            Self::Page => {
                setup::ensure(workspace, setup::FOR_PAGE)?;
                page::build(workspace, profile)
            }
            Self::Single => {
                setup::ensure(workspace, setup::FOR_PAGE)?;
                page::single(workspace, profile)
            }
            Self::Viewer => {
                setup::ensure(workspace, setup::FOR_PAGE)?;
                viewer::build(workspace, profile)
            }
        }
    }
}

fn stamp(
    workspace: &Workspace,
    profile: Profile,
    product: &str,
    own_inputs: &[&str],
) -> Outcome<Stamp> {
    profile.stamp(workspace, product, &[SHARED_INPUTS, own_inputs].concat())
}

/// Optimises a wasm and leaves out names: Chromium refuses to compile a module above 8 MB on a page's main
/// thread.
fn optimise(workspace: &Workspace, profile: Profile, from: &Path, to: &Path) -> Outcome {
    let options = [profile.passes(), &["--strip-debug", "--strip-producers"]].concat();
    wasm_opt(workspace, &options, from, to)
}

fn wasm_opt(workspace: &Workspace, options: &[&str], from: &Path, to: &Path) -> Outcome {
    workspace
        .run("wasm-opt")
        .args(options)
        .args(WASM_FEATURES)
        .arg(from)
        .arg("-o")
        .arg(to)
        .prepare()
}

/// The wasm of the npm package with the names of its functions, for a profiler.
///
/// # Errors
///
/// Fails when a tool fails.
pub(crate) fn named(workspace: &Workspace) -> Outcome<PathBuf> {
    setup::ensure(workspace, setup::FOR_NPM)?;
    glue::named(workspace)
}

/// An empty folder, whatever was there before.
fn fresh_dir(dir: &Path) -> Outcome {
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(at(dir))?;
    }
    fs::create_dir_all(dir).map_err(at(dir))
}

/// Copies what is in a folder, folders included.
fn copy_dir(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let source = entry.map_err(at(from))?.path();
        let target = to.join(source.file_name().unwrap_or_default());
        if source.is_dir() {
            copy_dir(&source, &target)?;
        } else {
            copy(&source, &target)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(drop).map_err(at(from))
}

/// A path as a person in the workspace's folder would write it.
pub(crate) fn shown(workspace: &Workspace, path: &Path) -> String {
    path.strip_prefix(workspace.root()).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(arguments: &[&str]) -> Vec<String> {
        arguments.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn no_names_mean_all_products() {
        let Wanted { products, profile, force } = parse(&owned(&["--force"])).expect("known");
        assert_eq!(profile, Profile::Release);
        assert_eq!(products, [Product::Npm, Product::Component, Product::Page, Product::Viewer]);
        assert!(force);
    }

    #[test]
    fn products_are_built_in_the_order_given() {
        let Wanted { products, profile, force } =
            parse(&owned(&["npm", "viewer", "--testing", "component"])).expect("known");
        assert_eq!(profile, Profile::Testing);
        assert_eq!(products, [Product::Npm, Product::Viewer, Product::Component]);
        assert!(!force);
        assert_eq!(parse(&owned(&["wasm"])).err().expect("unknown").code(), 2);
    }
}
