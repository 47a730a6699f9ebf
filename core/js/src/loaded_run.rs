//! A run with its records, as JavaScript sees it.

use hindscope::{
    Entry, RecordId, ReflectionRef, RenderOptions, RunDetails, WindowRule, WindowView,
};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::wire::{self, ExplainOptions, Misuse, WindowOptions};
use crate::{decode, encode};

/// One run, with as many of its records as were read.
#[wasm_bindgen]
#[derive(Debug)]
pub struct LoadedRun(pub(crate) hindscope::LoadedRun);

/// A window with its texts.
#[derive(Serialize)]
struct WindowTexts {
    view: WindowView,
    /// What is held, as far as it was read.
    entries: Vec<Entry>,
    /// What layouts say beside them.
    options: RenderOptions,
}

/// What a record says of its run as a whole.
#[derive(Serialize)]
struct Statement<'a> {
    /// The record.
    record: RecordId,
    /// What it says.
    says: &'a RunDetails,
}

#[wasm_bindgen]
impl LoadedRun {
    /// Records that `about` still needs.
    #[wasm_bindgen(js_name = needsAbout)]
    pub fn needs_about(&self) -> Vec<u32> {
        self.0.needs_about().iter().map(|record| record.0).collect()
    }

    /// What was read of the run as a whole.
    pub fn about(&self) -> JsValue {
        let of_record = |(record, says)| Statement { record, says };
        encode(&self.0.about().into_iter().map(of_record).collect::<Vec<_>>())
    }

    /// Records of iteration `at` that were not read yet.
    ///
    /// # Errors
    ///
    /// `no-such-iteration`.
    #[wasm_bindgen(js_name = needsOf)]
    pub fn needs_of(&self, at: f64) -> Result<Vec<u32>, Misuse> {
        let needs = self.0.needs_of(wire::number(at)?).map_err(|error| self.misuse(error, at))?;
        Ok(needs.iter().map(|record| record.0).collect())
    }

    /// Iteration `at` in full, of all its records.
    ///
    /// # Errors
    ///
    /// `no-such-iteration`.
    pub fn attempt(&self, at: f64) -> Result<JsValue, Misuse> {
        let attempt = self.0.attempt(wire::number(at)?).map_err(|error| self.misuse(error, at))?;
        Ok(attempt.map_or(JsValue::UNDEFINED, encode))
    }

    /// Records whose reflections have not been compared.
    #[wasm_bindgen(js_name = needsSketches)]
    pub fn needs_sketches(&self) -> Vec<u32> {
        self.0.needs_sketches().iter().map(|record| record.0).collect()
    }

    /// What is said of iteration `at` first.
    ///
    /// # Errors
    ///
    /// `no-such-iteration`.
    #[wasm_bindgen(js_name = attemptHeadline)]
    pub fn attempt_headline(&self, at: f64) -> Result<JsValue, Misuse> {
        let headline = self.0.attempt_headline(wire::number(at)?);
        Ok(encode(&headline.map_err(|error| self.misuse(error, at))?))
    }

    /// Records that `explain` still needs.
    ///
    /// # Errors
    ///
    /// `invalid-option`, `omega-out-of-range`.
    pub fn needs(&self, options: JsValue) -> Result<Vec<u32>, Misuse> {
        let options = decode::<ExplainOptions>(options)?.asked()?;
        Ok(self.0.needs_for(&options).iter().map(|record| record.0).collect())
    }

    /// What the run teaches.
    ///
    /// # Errors
    ///
    /// `invalid-option`, `omega-out-of-range`.
    pub fn explain(&self, options: JsValue) -> Result<JsValue, Misuse> {
        let options = decode::<ExplainOptions>(options)?.asked()?;
        Ok(encode(&self.0.explain(&options)))
    }

    /// The window when iteration `at` began, with its texts.
    ///
    /// # Errors
    ///
    /// `no-such-iteration`, `omega-out-of-range`, `invalid-option`.
    pub fn window(&self, at: f64, options: &JsValue) -> Result<JsValue, Misuse> {
        let rule = WindowOptions::of(options)?.rule()?;
        let window =
            self.0.window(wire::number(at)?, rule).map_err(|error| self.misuse(error, at))?;
        Ok(encode(&WindowTexts {
            entries: self.0.entries(window.held_refs()),
            options: self.0.render_options(&window),
            view: window.view(),
        }))
    }

    /// What attempt `at` was given.
    ///
    /// # Errors
    ///
    /// `no-such-iteration`.
    pub fn injected(&self, at: f64) -> Result<JsValue, Misuse> {
        let injected =
            self.0.injected(wire::number(at)?).map_err(|error| self.misuse(error, at))?;
        Ok(encode(&injected))
    }

    /// What a window holds before its budget is looked at, oldest first, to be counted.
    ///
    /// # Errors
    ///
    /// `no-such-iteration`, `omega-out-of-range`, `invalid-option`.
    pub fn uncounted(&self, at: f64, options: &JsValue) -> Result<JsValue, Misuse> {
        let rule = WindowOptions::of(options)?.rule()?;
        let entries: Vec<_> =
            self.within_omega(at, rule)?.into_iter().map(|(_, entry)| entry).collect();
        Ok(encode(&entries))
    }

    /// Takes the counts of what `uncounted` gave for the same window, in its order.
    ///
    /// # Errors
    ///
    /// `no-such-iteration`, `omega-out-of-range`, `invalid-option`.
    #[wasm_bindgen(js_name = setTokens)]
    pub fn set_tokens(&mut self, at: f64, options: &JsValue, tokens: &[u32]) -> Result<(), Misuse> {
        let rule = WindowOptions::of(options)?.rule()?;
        for ((place, _), &tokens) in self.within_omega(at, rule)?.into_iter().zip(tokens) {
            self.0.set_tokens(place, tokens)?;
        }
        Ok(())
    }
}

impl LoadedRun {
    fn within_omega(
        &self,
        at: f64,
        rule: WindowRule,
    ) -> Result<Vec<(ReflectionRef, Entry)>, Misuse> {
        let rule = WindowRule { token_budget: None, ..rule };
        let window =
            self.0.window(wire::number(at)?, rule).map_err(|error| self.misuse(error, at))?;
        let entry = |at: &ReflectionRef| Some((*at, self.0.entries(&[*at]).pop()?));
        Ok(window.held_refs().iter().filter_map(entry).collect())
    }

    fn misuse(&self, error: hindscope::Error, at: f64) -> Misuse {
        Misuse::from(error).about("run", self.0.run().0).about("at", at)
    }
}
