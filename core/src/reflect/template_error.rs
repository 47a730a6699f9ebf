//! Why a template gives no text.

use std::fmt;

use super::error_code::LoopErrorCode;
use minijinja::ErrorKind;

/// Why a template cannot be read, or gives no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    message: String,
    line: Option<u32>,
    is_syntax: bool,
}

impl TemplateError {
    /// The class of the error, in every face.
    pub const TYPE: &'static str = "template";

    pub(super) fn new(message: String, line: Option<u32>, is_syntax: bool) -> Self {
        Self { message, line, is_syntax }
    }

    /// What the engine says, with the piece of the template that it speaks of.
    pub(super) fn of(error: &minijinja::Error, template: &str, is_syntax: bool) -> Self {
        let what = match (error.kind(), error.detail()) {
            (_, Some(detail)) => detail.to_owned(),
            (ErrorKind::OutOfFuel, None) => "it needs too many instructions".to_owned(),
            (kind, None) => kind.to_string(),
        };
        let piece = error.range().and_then(|range| template.get(range));
        let piece = piece.filter(|piece| !piece.is_empty() && piece.len() <= 200);
        let piece = piece.map_or_else(String::new, |piece| format!(" at `{piece}`"));
        let line = error.line().and_then(|line| u32::try_from(line).ok());
        let line_text = line.map_or_else(String::new, |line| format!(" (line {line})"));
        let cannot = if is_syntax { "cannot be read" } else { "cannot be rendered" };
        Self::new(format!("The template {cannot}: {what}{piece}{line_text}."), line, is_syntax)
    }

    /// `config_template` for a syntax error, `template_failed` for one that needs a state.
    pub const fn code(&self) -> LoopErrorCode {
        if self.is_syntax { LoopErrorCode::ConfigTemplate } else { LoopErrorCode::TemplateFailed }
    }

    /// Line of the template, from 1, where it is known.
    pub const fn line(&self) -> Option<u32> {
        self.line
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TemplateError {}
