//! The browser: the only folder that touches its interfaces.
//!
//! What the rest of the page sees here are plain functions and values, so that everything else
//! compiles and is tested natively.

mod address;
mod bulk;
mod canvas;
mod codec;
mod dom;
mod drop;
mod file;
mod keys;
mod link;
mod locale;
mod panic;
mod plot;
mod save;
mod theme;
mod watch;
mod work;

pub(crate) use address::{address_with, go, hash, on_address, sample_wanted};
pub(crate) use bulk::{Read, read_together};
pub(crate) use canvas::{Baseline, Inks, Pen, Side, inks};
pub(crate) use codec::Plain;
pub(crate) use dom::{
    clear_value, close_dialog, copy_text, focus_id, forget_boot_screen, open_dialog, set_title,
    value_of,
};
pub(crate) use drop::{Found, Zone, on_drops, on_picked};
pub(crate) use file::{FileHandle, Spool, decode};
pub(crate) use keys::{Key, on_keys};
pub(crate) use link::Link;
pub(crate) use locale::whole;
pub(crate) use panic::{on_panic, show_panics};
pub(crate) use plot::{Hooks, Plot};
pub(crate) use save::save;
pub(crate) use theme::{Theme, apply_theme, saved_theme};
pub(crate) use watch::{Frame, media, on_outside, on_scroll_frame, scroll_list_to, width_of};
pub(crate) use work::{Turns, date_time, now, pause};
