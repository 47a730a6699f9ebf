//! Questions that cannot be answered.

/// Why there is no answer, in words for the reader.
pub(crate) struct NoAnswer(pub(crate) String);

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
