//! The little of HTTP a page needs: GET and HEAD of files, one request per connection.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// More than any browser sends; a longer head is not for us.
const HEAD_LIMIT: u64 = 16 * 1024;

/// Reads one request and answers it with a file below `root`.
pub(super) fn answer(mut stream: TcpStream, root: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_write_timeout(Some(Duration::from_mins(1)))?;
    let request = read_request(&stream)?;
    respond(&request, root, &mut stream)?;
    stream.flush()
}

/// The first line of the request. The headers are read, so that closing does not reset the
/// connection, and not used.
fn read_request(stream: impl Read) -> io::Result<String> {
    let mut reader = BufReader::new(stream.take(HEAD_LIMIT));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 || line == b"\r\n" || line == b"\n" {
            return Ok(first);
        }
    }
}

fn respond(request: &str, root: &Path, out: &mut impl Write) -> io::Result<()> {
    let mut words = request.split_whitespace();
    let (Some(method), Some(address)) = (words.next(), words.next()) else {
        return refuse(out, "400 Bad Request", true);
    };
    let with_body = method == "GET";
    if !with_body && method != "HEAD" {
        return refuse(out, "405 Method Not Allowed", true);
    }
    let Some(path) = file_for(root, address) else {
        return refuse(out, "404 Not Found", with_body);
    };
    let Ok(mut file) = File::open(&path) else {
        return refuse(out, "404 Not Found", with_body);
    };
    let len = file.metadata()?.len();
    head(out, "200 OK", mime(&path), len)?;
    if with_body {
        io::copy(&mut file, out)?;
    }
    Ok(())
}

fn refuse(out: &mut impl Write, status: &str, with_body: bool) -> io::Result<()> {
    head(out, status, "text/plain; charset=utf-8", status.len() as u64)?;
    if with_body {
        out.write_all(status.as_bytes())?;
    }
    Ok(())
}

/// No `Cross-Origin-Opener-Policy`: a page that opens this one may hand files over to it.
fn head(out: &mut impl Write, status: &str, mime: &str, len: u64) -> io::Result<()> {
    write!(
        out,
        "HTTP/1.1 {status}\r\n\
         Content-Type: {mime}\r\n\
         Content-Length: {len}\r\n\
         Cache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\n\
         Cross-Origin-Embedder-Policy: require-corp\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\
         Connection: close\r\n\r\n"
    )
}

/// The file an address means, if it is one below `root`.
fn file_for(root: &Path, address: &str) -> Option<PathBuf> {
    let path = address.split(['?', '#']).next()?;
    let path = percent_decoded(path.strip_prefix('/')?)?;
    let mut file = root.to_owned();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        // No way up, no other drive, and no file that is hidden.
        if part.starts_with('.') || part.contains(['\\', ':', '\0']) {
            return None;
        }
        file.push(part);
    }
    if file.is_dir() {
        file.push("index.html");
    }
    // A link could lead out of the folder without any dots.
    let real = fs::canonicalize(&file).ok()?;
    real.starts_with(fs::canonicalize(root).ok()?).then_some(real)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// What a browser has to be told about a file: wasm only streams, and modules only load, with the
/// right type.
fn mime(path: &Path) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "jsonl" => "application/jsonl",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a page, a secret beside it, and a link to the secret.
    struct Site(PathBuf);

    impl Site {
        fn new(name: &str) -> Self {
            let dir = std::env::temp_dir().join(format!("hindscope-{name}-{}", std::process::id()));
            let root = dir.join("page");
            fs::create_dir_all(root.join("sub")).expect("temporary folder");
            fs::write(root.join("index.html"), "<p>hi").expect("write");
            fs::write(root.join("sub/a b.wasm"), "\0asm").expect("write");
            fs::write(root.join(".hidden"), "no").expect("write");
            fs::write(dir.join("secret"), "no").expect("write");
            #[cfg(unix)]
            std::os::unix::fs::symlink(dir.join("secret"), root.join("link")).expect("link");
            Self(dir)
        }

        fn get(&self, request: &str) -> String {
            let mut out = Vec::new();
            respond(request, &self.0.join("page"), &mut out).expect("memory takes all");
            String::from_utf8_lossy(&out).into_owned()
        }
    }

    impl Drop for Site {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn files_come_with_type_and_length() {
        let site = Site::new("files");
        let answer = site.get("GET / HTTP/1.1");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html"), "{answer}");
        assert!(answer.ends_with("\r\n\r\n<p>hi"), "{answer}");
        let answer = site.get("GET /sub/a%20b.wasm?v=1#x HTTP/1.1");
        assert!(answer.contains("application/wasm\r\nContent-Length: 4\r\n"), "{answer}");
        assert!(answer.contains("X-Content-Type-Options: nosniff"), "{answer}");
    }

    #[test]
    fn head_sends_no_body() {
        let answer = Site::new("head").get("HEAD /index.html HTTP/1.1");
        assert!(
            answer.contains("Content-Length: 5\r\n") && answer.ends_with("\r\n\r\n"),
            "{answer}"
        );
    }

    #[test]
    fn nothing_outside_of_the_folder_is_served() {
        let site = Site::new("outside");
        for address in [
            "/../secret",
            "/%2e%2e/secret",
            "/sub/..%2f..%2fsecret",
            "/sub/..%5c..%5csecret",
            "/link",
            "/.hidden",
            "/none",
            "/sub",
            "secret",
            "//etc/passwd",
            "/%00",
            "/%zz",
            "/%e4",
        ] {
            let answer = site.get(&format!("GET {address} HTTP/1.1"));
            assert!(answer.starts_with("HTTP/1.1 404"), "{address}: {answer}");
        }
    }

    #[test]
    fn other_requests_are_refused() {
        let site = Site::new("other");
        assert!(site.get("POST / HTTP/1.1").starts_with("HTTP/1.1 405"));
        assert!(site.get("").starts_with("HTTP/1.1 400"));
    }

    #[test]
    fn the_head_of_a_request_is_read_to_its_end() {
        let request = "GET /a HTTP/1.1\r\nHost: here\r\n\r\nrest";
        assert_eq!(read_request(request.as_bytes()).expect("complete"), "GET /a HTTP/1.1\r\n");
        assert_eq!(read_request(&b""[..]).expect("empty"), "");
    }
}
