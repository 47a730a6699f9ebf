//! Bundles: taken part by part while they are read, and grouped as they were stored.

mod copy;
mod group;
mod opening;

pub(crate) use copy::json_of;
pub(super) use copy::value_of;
pub(crate) use group::assumed_omega;
pub(super) use group::{Seen, group};
pub(crate) use opening::VERSION;
pub(super) use opening::{Carry, Opening};
