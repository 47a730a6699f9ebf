//! What a running window answers.

use super::{MemoryMetadata, ReflectionWindow};
use crate::model::finding::Finding;
use crate::model::reward;
use crate::window::WindowRule;
use crate::window::entry::{Entry, RenderOptions};
use crate::window::render::{Layout, render_with};

impl ReflectionWindow {
    /// How it is computed. Ω there is the one that was set; see [`ReflectionWindow::omega`].
    pub fn rule(&self) -> WindowRule {
        WindowRule { omega: Some(self.omega), ..self.rule }
    }

    /// Ω in force: as set, or by the failures so far if the rule says so.
    pub fn omega(&self) -> u8 {
        self.now.omega
    }

    /// Reflections within Ω whose tokens the host did not count, oldest first.
    pub fn uncounted(&self) -> Vec<Entry> {
        self.within_omega().filter(|entry| entry.tokens.is_none()).cloned().collect()
    }

    fn within_omega(&self) -> impl Iterator<Item = &Entry> {
        self.now.dropped.iter().chain(&self.now.held)
    }

    /// Reflections in context, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.now.held
    }

    /// Their numbers, oldest first.
    pub fn held(&self) -> Vec<i64> {
        self.now.held.iter().map(|e| e.number).collect()
    }

    /// Numbers of all that are beyond Ω, oldest first.
    pub fn evicted(&self) -> Vec<i64> {
        self.now.evicted.clone()
    }

    /// Numbers of those that Ω holds and the token budget does not, oldest first.
    pub fn dropped(&self) -> Vec<i64> {
        self.now.dropped.iter().map(|e| e.number).collect()
    }

    /// Tokens of what is in context, when there is a budget.
    pub fn tokens(&self) -> Option<u32> {
        self.now.tokens
    }

    /// What there is to say about the choice: `window/no-relevance`.
    pub fn notes(&self) -> &[Finding] {
        &self.now.notes
    }

    /// The window as text for a prompt, with what it knows of task, attempts, total and Ω.
    pub fn render(&self, layout: Layout) -> String {
        render_with(&self.now.held, layout, &self.render_options())
    }

    /// The same with what is in `options`; [`ReflectionWindow::render_options`] is where to start.
    pub fn render_with(&self, layout: Layout, options: &RenderOptions) -> String {
        render_with(&self.now.held, layout, options)
    }

    /// What layouts say beside the reflections, as far as the records say it.
    pub fn render_options(&self) -> RenderOptions {
        RenderOptions {
            attempts: u32::try_from(self.attempts.len()).ok(),
            task: self.task.as_ref().map(|(_, task)| task.clone()),
            total: Some(self.total()),
            omega: Some(self.now.omega),
            ..RenderOptions::default()
        }
    }

    fn total(&self) -> u32 {
        let total = self.attempts.iter().filter(|(_, attempt)| attempt.has_reflection).count();
        reward::count(total)
    }

    /// What to store in the record that was added last: valid by the schema of records, whatever Ω is.
    pub fn metadata(&self) -> MemoryMetadata {
        let numbers: Vec<i64> = self.within_omega().map(|entry| entry.number).collect();
        MemoryMetadata {
            // The schema allows no Ω below 1.
            omega_capacity: self.now.omega.max(1),
            current_memory_size: reward::count(numbers.len()),
            reflections_in_context: numbers,
            window_policy: self.rule.policy,
            total_reflections_generated: self.total(),
        }
    }
}
