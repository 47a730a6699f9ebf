//! uPlot, bound by hand. It draws lines and knows where the pointer is; nothing else is asked of it.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::EventListener;
use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlElement};

use super::{Inks, Pen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = uPlot)]
    type UPlot;

    #[wasm_bindgen(constructor, js_class = "uPlot", catch)]
    fn new(options: &JsValue, data: &Array, host: &HtmlElement) -> Result<UPlot, JsValue>;

    #[wasm_bindgen(method)]
    fn destroy(this: &UPlot);

    #[wasm_bindgen(method)]
    fn redraw(this: &UPlot, rebuild_paths: bool);

    #[wasm_bindgen(method, js_name = setData)]
    fn set_data(this: &UPlot, data: &Array, resets_scales: bool);

    #[wasm_bindgen(method, js_name = setScale)]
    fn set_scale(this: &UPlot, name: &str, range: &JsValue);

    #[wasm_bindgen(method, getter)]
    fn ctx(this: &UPlot) -> CanvasRenderingContext2d;

    #[wasm_bindgen(method, getter)]
    fn over(this: &UPlot) -> HtmlElement;

    #[wasm_bindgen(method, getter)]
    fn cursor(this: &UPlot) -> JsValue;
}

/// What the chart does while uPlot draws.
pub(crate) struct Hooks {
    /// Below the lines.
    pub(crate) under: Box<dyn Fn(&Pen<'_>)>,
    /// Above them.
    pub(crate) over: Box<dyn Fn(&Pen<'_>)>,
    /// The pointer is nearest to this point, or away.
    pub(crate) hovered: Box<dyn Fn(Option<usize>)>,
    /// A point was clicked.
    pub(crate) picked: Box<dyn Fn(usize)>,
}

/// What uPlot calls while it draws and follows the pointer.
const HOOKS: [&str; 3] = ["drawClear", "draw", "setCursor"];

/// A chart on the page. Its canvas and listeners go when it is dropped.
pub(crate) struct Plot {
    drawn: UPlot,
    _hooks: [Closure<dyn Fn(UPlot)>; 3],
    _click: EventListener,
}

impl Plot {
    /// Draws `data`, the first column being the places on the x axis.
    ///
    /// # Errors
    ///
    /// Fails where the script of uPlot is missing.
    pub(crate) fn new(
        host: &HtmlElement,
        options: &impl Serialize,
        data: &[Vec<Option<f64>>],
        inks: Rc<Inks>,
        hooks: Hooks,
    ) -> Result<Self, JsValue> {
        let options = serde_wasm_bindgen::to_value(options).map_err(JsValue::from)?;
        let Hooks { under, over, hovered, picked } = hooks;
        let pointed = Rc::new(Cell::new(None));
        let last = Rc::clone(&pointed);
        let hooks = [
            draws(Rc::clone(&inks), under),
            draws(inks, over),
            Closure::new(move |plot: UPlot| {
                let index = index(&plot);
                if last.replace(index) != index {
                    hovered(index);
                }
            }),
        ];
        let lists = Object::new();
        for (name, hook) in HOOKS.into_iter().zip(&hooks) {
            Reflect::set(&lists, &name.into(), &Array::of1(hook.as_ref()))?;
        }
        Reflect::set(&options, &"hooks".into(), &lists)?;
        let plot = UPlot::new(&options, &columns(data), host)?;
        let click = EventListener::new(&plot.over(), "click", move |_| {
            if let Some(index) = pointed.get() {
                picked(index);
            }
        });
        Ok(Self { drawn: plot, _hooks: hooks, _click: click })
    }

    /// Draws other lines over another stretch of the x axis, once, when the browser gets to it.
    pub(crate) fn change(&self, data: &[Vec<Option<f64>>], [min, max]: [f64; 2]) {
        self.drawn.set_data(&columns(data), false);
        let range = Object::new();
        let _ = Reflect::set(&range, &"min".into(), &min.into());
        let _ = Reflect::set(&range, &"max".into(), &max.into());
        self.drawn.set_scale("x", &range);
    }

    /// Draws again; the lines themselves have not changed.
    pub(crate) fn redraw(&self) {
        self.drawn.redraw(false);
    }
}

impl Drop for Plot {
    fn drop(&mut self) {
        // Drawing may still be scheduled, and would call closures that are gone by then.
        if let Ok(hooks) = Reflect::get(&self.drawn, &"hooks".into()) {
            for name in HOOKS {
                let _ = Reflect::delete_property(hooks.unchecked_ref::<Object>(), &name.into());
            }
        }
        self.drawn.destroy();
    }
}

fn draws(inks: Rc<Inks>, draw: Box<dyn Fn(&Pen<'_>)>) -> Closure<dyn Fn(UPlot)> {
    Closure::new(move |plot: UPlot| {
        let context = plot.ctx();
        let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
        let pen = Pen::begin(&context, &inks, ratio);
        draw(&pen);
        pen.end();
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
fn index(plot: &UPlot) -> Option<usize> {
    let cursor = plot.cursor();
    // Away from the plot, the cursor keeps its last index but stands at -10.
    let left = Reflect::get(&cursor, &"left".into()).ok()?.as_f64()?;
    if left < 0.0 {
        return None;
    }
    Reflect::get(&cursor, &"idx".into()).ok()?.as_f64().map(|index| index as usize)
}

/// Columns for uPlot. Only a real `null` in a plain array is a gap to it: a typed array cannot
/// hold one, and a NaN would be bridged in silence.
fn columns(data: &[Vec<Option<f64>>]) -> Array {
    data.iter()
        .map(|column| -> Array {
            column.iter().map(|value| value.map_or(JsValue::NULL, JsValue::from)).collect()
        })
        .collect()
}
