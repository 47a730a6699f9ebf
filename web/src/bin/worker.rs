//! The worker of the page: it owns the files and the history.

fn main() {
    hindscope_web::serve();
}
