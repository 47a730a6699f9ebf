//! JSON: the lexer, tables of what records look like, the pass over both, a tree, and the writer.
//!
//! A [`shape::Table`] says what a record looks like. [`pass::read`] walks the bytes of a record along it
//! once, hands what columns need to a [`pass::Sink`], and notes each deviation with its place as a few
//! numbers; sentences are made of those when somebody reads them. Formats without a table read a
//! [`value`]. Text that is not plain JSON goes to [`tree`], which repairs it.
//!
//! Everything that walks plain JSON uses the cursor of [`scan`], which looks at bytes in blocks ([`block`]).
//! [`places`] tells where the value of a pointer stands, in text and in a tree.

mod block;
pub(crate) mod double;
mod names;
pub(crate) mod numeric;
pub(crate) mod pass;
pub(crate) mod places;
pub(crate) mod pointer;
pub(crate) mod scan;
pub(crate) mod shape;
pub(crate) mod tree;
pub(crate) mod value;
pub(crate) mod verbatim;
pub(crate) mod write;
