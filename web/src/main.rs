//! The page.

fn main() {
    hindscope_web::start();
}
