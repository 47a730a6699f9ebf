//! Tar archives, header by header.

/// Writes a tar archive.
#[derive(Clone, Debug, Default)]
pub struct Tar(Vec<u8>);

impl Tar {
    /// Adds a file.
    #[must_use]
    pub fn file(self, name: &str, bytes: &[u8]) -> Self {
        self.add(name, b'0', "", bytes, Flavour::Ustar)
    }

    /// Adds a file with the header of before 1988.
    #[must_use]
    pub fn old_file(self, name: &str, bytes: &[u8]) -> Self {
        self.add(name, 0, "", bytes, Flavour::Old)
    }

    /// Adds a folder.
    #[must_use]
    pub fn folder(self, name: &str) -> Self {
        self.add(name, b'5', "", b"", Flavour::Ustar)
    }

    /// Adds something that is no file: 1 hard link, 2 link, 3 and 4 devices, 6 pipe.
    #[must_use]
    pub fn special(self, name: &str, kind: u8, link: &str) -> Self {
        self.add(name, kind, link, b"", Flavour::Ustar)
    }

    /// Adds records for the header that follows.
    #[must_use]
    pub fn pax(self, records: &[(&str, &str)]) -> Self {
        self.add("PaxHeader", b'x', "", &pax(records), Flavour::Ustar)
    }

    /// Adds a name for the header that follows, as GNU does.
    #[must_use]
    pub fn long_name(self, name: &str) -> Self {
        let bytes = [name.as_bytes(), b"\0"].concat();
        self.add("././@LongLink", b'L', "", &bytes, Flavour::Gnu)
    }

    /// Adds bytes as they are.
    #[must_use]
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// The archive, with the blocks of zeros that end it.
    pub fn finish(mut self) -> Vec<u8> {
        self.0.extend([0; 1024]);
        self.0
    }

    fn add(mut self, name: &str, kind: u8, link: &str, bytes: &[u8], flavour: Flavour) -> Self {
        let mut block = [0; 512];
        let (prefix, name) = match name.split_once("//prefix//") {
            Some((prefix, name)) => (prefix, name),
            None => ("", name),
        };
        let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
        put(0, &name.as_bytes()[..name.len().min(100)]);
        put(100, b"0000644\0");
        put(124, format!("{:011o} ", bytes.len()).as_bytes());
        put(136, b"00000000000 ");
        put(148, b"        ");
        put(156, &[kind]);
        put(157, link.as_bytes());
        match flavour {
            Flavour::Ustar => put(257, b"ustar\x0000"),
            Flavour::Gnu => put(257, b"ustar  \0"),
            Flavour::Old => {}
        }
        put(345, prefix.as_bytes());
        let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        self.0.extend(block);
        self.0.extend(bytes);
        let pad = bytes.len().next_multiple_of(512) - bytes.len();
        self.0.resize(self.0.len() + pad, 0);
        self
    }
}

#[derive(Clone, Copy)]
enum Flavour {
    Old,
    Ustar,
    Gnu,
}

/// Records of POSIX's pax.
pub fn pax(records: &[(&str, &str)]) -> Vec<u8> {
    let line = |(key, value): &(&str, &str)| {
        let rest = format!(" {key}={value}\n");
        let mut len = rest.len() + 1;
        while len != rest.len() + len.to_string().len() {
            len += 1;
        }
        format!("{len}{rest}").into_bytes()
    };
    records.iter().flat_map(line).collect()
}
