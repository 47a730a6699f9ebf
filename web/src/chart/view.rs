//! The component that holds a chart.

use std::rc::Rc;

use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::print::{PRINT_WIDTH, svg};
use super::{Drawing, Marked, PrintChart};
use crate::platform::{self, Hooks, Plot};
use crate::state::App;

/// Lets uPlot draw a chart at the width that it has, again whenever that, the data or the theme
/// changes. On paper it is an SVG.
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
    let plot = StoredValue::new_local(None::<Plot>);
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

    Effect::new(move |_| {
        let pixels = width.get();
        app.palette.track();
        plot.set_value(None);
        let Some(host) = host.get_untracked().filter(|_| pixels >= 80.0) else { return };
        let Some(drawing) = draw(pixels) else { return };
        let inks = Rc::new(platform::inks(&host));
        let drawing = Rc::new(drawing);
        let marked =
            move || Marked { selected: selected.get_untracked(), hovered: hovered.get_untracked() };
        let (options, data) = (drawing.options(&inks), drawing.data());
        let (under, over) = (Rc::clone(&drawing), drawing);
        let hooks = Hooks {
            under: Box::new(move |mut pen| under.under(&mut pen, marked())),
            over: Box::new(move |mut pen| over.over(&mut pen)),
            hovered: Box::new(move |item| hovered.set(item)),
            picked: Box::new(move |item| on_pick.run(item)),
        };
        plot.set_value(Plot::new(&host, &options, &data, inks, hooks).ok());
    });

    Effect::new(move |_| {
        selected.track();
        hovered.track();
        plot.with_value(|plot| plot.as_ref().map(Plot::redraw));
    });

    let for_print = move || for_print(PRINT_WIDTH).map(|drawing| svg(&drawing, name));
    view! {
        <div class="chart" style=("min-height", format!("{}px", D::HEIGHT)) node_ref=host></div>
        <PrintChart draw=for_print/>
    }
}
