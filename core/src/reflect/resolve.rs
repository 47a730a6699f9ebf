//! Documents that schemas refer to: asked for one by one, before round 1.

use std::sync::Arc;

use super::config::Work;
use super::error_code::LoopErrorCode;
use super::machine::{Loop, failure};
use super::problem::Problem;
use super::reply::Answer;
use super::run::Purpose;
use super::schema::SchemaSource;
use super::step::{Step, StepKind};
use crate::validate::refs::Absent;

impl Loop {
    /// Compiles the schemas that need nothing else.
    pub(super) fn compile_all(&mut self) -> Result<(), Problem> {
        let config = Arc::clone(&self.config);
        for (number, evaluator) in config.evaluators.iter().enumerate() {
            let Work::Schema { source, .. } = &evaluator.work else { continue };
            let source = (**source).clone();
            if source.missing().is_some() {
                self.sources.push((number, source));
            } else {
                self.compile(number, source)?;
            }
        }
        Ok(())
    }

    /// Asks for the next document, or compiles what is complete and goes on.
    pub(super) fn resolve(&mut self) {
        match self.supply(true) {
            Err(problem) => return self.refuse_late(problem),
            Ok(Some(missing)) => return self.ask_for(missing),
            Ok(None) => {}
        }
        self.begin_work();
    }

    /// Gives schemas the documents that are known, and compiles what is complete: up to the next
    /// document that is not known. Warnings of a schema are new unless a snapshot has them.
    pub(super) fn supply(&mut self, is_new: bool) -> Result<Option<Absent>, Problem> {
        while let Some((number, source)) = self.sources.first_mut() {
            let number = *number;
            let Some(missing) = source.missing() else {
                let (number, source) = self.sources.remove(0);
                self.compile(number, source)?;
                if is_new {
                    self.warn_of_schema(number);
                }
                continue;
            };
            let known = self.run.documents.iter().find(|(known, _)| *known == missing.uri);
            let Some((uri, document)) = known else { return Ok(Some(missing)) };
            source
                .supply(uri, document.clone())
                .map_err(|problem| problem.below(&self.pointer(number)))?;
        }
        Ok(None)
    }

    fn ask_for(&mut self, Absent { uri, from }: Absent) {
        let step = self.step(None, StepKind::ResolveSchema { uri, from }, None);
        self.call(step, Purpose::Resolve);
    }

    /// Takes the reply to a question for a document.
    pub(super) fn resolved(&mut self, step: &Step, answer: Answer) {
        let StepKind::ResolveSchema { uri, .. } = &step.kind else { return };
        let Answer::Value(document) = answer else {
            let (_, why) = failure(&answer, "");
            let message = format!(
                "Cannot resolve \"$ref\" to {uri}: pass it in `schemas`, or answer it in `resolveSchema`. {why}"
            );
            let problem =
                Problem::new(LoopErrorCode::ConfigSchemaUnresolved, self.asking(), message);
            return self.refuse_late(problem);
        };
        self.run.documents.push((uri.clone(), document));
    }

    fn compile(&mut self, number: usize, source: SchemaSource) -> Result<(), Problem> {
        let config = Arc::clone(&self.config);
        let Some(Work::Schema { options, pointer, .. }) =
            config.evaluators.get(number).map(|evaluator| &evaluator.work)
        else {
            return Ok(());
        };
        let schema = source.compile(*options).map_err(|problem| problem.below(pointer))?;
        if let Some(place) = self.schemas.get_mut(number) {
            *place = Some(schema);
        }
        Ok(())
    }

    /// Adds the warnings about a schema, once.
    pub(super) fn warn_of_schema(&mut self, number: usize) {
        let Some(Some(schema)) = self.schemas.get(number) else { return };
        let field = format!("{}/schema", self.pointer(number));
        for warning in schema.warnings().to_vec() {
            self.warn(None, &warning, Some(field.clone()));
        }
    }

    /// Where an evaluator stands in the configuration.
    fn pointer(&self, number: usize) -> String {
        match self.config.evaluators.get(number).map(|evaluator| &evaluator.work) {
            Some(Work::Schema { pointer, .. }) => pointer.clone(),
            _ => String::new(),
        }
    }

    /// Where the schema stands that the open question is for.
    fn asking(&self) -> String {
        let number = self.sources.first().map_or(0, |(number, _)| *number);
        format!("{}/schema", self.pointer(number))
    }
}
