//! The component that holds a chart.

use leptos::ev::MouseEvent;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::print::{PRINT_WIDTH, svg};
use super::{Drawing, Marked, PrintChart};
use crate::platform::{self, Canvas};
use crate::state::App;

/// Draws a chart at the width that it has, again whenever that, the data or the theme changes. On paper it
/// is an SVG.
#[component]
pub(crate) fn ChartView<D, B>(
    /// Makes the chart for a width in pixels; none while there is nothing to draw.
    draw: B,
    /// What it shows, for those who cannot see it on paper.
    name: &'static str,
    /// The item that stands out.
    #[prop(into)]
    selected: Signal<Option<usize>>,
    /// The item under the pointer.
    hovered: RwSignal<Option<usize>>,
    /// A click on an item.
    #[prop(into)]
    on_pick: Callback<usize>,
) -> impl IntoView
where
    D: Drawing,
    B: Fn(f64) -> Option<D> + Clone + 'static,
{
    let app = App::get();
    let host = NodeRef::<Div>::new();
    let width = RwSignal::new(0.0);
    let watch = StoredValue::new_local(None);
    let shown = StoredValue::new_local(None::<(Canvas, D)>);
    let for_print = draw.clone();

    Effect::new(move |_| {
        if let Some(host) = host.get() {
            watch.set_value(platform::width_of(&host, move |pixels| {
                if width.get_untracked() > 0.0 {
                    return width.set(pixels);
                }
                // What came with the chart is seen before it is drawn.
                spawn_local(async move {
                    platform::pause().await;
                    let _ = width.try_set(pixels);
                });
            }));
        }
    });

    let paint = move || {
        let marked = Marked { selected: selected.get(), hovered: hovered.get() };
        shown.with_value(|shown| {
            if let Some((canvas, drawing)) = shown {
                canvas.draw(|brush| drawing.draw(brush, marked));
            }
        });
    };
    Effect::new(move |_| {
        let pixels = width.get();
        app.palette.track();
        shown.set_value(None);
        let Some(host) = host.get_untracked().filter(|_| pixels >= 80.0) else { return };
        let drawing = draw(pixels);
        shown.set_value(
            drawing.and_then(|drawing| Some((Canvas::new(&host, drawing.size())?, drawing))),
        );
        untrack(paint);
    });
    Effect::new(move |_| paint());

    let item_at = move |event: &MouseEvent| {
        let host = host.get_untracked()?;
        let place = platform::place_in(&host, event.client_x(), event.client_y());
        shown.with_value(|shown| shown.as_ref()?.1.item_at(place))
    };
    let look_at = move |item: Option<usize>| {
        if hovered.get_untracked() != item {
            hovered.set(item);
        }
    };
    let for_print = move || for_print(PRINT_WIDTH).map(|drawing| svg(&drawing, name));
    view! {
        <div
            class="chart"
            style=("min-height", format!("{}px", D::HEIGHT))
            node_ref=host
            on:pointermove=move |event| look_at(item_at(&event))
            on:pointerleave=move |_| look_at(None)
            on:click=move |event| {
                if let Some(item) = item_at(&event) {
                    on_pick.run(item);
                }
            }
        ></div>
        <PrintChart draw=for_print/>
    }
}
