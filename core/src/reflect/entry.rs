//! The rows of a history: one attempt each.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use serde_with_macros::skip_serializing_none;

use super::audience::Audience;
use super::number;

/// What an entry is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EntryKind {
    /// A verdict.
    #[default]
    Evaluation,
    /// The generator failed.
    Generator,
    /// No value was found in what came.
    Parse,
    /// An evaluator failed.
    Evaluator,
    /// A limit or an abort came before the verdict.
    Unevaluated,
}

impl EntryKind {
    /// What counts between equal scores; `None` for what has no rank.
    pub(crate) const fn class(self) -> Option<u8> {
        match self {
            Self::Evaluation => Some(2),
            Self::Evaluator => Some(1),
            Self::Parse | Self::Unevaluated => Some(0),
            Self::Generator => None,
        }
    }
}

/// Where a candidate came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Origin {
    #[default]
    Generated,
    Corrected,
}

/// One attempt. Its serialized form is both what hosts read and what snapshots keep.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub iteration: u32,
    pub candidate: Option<u32>,
    pub output: Arc<Value>,
    #[serde(serialize_with = "number::plain")]
    pub score: f64,
    pub valid: bool,
    pub errors: Arc<Vec<Value>>,
    pub suggestions: Arc<Vec<Value>>,
    pub feedback: Arc<str>,
    pub kind: EntryKind,
    pub origin: Origin,
    pub coercions: Vec<Value>,
    pub usage: Arc<Value>,
    pub raw_output: Option<Arc<Value>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluators: Vec<Value>,
    pub tries: Option<u32>,
    pub ms: Option<f64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub output_omitted: bool,
    /// `details`, `warnings`, `corrector_error`, `reflection` and what belongs to it.
    #[serde(flatten)]
    pub more: Map<String, Value>,
    #[serde(skip)]
    pub text: Text,
}

/// The longest text of an entry that is cached, in bytes. A longer one is made again for each request:
/// a cached copy would take up memory for as long as the loop exists.
const MAX_KEPT_TEXT: usize = 1 << 20;

/// The entry as JSON text for each audience, once somebody wanted it: histories are read again and
/// again.
#[derive(Debug, Default)]
pub(crate) struct Text([OnceLock<Box<str>>; 2]);

impl Clone for Text {
    /// What is cloned is about to be changed.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Entry {
    /// Score and class: a strictly greater one is better. `None` for failures of the generator.
    pub(crate) fn rank(&self) -> Option<(f64, u8)> {
        self.kind.class().map(|class| (self.score, class))
    }

    /// As the history shows it.
    pub(crate) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The same as text.
    pub(crate) fn to_text(&self, audience: Audience) -> Cow<'_, str> {
        let [any, script] = &self.text.0;
        let slot = match audience {
            Audience::Any => any,
            Audience::Script => script,
        };
        if let Some(text) = slot.get() {
            return Cow::Borrowed(text);
        }
        let text = audience.text(self);
        if text.len() > MAX_KEPT_TEXT {
            return Cow::Owned(text);
        }
        Cow::Borrowed(slot.get_or_init(|| text.into()))
    }

    /// As events show it: without `output` and `raw_output`, because the host supplied them.
    pub(super) fn brief<S: Serializer>(entry: &Arc<Self>, to: S) -> Result<S::Ok, S::Error> {
        let mut shown =
            Self { output: Arc::default(), raw_output: None, ..Self::clone(entry) }.to_value();
        if let Some(members) = shown.as_object_mut() {
            members.shift_remove("output");
        }
        shown.serialize(to)
    }

    /// Without what takes space.
    pub(crate) fn omit(&mut self) {
        self.output = Arc::default();
        self.raw_output = None;
        self.output_omitted = true;
    }
}

/// Whether rank `a` is strictly above rank `b`: the earliest of equals stays.
pub(crate) fn outranks(a: Option<(f64, u8)>, b: Option<(f64, u8)>) -> bool {
    match (a, b) {
        (Some((score, class)), Some((other, other_class))) => {
            score.total_cmp(&other).then(class.cmp(&other_class)).is_gt()
        }
        (Some(_), None) => true,
        (None, _) => false,
    }
}
