//! What a callback or inline code answers when it evaluates.

use serde_json::Value;

use super::verdict::Judged;

/// Reads an answer (loop.md, section 10). `score_scale` divides what it gives as score.
pub(crate) fn read(answer: &Value, score_scale: f64) -> Judged {
    let _ = (answer, score_scale);
    Judged::default()
}
