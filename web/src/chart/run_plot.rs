//! The component that shows the chart of a run, which the core draws.

use std::rc::Rc;
use std::sync::Arc;

use hindscope::{ChartLook, ChartScene, Svg};
use leptos::ev::{PointerEvent, WheelEvent};
use leptos::html::Div;
use leptos::prelude::*;

use super::print::{PRINT_WIDTH, PrintChart};
use super::scale::float;
use super::stage::{HEIGHTS, Shown, Span, bands, column};
use crate::platform::{self, Canvas};
use crate::state::App;

/// A pointer that moved less than this was a click.
const CLICK: f64 = 5.0;
/// What a pointer that is held down does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hold {
    /// It marks a stretch, in pixels.
    Brush { from: f64, to: f64 },
    /// It moves the chart; where it was last.
    Pan { begun: f64, last: f64 },
}

/// What the parts of the component share.
#[derive(Clone, Copy)]
struct Wires {
    shown: Signal<Shown>,
    kept: Signal<Arc<Vec<usize>>>,
    span: Signal<Span>,
    is_points: Signal<bool>,
    selected: Signal<Option<usize>>,
    held: Signal<Vec<u32>>,
    hovered: RwSignal<Option<usize>>,
    width: RwSignal<f64>,
    on_pick: Callback<usize>,
    on_span: Callback<(Span, bool)>,
    host: NodeRef<Div>,
    canvas: StoredValue<Option<Canvas>, LocalStorage>,
    scene: StoredValue<Option<Rc<ChartScene>>, LocalStorage>,
    /// Changes whenever things stand elsewhere.
    laid: RwSignal<u32>,
    /// Where the hovered iteration stands.
    pointed: RwSignal<Option<(f64, Option<f64>)>>,
    grip: RwSignal<Option<Hold>>,
}

impl Wires {
    fn all(&self) -> f64 {
        float(self.shown.with_untracked(|shown| shown.axis.slots()))
    }

    fn lay_out(&self, pixels: f64) -> ChartScene {
        let Span(first, end) = self.span.get_untracked();
        self.shown.with_untracked(|shown| {
            let look = ChartLook {
                width: pixels,
                heights: HEIGHTS,
                slots: [first, end],
                kept: self.kept.with_untracked(|kept| kept.as_ref().clone()),
                marks: shown.marks,
                is_derived: shown.is_derived,
                is_points: self.is_points.get_untracked(),
            };
            ChartScene::new(Arc::clone(&shown.columns), Arc::clone(&shown.axis), look)
        })
    }

    /// Makes the canvas anew.
    fn build(&self, pixels: f64) {
        self.canvas.set_value(None);
        let is_empty = self.shown.with(|shown| shown.columns.is_empty());
        if let Some(host) = self.host.get_untracked().filter(|_| pixels >= 80.0 && !is_empty) {
            let scene = self.lay_out(pixels);
            self.canvas.set_value(Canvas::new(&host, scene.size()));
            self.show(scene);
        }
    }

    fn show(&self, scene: ChartScene) {
        self.canvas.with_value(|canvas| {
            if let Some(canvas) = canvas {
                canvas.draw(|brush| scene.draw(brush));
            }
        });
        self.scene.set_value(Some(Rc::new(scene)));
        self.laid.update(|laid| *laid += 1);
    }

    /// What is in sight as it goes on paper, as far as there is anything.
    fn printed(&self) -> Option<String> {
        if self.shown.with(|shown| shown.columns.is_empty()) {
            return None;
        }
        let scene = self.lay_out(PRINT_WIDTH);
        let mut svg = Svg::default();
        scene.draw(&mut svg);
        Some(svg.element(scene.size(), "Reward, change and outcome by iteration"))
    }

    /// Draws another stretch, or other iterations of it, on the canvas that is there.
    fn change(&self) {
        if self.canvas.with_value(Option::is_some) {
            self.show(self.lay_out(self.width.get_untracked()));
        }
    }

    fn look_at(&self, (x, y): (f64, f64)) {
        let scene = self.scene.get_value();
        let item = scene.as_ref().and_then(|scene| scene.item_at(x, y));
        let place = item
            .zip(scene)
            .map(|(item, scene)| (scene.x_of(item), scene.point_of(item).map(|point| point.1)));
        if self.hovered.get_untracked() != item {
            self.hovered.set(item);
        }
        if self.pointed.get_untracked() != place {
            self.pointed.set(place);
        }
    }

    fn look_away(&self) {
        self.hovered.set(None);
        self.pointed.set(None);
    }

    fn slot_at(&self, x: f64) -> Option<f64> {
        self.scene.get_value().map(|scene| scene.slot_at(x))
    }

    fn place(&self, x: i32, y: i32) -> Option<(f64, f64)> {
        Some(platform::place_in(&*self.host.get_untracked()?, x, y))
    }

    fn pressed(&self, event: &PointerEvent) {
        let (Some((x, _)), 0 | 1) =
            (self.place(event.client_x(), event.client_y()), event.button())
        else {
            return;
        };
        let pans = event.button() == 1 || event.shift_key() || event.pointer_type() == "touch";
        let pan = Hold::Pan { begun: x, last: x };
        self.grip.set(Some(if pans { pan } else { Hold::Brush { from: x, to: x } }));
        if let Some(host) = self.host.get_untracked() {
            platform::capture(&host, event.pointer_id());
        }
    }

    fn moved(&self, event: &PointerEvent) {
        let Some(place) = self.place(event.client_x(), event.client_y()) else { return };
        match self.grip.get_untracked() {
            None => self.look_at(place),
            Some(Hold::Brush { from, .. }) => {
                self.grip.set(Some(Hold::Brush { from, to: place.0 }));
                self.look_at(place);
            }
            Some(Hold::Pan { begun, last }) => {
                if let (Some(before), Some(now)) = (self.slot_at(last), self.slot_at(place.0)) {
                    let span = self.span.get_untracked().moved(before - now, self.all());
                    self.on_span.run((span, false));
                }
                self.grip.set(Some(Hold::Pan { begun, last: place.0 }));
            }
        }
    }

    fn released(&self, event: &PointerEvent) {
        let Some((x, y)) = self.place(event.client_x(), event.client_y()) else { return };
        let done = self.grip.get_untracked();
        self.grip.set(None);
        let (begun, is_brush) = match done {
            None => return,
            Some(Hold::Brush { from, .. }) => (from, true),
            Some(Hold::Pan { begun, .. }) => (begun, false),
        };
        if (x - begun).abs() < CLICK {
            let item = self.scene.get_value().and_then(|scene| scene.item_at(x, y));
            if let Some(item) = item {
                self.on_pick.run(item);
            }
        } else if !is_brush {
            self.on_span.run((self.span.get_untracked(), true));
        } else if let (Some(from), Some(to)) =
            (self.slot_at(begun.min(x)), self.slot_at(begun.max(x)))
        {
            let wanted = Span((from + 0.5).floor(), (to + 0.5).ceil());
            self.on_span.run((wanted.inside(self.all()), true));
        }
    }

    /// With Ctrl the wheel zooms around the pointer. Sideways, or with Shift, it moves what is in sight.
    /// Otherwise it scrolls the page.
    fn wheeled(&self, event: &WheelEvent) {
        let (now, all) = (self.span.get_untracked(), self.all());
        let (along, across) = (event.delta_x(), event.delta_y());
        let by = if event.shift_key() && along == 0.0 { across } else { along };
        if event.ctrl_key() {
            let place = self.place(event.client_x(), event.client_y());
            let Some(still) = place.and_then(|(x, _)| self.slot_at(x)) else { return };
            let factor = (across / 240.0).clamp(-1.0, 1.0).exp2();
            self.on_span.run((now.zoomed(factor, still, all), true));
        } else if by != 0.0 && now.len() < all {
            self.on_span.run((now.moved(by / 600.0 * now.len(), all), true));
        } else {
            return;
        }
        event.prevent_default();
    }

    /// Edges of the stretch that is being marked.
    fn marked(&self) -> Option<(f64, f64)> {
        let Hold::Brush { from, to } = self.grip.get()? else { return None };
        let [left, right] = self.scene.get_value()?.edges();
        let inside = |x: f64| x.clamp(left, right);
        ((to - from).abs() >= CLICK).then(|| (inside(from.min(to)), inside(from.max(to))))
    }
}

/// The chart, where the reader points, and what a held pointer marks.
#[component]
pub(crate) fn RunPlot(
    #[prop(into)] shown: Signal<Shown>,
    /// Ordinals of the iterations to draw.
    #[prop(into)]
    kept: Signal<Arc<Vec<usize>>>,
    #[prop(into)] span: Signal<Span>,
    #[prop(into)] is_points: Signal<bool>,
    #[prop(into)] selected: Signal<Option<usize>>,
    /// Ordinals of the iterations whose reflections are in the window.
    #[prop(into)]
    held: Signal<Vec<u32>>,
    hovered: RwSignal<Option<usize>>,
    /// Set to the width in pixels.
    width: RwSignal<f64>,
    on_pick: Callback<usize>,
    /// Another span is wanted; whether the reader is done with moving it.
    on_span: Callback<(Span, bool)>,
) -> impl IntoView {
    let app = App::get();
    let host = NodeRef::<Div>::new();
    let watch = StoredValue::new_local(None);
    let grip = RwSignal::new(None::<Hold>);
    let wires = Wires {
        shown,
        kept,
        span,
        is_points,
        selected,
        held,
        hovered,
        width,
        on_pick,
        on_span,
        host,
        canvas: StoredValue::new_local(None),
        scene: StoredValue::new_local(None),
        laid: RwSignal::default(),
        pointed: RwSignal::default(),
        grip,
    };
    Effect::new(move |_| {
        if let Some(host) = host.get() {
            watch.set_value(platform::width_of(&host, move |pixels| width.set(pixels)));
        }
    });
    Effect::new(move |_| {
        app.palette.track();
        wires.build(width.get());
    });
    Effect::new(move |_| {
        kept.track();
        is_points.track();
        span.track();
        wires.change();
    });
    view! {
        <div
            class="run-plot"
            class:panning=move || matches!(grip.get(), Some(Hold::Pan { .. }))
            on:pointerdown=move |event| wires.pressed(&event)
            on:pointermove=move |event| wires.moved(&event)
            on:pointerup=move |event| wires.released(&event)
            on:pointercancel=move |_| grip.set(None)
            on:pointerleave=move |_| wires.look_away()
            on:wheel=move |event| wires.wheeled(&event)
        >
            <div class="chart" node_ref=host></div>
            <Overlay wires=StoredValue::new_local(wires)/>
        </div>
        <PrintChart draw=move || wires.printed()/>
    }
}

/// What moves with the pointer and with each step: it is not on the canvas, so that moving draws
/// nothing anew.
#[component]
fn Overlay(wires: StoredValue<Wires, LocalStorage>) -> impl IntoView {
    let pointed = wires.with_value(|wires| wires.pointed);
    let marked = move || wires.with_value(Wires::marked);
    let chosen = Memo::new(move |_| {
        wires.with_value(|wires| {
            wires.laid.track();
            column(wires.scene.get_value()?.as_ref(), wires.selected.get()?)
        })
    });
    let held = Memo::new(move |_| {
        wires.with_value(|wires| {
            wires.laid.track();
            let scene = wires.scene.get_value();
            scene.map(|scene| wires.held.with(|held| bands(&scene, held))).unwrap_or_default()
        })
    });
    view! {
        {move || held.get().into_iter().map(|(left, width)| view! {
            <div
                class="held-band"
                style:left=format!("{left:.1}px")
                style:width=format!("{width:.1}px")
            ></div>
        }).collect::<Vec<_>>()}
        <Show when=move || chosen.get().is_some()>
            <div
                class="chosen-band"
                style:transform=move || chosen.get().map(|(left, _)| format!("translateX({left:.1}px)"))
                style:width=move || chosen.get().map(|(_, width)| format!("{width:.1}px"))
            ></div>
        </Show>
        <Show when=move || pointed.get().is_some()>
            <div
                class="hover-line"
                style:transform=move || pointed.get().map(|(x, _)| format!("translateX({x:.1}px)"))
            ></div>
        </Show>
        <Show when=move || pointed.get().is_some_and(|(_, y)| y.is_some())>
            <div
                class="hover-dot"
                style:transform=move || {
                    let (x, y) = pointed.get()?;
                    Some(format!("translate({x:.1}px, {:.1}px)", y?))
                }
            ></div>
        </Show>
        <Show when=move || marked().is_some()>
            <div
                class="brush"
                style:left=move || marked().map(|(from, _)| format!("{from:.1}px"))
                style:width=move || marked().map(|(from, to)| format!("{:.1}px", to - from))
            ></div>
        </Show>
    }
}
