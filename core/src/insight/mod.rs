//! What can be told from columns alone.

pub(crate) mod delta;
