//! The window of a running loop.

use hindscope::{ErrorCode, Layout};
use wasm_bindgen::prelude::*;

use crate::encode;
use crate::wire::{self, LayoutOptions, Misuse, WindowOptions};

/// Ω reflections of a running loop.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ReflectionWindow(hindscope::ReflectionWindow);

#[wasm_bindgen]
impl ReflectionWindow {
    /// An empty window.
    ///
    /// # Errors
    ///
    /// `omega-out-of-range`, `invalid-option`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<Self, Misuse> {
        let rule = WindowOptions::of(options)?.rule()?;
        hindscope::ReflectionWindow::with_rule(rule).map(Self).map_err(|error| {
            let is_omega = error.code() == ErrorCode::OmegaOutOfRange;
            let misuse = Misuse::from(error);
            match rule.omega.filter(|_| is_omega) {
                Some(omega) => misuse.about("omega", omega),
                None => misuse,
            }
        })
    }

    /// Adds the reflection of a record, given as JSON text.
    pub fn push(&mut self, record: &[u8]) -> JsValue {
        encode(&self.0.push(record))
    }

    /// Adds the reflections of records that stand one after the other; `ends` says where each ends.
    /// The findings are about those that were not kept.
    #[wasm_bindgen(js_name = pushAll)]
    pub fn push_all(&mut self, records: &[u8], ends: &[u32]) -> JsValue {
        encode(&self.0.push_all(&wire::cut(records, 0, ends)))
    }

    /// Ω in force.
    pub fn omega(&self) -> u8 {
        self.0.omega()
    }

    /// Changes Ω.
    ///
    /// # Errors
    ///
    /// `omega-out-of-range`.
    #[wasm_bindgen(js_name = setOmega)]
    pub fn set_omega(&mut self, omega: f64) -> Result<(), Misuse> {
        let number = wire::omega(omega)?;
        self.0.set_omega(number).map_err(Misuse::one("omega", omega))
    }

    /// The token budget.
    #[wasm_bindgen(js_name = tokenBudget)]
    pub fn token_budget(&self) -> Option<u32> {
        self.0.rule().token_budget
    }

    /// Changes the token budget.
    ///
    /// # Errors
    ///
    /// `invalid-option`.
    #[wasm_bindgen(js_name = setTokenBudget)]
    pub fn set_token_budget(&mut self, budget: Option<f64>) -> Result<(), Misuse> {
        self.0.set_token_budget(wire::count(budget, "tokenBudget")?);
        Ok(())
    }

    /// Sets what relevance compares with.
    #[wasm_bindgen(js_name = setQuery)]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "wasm-bindgen has no borrowed optional string"
    )]
    pub fn set_query(&mut self, query: Option<String>) {
        self.0.set_query(query.as_deref());
    }

    /// What it holds and nobody counted, oldest first.
    pub fn uncounted(&self) -> JsValue {
        encode(&self.0.uncounted())
    }

    /// Takes a count of a reflection's tokens. One that is not kept any more needs none: the host's
    /// counter may have pushed a record meanwhile.
    #[wasm_bindgen(js_name = setTokens)]
    pub fn set_tokens(&mut self, number: f64, tokens: u32) {
        if let Ok(number) = wire::number(number) {
            let _gone = self.0.set_tokens(number, tokens);
        }
    }

    /// What it holds, oldest first.
    pub fn entries(&self) -> JsValue {
        encode(self.0.entries())
    }

    /// Numbers of what it holds.
    pub fn held(&self) -> JsValue {
        encode(&self.0.held())
    }

    /// Numbers of what it pushed out.
    pub fn evicted(&self) -> JsValue {
        encode(&self.0.evicted())
    }

    /// Numbers of what does not fit the token budget.
    pub fn dropped(&self) -> JsValue {
        encode(&self.0.dropped())
    }

    /// Tokens of what it holds, if there is a budget.
    pub fn tokens(&self) -> Option<u32> {
        self.0.tokens()
    }

    /// What there is to say about the choice.
    pub fn notes(&self) -> JsValue {
        encode(self.0.notes())
    }

    /// The text for a prompt.
    ///
    /// # Errors
    ///
    /// `invalid-option`, `omega-out-of-range`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "wasm-bindgen has no borrowed optional string"
    )]
    pub fn render(&self, layout: Option<String>, options: &JsValue) -> Result<String, Misuse> {
        let options = LayoutOptions::of(options)?.over(self.0.render_options())?;
        Ok(self.0.render_with(wire::named(layout.as_deref(), Layout::parse)?, &options))
    }

    /// What to store beside the record that was pushed last.
    pub fn metadata(&self) -> JsValue {
        encode(&self.0.metadata())
    }
}
