//! Attempts as records of reflection memory, made as the loop goes (docs/spec/loop.md, 16).

use std::sync::Arc;

use serde_json::Value;

use super::events::EventKind;
use super::machine::Loop;
use super::memories::Context;
use super::record::{RecordContext, to_record};
use super::stop_reason::StopReason;
use super::verdict::Warning;

impl Loop {
    /// Renders what earlier runs left into the state.
    pub(super) fn remember(&mut self) {
        if self.config.memory.is_none() {
            return;
        }
        let text = self.run.memories.found.clone();
        Arc::make_mut(&mut self.run.state).set(&["reflection_memory"], |vars| {
            vars.memory = Some(Arc::new(Value::String(text)));
        });
    }

    /// Notes what the steps of the round that begins are given.
    pub(super) fn note_context(&mut self) {
        if self.config.memory.is_none() {
            return;
        }
        let has_memory = !self.run.memories.found.is_empty();
        let used: Vec<i64> =
            self.run.feedback_iterations().into_iter().map(|iteration| iteration - 1).collect();
        self.run.memories.context = Context {
            is_injected: has_memory || !used.is_empty(),
            used,
            is_regenerated: std::mem::take(&mut self.run.memories.has_context),
        };
    }

    /// An attempt is complete: its record is due.
    pub(super) fn due_record(&mut self, index: usize) {
        if self.config.memory.is_some() {
            self.run.memories.due = Some((index, self.run.at.clone()));
        }
    }

    /// Makes the record that is due; `stop` if it is the last one.
    pub(super) fn record_last(&mut self, stop: Option<StopReason>) {
        let config = Arc::clone(&self.config);
        let Some(memory) = &config.memory else { return };
        let Some((index, at)) = self.run.memories.due.take() else { return };
        let Some(entry) = self.run.history.get(index).map(|entry| entry.to_value()) else { return };
        let memories = &self.run.memories;
        let previous = memories.previous.and_then(|index| self.run.history.get(index));
        let mut context = RecordContext {
            loop_id: memories.loop_id.clone(),
            at: at.clone().unwrap_or_default(),
            task_description: memory.task_description.clone(),
            generator: config.generator.as_ref().map_or(Value::Null, super::config::Party::named),
            corrector: config.corrector.as_ref().map_or(Value::Null, super::config::Party::named),
            evaluators: config.evaluators.iter().map(|one| one.named.clone()).collect(),
            previous: previous.map(|entry| entry.to_value()),
            has_context: memories.context.is_regenerated,
            omega: Some(memory.omega),
            policy: Some(memory.policy.as_str().to_owned()),
            reflections_in_context: Vec::new(),
            total_reflections: None,
            context_injected: memories.context.is_injected,
            previous_reflections_used: memories.context.used.clone(),
            notes: stop.map(|stop| stop.as_str().to_owned()),
        };
        // What the window is after taking the record in stands in the record itself.
        let first = at.as_ref().and_then(|_| to_record(&entry, &context));
        let Some(first) = first else {
            let message =
                format!("Attempt {index} has no valid time, so no record is written for it.");
            self.warn(None, &Warning::new("record_no_time", message), None);
            return;
        };
        if let Some(window) = &mut self.run.memories.window {
            window.push(first.to_string().as_bytes());
            let metadata = window.metadata();
            context.reflections_in_context = metadata.reflections_in_context;
            context.total_reflections = Some(u64::from(metadata.total_reflections_generated));
        }
        let record = Arc::new(to_record(&entry, &context).unwrap_or(first));
        self.run.memories.previous = Some(index);
        self.run.memories.records.push(Arc::clone(&record));
        self.push_event(None, EventKind::Record { record });
    }
}
