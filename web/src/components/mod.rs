//! Parts that several views draw with.

mod bar;
mod copy;
mod finding;
mod fold;
mod keys;
mod link;
mod mark;
mod overlay;
mod progress;
mod reward;
mod text;
mod trend;
mod virtual_list;

pub(crate) use bar::{Bar, BottomBar, next_theme};
pub(crate) use copy::CopyButton;
pub(crate) use finding::{FindingItem, code, place};
pub(crate) use fold::Fold;
pub(crate) use keys::{KEYS_DIALOG, KeysDialog};
pub(crate) use link::{LinkButton, LinkNotice, needs, what};
pub(crate) use mark::{LevelMark, OutcomeMark};
pub(crate) use overlay::DropOverlay;
pub(crate) use progress::{Notices, ProgressStrip};
pub(crate) use reward::{OriginMark, RewardMark, written};
pub(crate) use text::{Diff, LongText, RecordText};
pub(crate) use trend::Trend;
pub(crate) use virtual_list::{Sight, VirtualList, rows_around};
