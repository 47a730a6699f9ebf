//! Enums that are words.

use crate::error::{Error, ErrorCode};

/// An enum whose variants are words, spelled the same in every face.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$of])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them, in their order.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// The word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// The one with this word.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == word)
            }
        }
    };
}
pub(crate) use words;

/// The one of `all` with this word, for options: the error lists the words.
pub(crate) fn read<T: Copy>(
    what: &str,
    all: &[T],
    as_str: fn(T) -> &'static str,
    word: &str,
) -> Result<T, Error> {
    all.iter().copied().find(|one| as_str(*one) == word).ok_or_else(|| {
        let words = all.iter().map(|one| as_str(*one)).collect::<Vec<_>>().join(", ");
        Error::new(ErrorCode::InvalidOption, format!("{what} is one of {words}, not {word:?}"))
    })
}
