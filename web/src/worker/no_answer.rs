//! Questions that cannot be answered.

use std::fmt;

/// Why there is no answer, in words for the reader.
pub(crate) struct NoAnswer(String);

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<hindscope::Error> for NoAnswer {
    fn from(error: hindscope::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<String> for NoAnswer {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}
