//! What the tests share: fixtures, how a host opens files, and the dump by which native, npm and
//! component are compared.

pub mod archive;
mod dump;
mod export;
pub mod fuzz;
mod input;
pub mod loops;
pub mod memory;
mod random;
mod snapshot;

pub use dump::{compare_reflections, dump, dump_of};
pub use export::{content, export, not_back, unpacked};
pub use input::{
    Fixture, Input, bytes_of, fixtures, load, loaded, open, open_as, open_together, read, root,
    shared,
};
pub use random::Random;
pub use snapshot::snapshot;
