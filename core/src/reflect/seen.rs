//! States of pending steps, for those who look at them.

use super::audience::Audience;
use super::history::History;
use super::machine::Loop;
use super::state::StateView;

/// The history that somebody has looked at last.
#[derive(Clone, Debug, Default)]
pub struct Seen(History);

/// What is new of a state: [`Loop::state_since`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSince {
    /// The state as JSON text, without `reflection_history`; with it if a correction has set it.
    pub text: String,
    /// How many entries at the beginning of `reflection_history` were sent before and are unchanged.
    /// `None` if the loop adds no history to `text`.
    pub kept: Option<usize>,
    /// The entries after them, each as JSON text.
    pub entries: Vec<String>,
}

impl Loop {
    /// The state that a pending step sees, an object as JSON text; `None` for other ids and for
    /// steps without a state. Attempts that were read before are copied as text.
    pub fn state_json(&self, id: u32) -> Option<String> {
        self.view(id).map(|view| view.to_json(Audience::Any))
    }

    /// [`Loop::state_json`] for JavaScript, as [`script_json`](super::script_json) writes it.
    pub fn state_script_json(&self, id: u32) -> Option<String> {
        self.view(id).map(|view| view.to_json(Audience::Script))
    }

    /// [`Loop::state_script_json`] for somebody who has looked at states of this loop before, and
    /// has the entries of their histories: what is old is not sent again.
    pub fn state_since(&self, id: u32, seen: &mut Seen) -> Option<StateSince> {
        let view = self.view(id)?;
        let text = view.write(Audience::Script, false);
        let Some(history) = view.own_history() else {
            return Some(StateSince { text, kept: None, entries: Vec::new() });
        };
        let (kept, entries) = history.since(&seen.0);
        let texts = entries.iter().map(|entry| entry.to_text(Audience::Script).into_owned());
        let state = StateSince { text, kept: Some(kept), entries: texts.collect() };
        seen.0 = history.clone();
        Some(state)
    }

    fn view(&self, id: u32) -> Option<&StateView> {
        self.run.pending.iter().find(|pending| pending.step.id == id)?.step.view.as_ref()
    }
}
