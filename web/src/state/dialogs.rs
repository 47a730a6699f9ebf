//! Ids of the dialogs that commands open.

pub(crate) const KEYS_DIALOG: &str = "keys";
pub(crate) const PALETTE_DIALOG: &str = "palette";
pub(crate) const SETTINGS_DIALOG: &str = "settings";
