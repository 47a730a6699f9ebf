//! Interfaces of the browser that the page and its worker both use.
//!
//! What only the page may use is in `platform`, what only the worker may use in `worker/host`.
//! Nothing else touches the browser, so that everything else compiles and is tested natively.

mod file;
mod locale;
mod messages;
mod panic;
mod time;

pub(crate) use file::{FileHandle, Spool, decode, reason};
pub(crate) use locale::{decimal, local_time, utc_time, whole};
pub(crate) use messages::{decode_message, encode_message};
pub(crate) use panic::{Bug, on_panic};
pub(crate) use time::{date_ms, date_of, date_time, local_minute, local_second, now};
