//! Parts that several views draw with.

mod bar;
mod copy;
mod finding;
mod fold;
mod keys;
mod mark;
mod overlay;
mod progress;
mod reward;
mod split;
mod text;
mod trend;
mod virtual_list;
mod wide_grid;
mod words;

pub(crate) use bar::{Bar, BottomBar, next_theme};
pub(crate) use copy::CopyButton;
pub(crate) use finding::FindingItem;
pub(crate) use fold::Fold;
pub(crate) use keys::{KEYS_DIALOG, KeysDialog};
pub(crate) use mark::{LevelMark, OutcomeMark};
pub(crate) use overlay::DropOverlay;
pub(crate) use progress::{Notices, ProgressStrip};
pub(crate) use reward::{OriginMark, RewardMark, written};
pub(crate) use split::Split;
pub(crate) use text::{Diff, LongText, RecordText, Wanted};
pub(crate) use trend::Trend;
pub(crate) use virtual_list::{Sight, VirtualList, rows_around};
pub(crate) use wide_grid::{GridRow, Legend, Letter, WideGrid};
pub(crate) use words::{WordDiff, plain};
