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
mod json;
mod kept;
mod keys;
mod link;
mod locale;
mod panic;
mod picture;
mod plot;
mod pointer;
mod save;
mod scroll;
mod theme;
mod watch;
mod work;

pub(crate) use address::{go, hash, on_address, sample_wanted};
pub(crate) use bulk::{Read, read_together};
pub(crate) use canvas::{Baseline, Inks, Pen, Side, inks};
pub(crate) use codec::Plain;
pub(crate) use dom::{
    clear_value, close_dialog, copy_text, focus_id, forget_boot_screen, open_dialog, set_title,
    value_of,
};
pub(crate) use drop::{Found, Zone, on_drops, on_picked};
pub(crate) use file::{FileHandle, Spool, decode};
pub(crate) use json::json_text;
pub(crate) use kept::{keep, kept};
pub(crate) use keys::{Key, on_keys};
pub(crate) use link::Link;
pub(crate) use locale::{local_time, utc_time, whole};
pub(crate) use panic::{on_panic, show_panics};
pub(crate) use picture::as_png;
pub(crate) use plot::{Hooks, Plot};
pub(crate) use pointer::{capture, place_in};
pub(crate) use save::save;
pub(crate) use scroll::{anchor, scroll_to_id, share_of};
pub(crate) use theme::{Theme, apply_theme, save_share, saved_share, saved_theme};
pub(crate) use watch::{
    Frame, hold, media, on_outside, on_scroll_box, on_scroll_frame, scroll_box_to, scroll_list_to,
    width_of,
};
pub(crate) use work::{Turns, date_time, now, pause};
