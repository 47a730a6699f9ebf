//! Which attempts wrote the reflections that a log prints.

use super::History;
use crate::model::details::{Details, NamedText, Retrieved};
use crate::model::id::RecordId;
use crate::model::view::{IterationView, ReflectionRef};
use crate::text;

impl History {
    /// Logs print the reflections that they put before an actor without saying which attempt wrote
    /// them. The run knows, by their texts; what it does not know stays a text.
    pub(super) fn name_writers(&self, id: RecordId, details: &mut Details) {
        let row = self.table.rows.get(id.index());
        if !row.is_some_and(|row| row.format.traits().prints_retrieved) {
            return;
        }
        let Some(shown) = details.retrieved.take() else { return };
        let is_none = shown.is_empty();
        let id = self.grouping().counting(id);
        let run = self.run_of(id).and_then(|run| self.run(run).ok());
        let written = run.map_or(Vec::new(), |run| {
            let is_made_of = |step: &IterationView| step.record == id || step.merged.contains(&id);
            let now = run.iterations().into_iter().find(is_made_of).map(|step| step.number);
            let is_past = |at: &ReflectionRef| now.is_none_or(|now| at.number < now);
            run.reflections().into_iter().filter(is_past).collect()
        });
        let hash_at = |at: &ReflectionRef| {
            let row = self.table.rows.get(at.record.index())?;
            self.table.hashes(row).get(at.part as usize).copied()
        };
        // From the newest: of a text that was written twice the later one is still in the window,
        // and each writer counts once.
        let mut left: Vec<_> = written.iter().map(|at| (at.number, hash_at(at))).collect();
        // If no entry is missing, an unknown text is the edited text of the reflection at the same place.
        let is_whole = written.len() == shown.len();
        let mut named: Vec<Retrieved> = Vec::new();
        let mut unnamed: Vec<NamedText> = Vec::new();
        for (place, mut entry) in shown.into_iter().enumerate().rev() {
            let hash = Some(text::hash_of(&entry.text));
            let at = left.iter().rposition(|(_, known)| *known == hash);
            let at = at.or(Some(place).filter(|place| is_whole && *place < left.len()));
            if let Some((number, _)) = at.and_then(|at| left.get(at)) {
                entry.number = *number;
                left.truncate(at.unwrap_or(0));
                named.push(entry);
            } else {
                unnamed.push(NamedText { name: "memory".to_owned(), text: entry.text });
            }
        }
        named.reverse();
        details.texts.extend(unnamed.into_iter().rev());
        details.retrieved = Some(named).filter(|n| !n.is_empty() || is_none);
    }
}
