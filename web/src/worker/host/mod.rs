//! Interfaces of the browser that only a worker has.

mod bulk;
mod scope;
mod turns;

pub(crate) use bulk::{Read, read_together};
pub(crate) use scope::{answer, memory, on_page, post};
pub(crate) use turns::Turns;
