//! Names of the files in which the doctor of a memory keeps what could not be used.

/// The file of which another holds what could not be used, and the number of it: `NAME.broken-N`.
pub(crate) fn kept_of(name: &str) -> Option<(&str, &str)> {
    let parts = name.rsplit_once(".broken-");
    parts.filter(|(file, digits)| {
        !file.is_empty() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_aside_names_its_file() {
        assert_eq!(kept_of("a.jsonl.broken-1"), Some(("a.jsonl", "1")));
        for name in ["x.broken-", ".broken-1", "x.broken-+1", "x.broken"] {
            assert_eq!(kept_of(name), None, "{name}");
        }
    }
}
