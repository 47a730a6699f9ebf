//! `cargo xtask serve`: the built page on this machine, served by `web/serve.mjs`.

use crate::build::{Product, Profile};
use crate::process::{Failure, Outcome};
use crate::workspace::Workspace;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};

const DEFAULT_PORT: u16 = 8080;

/// `cargo xtask serve`
pub(crate) fn command(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let port = parse(arguments)?;
    // Before the build: nobody should wait minutes to hear that the port is taken.
    drop(listen(port)?);
    let page = Product::Page.build(workspace, Profile::Release)?;
    workspace.run("node").arg("web/serve.mjs").arg(&page).arg(port.to_string()).take_over()
}

fn parse(arguments: &[String]) -> Outcome<u16> {
    let text = match arguments {
        [] => return Ok(DEFAULT_PORT),
        [name, value] if name == "--port" => value.as_str(),
        [both] if both.starts_with("--port=") => &both["--port=".len()..],
        _ => {
            return Err(Failure::usage(format!(
                "`serve` does not know `{}`; it takes --port N",
                arguments.join(" ")
            )));
        }
    };
    text.parse().map_err(|_| Failure::usage(format!("`{text}` is not a port: expected 0 to 65535")))
}

fn listen(port: u16) -> Outcome<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => Failure::new(format!(
            "port {port} is taken by another program; choose another: cargo xtask serve --port {}",
            port.checked_add(1).unwrap_or(DEFAULT_PORT)
        )),
        _ => Failure::new(format!("cannot listen on port {port}: {error}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(arguments: &[&str]) -> Vec<String> {
        arguments.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn the_port_can_be_chosen_in_both_spellings() {
        assert_eq!(parse(&[]).expect("default"), 8080);
        assert_eq!(parse(&owned(&["--port", "9000"])).expect("two words"), 9000);
        assert_eq!(parse(&owned(&["--port=9001"])).expect("one word"), 9001);
        assert_eq!(parse(&owned(&["--port", "x"])).expect_err("no").code(), 2);
        assert_eq!(parse(&owned(&["here"])).expect_err("no").code(), 2);
    }

    #[test]
    fn a_taken_port_is_said_with_a_way_on() {
        let first = listen(0).expect("any free port");
        let port = first.local_addr().expect("bound").port();
        let failure = listen(port).expect_err("taken");
        assert!(failure.to_string().contains("--port"), "{failure}");
    }
}
