//! How values cross the border between the core and `wit/`, in either direction.
//!
//! Each record is named once, with its members. A member that only one side has does not compile.

use std::borrow::Cow;

use serde::Serialize;

/// A value that becomes another of the same meaning on the other side.
pub(crate) trait Cross<To> {
    /// The value over there.
    fn cross(self) -> To;
}

/// Options of a caller, laid over those that hold otherwise.
pub(crate) trait Over<To> {
    /// What is given, and of `usual` what is not.
    fn over(self, usual: To) -> To;
}

impl<T: Cross<To>, To> Over<To> for Option<T> {
    fn over(self, usual: To) -> To {
        self.map_or(usual, Cross::cross)
    }
}

/// What is given, and the defaults of the core otherwise.
pub(crate) fn or_default<To: Default>(options: Option<impl Over<To>>) -> To {
    let usual = To::default();
    match options {
        Some(options) => options.over(usual),
        None => usual,
    }
}

/// A value as JSON text.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("it is plain data, and the keys of its maps are texts")
}

/// The same on both sides.
macro_rules! plain {
    ($($plain:ty),+) => {$(
        impl Cross<Self> for $plain {
            fn cross(self) -> Self {
                self
            }
        }

        impl Cross<Option<Self>> for $plain {
            fn cross(self) -> Option<Self> {
                Some(self)
            }
        }
    )+};
}

plain!(bool, f64, i64, String, u8, u32, u64);

/// Ω. There it is as wide as numbers usually are, so that none is wrapped before `misuse::omega` refuses
/// it; this comes after that.
impl Cross<Option<u8>> for u32 {
    fn cross(self) -> Option<u8> {
        Some(u8::try_from(self).unwrap_or(u8::MAX))
    }
}

impl Cross<u32> for u8 {
    fn cross(self) -> u32 {
        self.into()
    }
}

impl Cross<String> for &str {
    fn cross(self) -> String {
        self.to_owned()
    }
}

impl Cross<String> for Cow<'_, str> {
    fn cross(self) -> String {
        self.into_owned()
    }
}

/// Ids are numbers there.
macro_rules! ids {
    ($($id:ident),+) => {$(
        impl Cross<u32> for hindscope::$id {
            fn cross(self) -> u32 {
                self.0
            }
        }

        impl Cross<hindscope::$id> for u32 {
            fn cross(self) -> hindscope::$id {
                hindscope::$id(self)
            }
        }

        impl Cross<Option<hindscope::$id>> for u32 {
            fn cross(self) -> Option<hindscope::$id> {
                Some(hindscope::$id(self))
            }
        }
    )+};
}

ids!(GroupId, RecordId, RunId, SourceId);

impl<T: Cross<To>, To> Cross<Option<To>> for Option<T> {
    fn cross(self) -> Option<To> {
        self.map(Cross::cross)
    }
}

impl<T: Cross<To>, To> Cross<Vec<To>> for Vec<T> {
    fn cross(self) -> Vec<To> {
        self.into_iter().map(Cross::cross).collect()
    }
}

impl<T: Cross<To> + Clone, To> Cross<Vec<To>> for &[T] {
    fn cross(self) -> Vec<To> {
        self.iter().cloned().map(Cross::cross).collect()
    }
}

/// From one enum to another with the same words. One that is open in Rust and closed in WIT says what
/// its other words become.
macro_rules! labels {
    ($from:path => $to:path { $($word:ident),+ $(,)? $(; else $other:ident)? }) => {
        impl Cross<$to> for $from {
            fn cross(self) -> $to {
                use $from as From;
                use $to as To;
                match self { $(From::$word => To::$word,)+ $(_ => To::$other,)? }
            }
        }
    };
}

/// From structs of the core to the records of the same names.
macro_rules! rows {
    ($($name:ident $(<$life:lifetime>)? { $($member:ident),+ $(,)? })+) => {$(
        impl Cross<$name> for hindscope::$name $(<$life>)? {
            fn cross(self) -> $name {
                let hindscope::$name { $($member),+ } = self;
                $name { $($member: $member.cross()),+ }
            }
        }
    )+};
}

/// From records to the structs of the core of the same names.
macro_rules! given {
    ($($name:ident { $($member:ident),+ $(,)? })+) => {$(
        impl Cross<hindscope::$name> for $name {
            fn cross(self) -> hindscope::$name {
                let $name { $($member),+ } = self;
                hindscope::$name { $($member: $member.cross()),+ }
            }
        }
    )+};
}

/// From records of options to the structs of the core of the same names.
macro_rules! options {
    ($($name:ident { $($member:ident),+ $(,)? })+) => {$(
        impl Over<hindscope::$name> for $name {
            fn over(self, usual: hindscope::$name) -> hindscope::$name {
                let $name { $($member),+ } = self;
                hindscope::$name { $($member: $member.over(usual.$member)),+ }
            }
        }
    )+};
}

pub(crate) use {given, labels, options, rows};
