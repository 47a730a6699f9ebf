//! Enums that are words.

/// Enums whose variants are words, spelled the same in every face. One without a visibility is public.
macro_rules! labels {
    ($(#[$doc:meta])* $name:ident $words:tt) => {
        $crate::labels::labels! { $(#[$doc])* pub $name $words }
    };
    ($($(#[$doc:meta])* $vis:vis $name:ident {
        $($(#[$of:meta])* $variant:ident = $word:literal),* $(,)?
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        $vis enum $name {
            $($(#[$of])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            #![allow(dead_code, reason = "not every enum needs all of them")]

            /// All of them, in their order.
            $vis const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// The word.
            $vis const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// The one with this word.
            $vis fn named(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}
pub(crate) use labels;
