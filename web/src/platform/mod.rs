//! The browser: the only folder that touches its interfaces.
//!
//! What the rest of the page sees here are plain functions and values, so that everything else
//! compiles and is tested natively.

mod address;
mod bulk;
mod canvas;
mod carried;
mod codec;
mod dom;
mod drop;
mod file;
mod handover;
mod helper;
mod host;
mod json;
mod keep;
mod kept;
mod keys;
mod launch;
mod link;
mod locale;
mod offline;
mod panic;
mod paper;
mod paste;
mod picture;
mod plot;
mod pointer;
mod save;
mod scroll;
mod theme;
mod watch;
mod work;

pub(crate) use address::{address_with, back, go, hash, memory_wanted, on_address, sample_wanted};
pub(crate) use bulk::{Read, read_together};
pub(crate) use canvas::{Inks, Pen, inks};
pub(crate) use carried::{carried, has_viewer, viewer_copy};
pub(crate) use dom::{
    clear_value, click_on, close_dialog, copy_text, focus_id, forget_boot_screen, has_cmd,
    open_dialog, reveal_id, set_title, stage, title, value_of,
};
pub(crate) use drop::{Found, MOST_FILES, on_drops, on_picked};
pub(crate) use file::{FileHandle, Spool, decode};
pub(crate) use handover::{HandedOver, on_handover};
pub(crate) use helper::{Block, Heard, Helper, helpers_wanted, is_helper, on_stretches};
pub(crate) use host::{memory, on_page, tell_page};
pub(crate) use json::json_text;
pub(crate) use keep::{add_recent, forget_everything, keep_recent, recent_names};
pub(crate) use kept::{keep, kept, kept_names};
pub(crate) use keys::{Key, on_find, on_keys};
pub(crate) use launch::on_launch;
pub(crate) use link::Link;
pub(crate) use locale::{decimal, local_time, utc_time, whole};
pub(crate) use offline::{keep_offline, use_newer};
pub(crate) use panic::{on_panic, show_panics};
pub(crate) use paper::{mark_paper, on_print, print, show_svg};
pub(crate) use paste::{Pasted, on_paste};
pub(crate) use picture::as_png;
pub(crate) use plot::{Hooks, Plot};
pub(crate) use pointer::{capture, is_pressed, place_in, watch_presses};
pub(crate) use save::save;
pub(crate) use scroll::{anchor, scroll_to_id, share_of};
pub(crate) use theme::{Theme, apply_density, apply_theme, save_share, saved_share, saved_theme};
pub(crate) use watch::{
    Frame, hold, media, on_outside, on_scroll_box, on_scroll_frame, scroll_box_to, scroll_list_to,
    width_of,
};
pub(crate) use work::{
    Turns, call_in, date_ms, date_of, date_time, local_minute, now, pause, when_idle,
};
