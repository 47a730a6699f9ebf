//! Members of plain objects, as the entries hand them over.

use hindscope::{Entry, ErrorCode, Outcome};
use js_sys::{Array, Reflect};
use wasm_bindgen::JsValue;

use crate::wire::{Misuse, count, whole};

/// A value of the caller's.
pub(crate) trait Given: Sized {
    /// A member, if it is there. Null and undefined are absent.
    fn get(&self, name: &str) -> Option<Self>;
    fn as_number(&self) -> Option<f64>;
    fn as_text(&self) -> Option<String>;
    fn as_flag(&self) -> Option<bool>;
    fn as_list(&self) -> Option<Vec<Self>>;

    fn number(&self, name: &str) -> Result<Option<f64>, Misuse> {
        self.member(name, "a number", Self::as_number)
    }

    fn text(&self, name: &str) -> Result<Option<String>, Misuse> {
        self.member(name, "a string", Self::as_text)
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, Misuse> {
        self.member(name, "a boolean", Self::as_flag)
    }

    /// A list of texts; an absent one is empty.
    fn texts(&self, name: &str) -> Result<Vec<String>, Misuse> {
        let texts = |value: &Self| value.as_list()?.iter().map(Self::as_text).collect();
        Ok(self.member(name, "an array of strings", texts)?.unwrap_or_default())
    }

    fn member<T>(
        &self,
        name: &str,
        must_be: &str,
        read: impl FnOnce(&Self) -> Option<T>,
    ) -> Result<Option<T>, Misuse> {
        let Some(member) = self.get(name) else { return Ok(None) };
        let wrong =
            || Misuse::new(ErrorCode::InvalidOption, format!("`{name}` must be {must_be}."));
        read(&member).map(Some).ok_or_else(wrong)
    }
}

/// Reflections to lay out.
pub(crate) fn entries(given: &impl Given) -> Result<Vec<Entry>, Misuse> {
    let wrong = |message: String| Misuse::new(ErrorCode::InvalidOption, message);
    let list = given.as_list().ok_or_else(|| wrong("Entries must be an array.".to_owned()))?;
    list.iter()
        .enumerate()
        .map(|(position, given)| {
            entry(given).map_err(|misuse| wrong(format!("Entry {position}: {}", misuse.message)))
        })
        .collect()
}

fn entry(given: &impl Given) -> Result<Entry, Misuse> {
    let missing = |name: &str| {
        Misuse::new(ErrorCode::InvalidOption, format!("Each entry must have the member `{name}`."))
    };
    let number = given.number("number")?.and_then(whole).ok_or_else(|| missing("number"))?;
    let outcome = given.text("outcome")?.ok_or_else(|| missing("outcome"))?;
    let text = given.text("text")?.ok_or_else(|| missing("text"))?;
    let mut entry = Entry::new(number, Outcome::parse(&outcome)?, text);
    entry.insights = given.texts("insights")?;
    entry.lessons = given.texts("lessons")?;
    entry.strategy = given.text("strategy")?;
    entry.kind = given.text("kind")?;
    entry.effectiveness = given.text("effectiveness")?;
    entry.observation = given.text("observation")?;
    entry.analysis = given.text("analysis")?;
    entry.learning = given.text("learning")?;
    entry.action_items = given.texts("actionItems")?;
    entry.tokens = count(given.number("tokens")?, "tokens")?;
    Ok(entry)
}

impl Given for JsValue {
    fn get(&self, name: &str) -> Option<Self> {
        // The entries make these objects, so none has a getter that throws.
        let member = Reflect::get(self, &name.into()).ok()?;
        (!member.is_null() && !member.is_undefined()).then_some(member)
    }

    fn as_number(&self) -> Option<f64> {
        self.as_f64()
    }

    fn as_text(&self) -> Option<String> {
        self.as_string()
    }

    fn as_flag(&self) -> Option<bool> {
        self.as_bool()
    }

    fn as_list(&self) -> Option<Vec<Self>> {
        Array::is_array(self).then(|| Array::from(self).to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    impl Given for Value {
        fn get(&self, name: &str) -> Option<Self> {
            Self::get(self, name).filter(|member| !member.is_null()).cloned()
        }

        fn as_number(&self) -> Option<f64> {
            self.as_f64()
        }

        fn as_text(&self) -> Option<String> {
            self.as_str().map(str::to_owned)
        }

        fn as_flag(&self) -> Option<bool> {
            self.as_bool()
        }

        fn as_list(&self) -> Option<Vec<Self>> {
            self.as_array().cloned()
        }
    }

    /// What the core writes of an entry is read back to the same, so no member is forgotten.
    #[test]
    fn entries_are_read_as_the_core_writes_them() {
        let text = || Some("text".to_owned());
        let full = Entry {
            insights: vec!["first".into(), "second".into()],
            lessons: vec!["a lesson".into()],
            strategy: text(),
            kind: text(),
            effectiveness: text(),
            observation: text(),
            analysis: text(),
            learning: text(),
            action_items: vec!["act".into()],
            tokens: Some(7),
            ..Entry::new(-3, Outcome::Partial, "A lesson.")
        };
        let written = serde_json::to_value([&full, &Entry::new(1, Outcome::Void, "")]);
        let written = written.expect("entries are plain data");
        let members = written[0].as_object().expect("an object");
        assert!(members.len() == 13 && members.values().all(|member| !member.is_null()));
        assert_eq!(entries(&written), Ok(vec![full, Entry::new(1, Outcome::Void, "")]));
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        for (entry, message) in [
            (
                json!({ "outcome": "failure", "text": "" }),
                "Each entry must have the member `number`.",
            ),
            (json!({ "number": 1, "text": "" }), "Each entry must have the member `outcome`."),
            (
                json!({ "number": 1, "outcome": "failure" }),
                "Each entry must have the member `text`.",
            ),
            (
                json!({ "number": "1", "outcome": "failure", "text": "" }),
                "`number` must be a number.",
            ),
            (
                json!({ "number": 1, "outcome": "failure", "text": "", "lessons": [1] }),
                "`lessons` must be an array of strings.",
            ),
        ] {
            let misuse = entries(&json!([entry])).expect_err(message);
            let message = format!("Entry 0: {message}");
            assert_eq!((misuse.code, misuse.message), (ErrorCode::InvalidOption, message));
        }
        assert!(entries(&json!({})).is_err());
        let misuse = entries(&json!([{ "number": 1, "outcome": "won", "text": "" }]));
        assert!(
            misuse
                .expect_err("no such outcome")
                .message
                .starts_with("Entry 0: `outcome` must be one of success, ")
        );
    }
}
