//! Ids of the flat model. They count from 0 in the order of opening and stay valid for the life
//! of a [`History`](crate::History); run ids may change when more is opened.

use crate::model::reward::count;
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of position `index`. A history holds fewer than 2³² of anything.
            pub(crate) fn at(index: usize) -> Self {
                Self(count(index))
            }
        }
    )*};
}

/// Ids that look something up by position.
macro_rules! index {
    ($($name:ident),*) => {
        $(impl $name {
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

index!(SourceId, RecordId, RunId);

ids! {
    /// An opened file, or a member of one.
    SourceId,
    /// One parsed unit of a source.
    RecordId,
    /// The records of one loop or task, in order.
    RunId,
    /// Runs that belong to one experiment or folder.
    GroupId,
}
