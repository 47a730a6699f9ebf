//! Types of the core as serde writes them, read from their sources.

use std::path::Path;

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Fields, Item, Lit, LitStr, Token, Visibility};

/// A type that becomes JSON.
pub(crate) struct Data {
    pub(crate) name: String,
    /// Folder and file that it stands in, without the ending.
    module: Vec<String>,
    pub(crate) docs: String,
    pub(crate) shape: Shape,
}

pub(crate) enum Shape {
    Members(Vec<Member>),
    /// Words, each with what it means.
    Words(Vec<(String, String)>),
    /// Another type by another name.
    Alias(Box<syn::Type>),
    /// One of several types; a member of each says which.
    Tagged {
        tag: String,
        variants: Vec<(String, syn::Type)>,
    },
}

pub(crate) struct Member {
    /// Its name in Rust.
    pub(crate) field: String,
    /// Its name in JSON.
    pub(crate) name: String,
    pub(crate) docs: String,
    pub(crate) kind: syn::Type,
    /// Whether JSON may lack it.
    pub(crate) is_optional: bool,
    /// Whether its members stand in its place.
    pub(crate) is_flat: bool,
    /// Whether a function writes it, so that its type does not say what it becomes.
    pub(crate) is_written_by_hand: bool,
}

/// All types of some sources.
pub(crate) struct Sources(Vec<Data>);

impl Sources {
    /// Reads the Rust below some folders.
    pub(crate) fn read(folders: &[&str]) -> Self {
        let mut all = Vec::new();
        for path in folders.iter().flat_map(|folder| crate::sources::files(folder, &[".rs"])) {
            let text = std::fs::read_to_string(&path).expect("sources are text");
            // Parsing takes longer than all else.
            if ["Serialize", "labels!", "type Record"].iter().any(|word| text.contains(word)) {
                let file =
                    syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                let of_file = file.items.into_iter().flat_map(|item| data(item, &path));
                all.extend(of_file);
            }
        }
        Self(all)
    }

    /// The type that a name means in the place of another one: the nearest. Names may have the folder or the
    /// file of the type before them.
    pub(crate) fn find(&self, name: &str, from: Option<&Data>) -> Option<&Data> {
        let (folder, name) = name.rsplit_once("::").map_or((None, name), |(a, b)| (Some(a), b));
        let from = from.map_or(&[][..], |data| &data.module);
        let is_it = |data: &&Data| {
            let is_there = |folder: &str| data.module.iter().any(|part| part == folder);
            data.name == name && folder.is_none_or(is_there)
        };
        let common = |data: &Data| data.module.iter().zip(from).take_while(|(a, b)| a == b).count();
        let all: Vec<_> = self.0.iter().filter(is_it).collect();
        let most = all.iter().map(|data| common(data)).max()?;
        let mut nearest = all.into_iter().filter(|data| common(data) == most);
        let found = nearest.next();
        assert!(nearest.next().is_none(), "{name} is several types, seen from {from:?}");
        found
    }
}

fn data(item: Item, path: &Path) -> Vec<Data> {
    let module = || path.with_extension("").iter().map(|p| p.to_string_lossy().into()).collect();
    let of = |name: &syn::Ident, attributes: &[Attribute], shape| {
        vec![Data { name: name.to_string(), module: module(), docs: docs(attributes), shape }]
    };
    match item {
        Item::Struct(item) if derives_serialize(&item.attrs) => {
            let serde = Serde::of(&item.attrs);
            let is_optional = item.attrs.iter().any(|a| a.path().is_ident("skip_serializing_none"));
            match item.fields {
                Fields::Named(fields) => {
                    let members = fields.named.into_iter();
                    let members = members.filter_map(|field| member(field, &serde, is_optional));
                    of(&item.ident, &item.attrs, Shape::Members(members.collect()))
                }
                // Serde writes it as what it holds.
                Fields::Unnamed(fields) => {
                    let inner = fields.unnamed.into_iter().next();
                    let alias = inner.map(|inner| {
                        of(&item.ident, &item.attrs, Shape::Alias(Box::new(inner.ty)))
                    });
                    alias.unwrap_or_default()
                }
                Fields::Unit => Vec::new(),
            }
        }
        Item::Enum(item) if derives_serialize(&item.attrs) => {
            let serde = Serde::of(&item.attrs);
            let name = |variant: &syn::Variant| {
                let own = Serde::of(&variant.attrs).rename;
                let usual = || {
                    serde
                        .rename_all
                        .as_ref()
                        .map(|_| serde.spelled(&snake(&variant.ident.to_string())))
                };
                own.or_else(usual).unwrap_or_else(|| variant.ident.to_string())
            };
            let variants = item.variants;
            let shape = if let Some(tag) = serde.tag.clone() {
                let variants = variants.into_iter().filter_map(|variant| {
                    let name = name(&variant);
                    Some((name, variant.fields.into_iter().next()?.ty))
                });
                Shape::Tagged { tag, variants: variants.collect() }
            } else if variants.iter().all(|variant| variant.fields.is_empty()) {
                let words = variants.iter().map(|v| (name(v), docs(&v.attrs)));
                Shape::Words(words.collect())
            } else {
                return Vec::new();
            };
            of(&item.ident, &item.attrs, shape)
        }
        Item::Type(item) if item.generics.params.is_empty() => {
            of(&item.ident, &item.attrs, Shape::Alias(item.ty))
        }
        Item::Macro(item) if item.mac.path.is_ident("labels") => {
            let labels: Labels = item.mac.parse_body().expect("labels! is read as it is written");
            let words = |label: &Label| Shape::Words(label.words.clone());
            labels.0.iter().flat_map(|one| of(&one.name, &one.attributes, words(one))).collect()
        }
        Item::Macro(item) if item.mac.path.is_ident("ids") => {
            let ids: Ids = item.mac.parse_body().expect("ids! is read as it is written");
            let number = || syn::parse_str("u32").expect("it is a type");
            let ids = ids.0.iter();
            ids.flat_map(|(name, docs)| of(name, docs, Shape::Alias(Box::new(number())))).collect()
        }
        _ => Vec::new(),
    }
}

fn member(field: syn::Field, of_struct: &Serde, skips_none: bool) -> Option<Member> {
    let serde = Serde::of(&field.attrs);
    if serde.is_skipped {
        return None;
    }
    let name = field.ident.expect("it is named").to_string();
    let name = name.trim_start_matches("r#").to_owned();
    let is_always = field.attrs.iter().any(|a| a.path().is_ident("serialize_always"));
    Some(Member {
        name: serde.rename.unwrap_or_else(|| of_struct.spelled(&name)),
        field: name,
        docs: docs(&field.attrs),
        is_optional: serde.may_lack || skips_none && !is_always && is_option(&field.ty),
        is_flat: serde.is_flat,
        is_written_by_hand: serde.is_written_by_hand,
        kind: field.ty,
    })
}

fn is_option(kind: &syn::Type) -> bool {
    let syn::Type::Path(path) = kind else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Option")
}

fn derives_serialize(attributes: &[Attribute]) -> bool {
    let mut derives = attributes.iter().filter(|attribute| attribute.path().is_ident("derive"));
    derives.any(|attribute| {
        let paths = attribute.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
        paths.expect("a list of traits").iter().any(|path| path.is_ident("Serialize"))
    })
}

/// What attributes of serde say.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "attributes say each by itself")]
struct Serde {
    rename: Option<String>,
    rename_all: Option<String>,
    tag: Option<String>,
    is_skipped: bool,
    may_lack: bool,
    is_flat: bool,
    is_written_by_hand: bool,
}

impl Serde {
    fn of(attributes: &[Attribute]) -> Self {
        let mut serde = Self::default();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("serde")) {
            let read = attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                let text = meta.value().ok().map(syn::parse::ParseBuffer::parse::<LitStr>);
                let text = text.transpose()?.map(|text| text.value());
                match &*name {
                    "rename" => serde.rename = text,
                    "rename_all" => serde.rename_all = text,
                    "tag" => serde.tag = text,
                    "skip" | "skip_serializing" => serde.is_skipped = true,
                    "skip_serializing_if" => serde.may_lack = true,
                    "flatten" => serde.is_flat = true,
                    // It leaves out the point of a double that needs none.
                    "serialize_with" if text.as_deref() == Some("number::plain") => {}
                    "with" | "serialize_with" => serde.is_written_by_hand = true,
                    // How it is read, and what writes the same type in another way.
                    _ => {}
                }
                Ok(())
            });
            read.expect("attributes of serde are read as they are written");
        }
        serde
    }

    /// A name in `snake_case` as `rename_all` has it.
    fn spelled(&self, name: &str) -> String {
        match self.rename_all.as_deref() {
            None | Some("snake_case") => name.to_owned(),
            Some("camelCase") => camel(name),
            Some("kebab-case") => name.replace('_', "-"),
            Some("lowercase") => name.replace('_', ""),
            Some(other) => panic!("rename_all = {other:?} is not known here"),
        }
    }
}

/// `run_id` as `runId`.
pub(crate) fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        let (head, rest) = part.split_at(part.chars().next().map_or(0, char::len_utf8));
        name + &head.to_uppercase() + rest
    })
}

/// `RunId` as `run_id`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// Comments of an item up to the first heading, a line break between their lines.
fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let syn::Meta::NameValue(meta) = &attribute.meta else { return None };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { return None };
        meta.path.is_ident("doc").then(|| text.value().trim().to_owned())
    });
    let lines: Vec<_> = lines.take_while(|line| !line.starts_with("# ")).collect();
    lines.join("\n").trim().to_owned()
}

/// What stands in `labels!`.
struct Labels(Vec<Label>);

struct Label {
    attributes: Vec<Attribute>,
    name: syn::Ident,
    words: Vec<(String, String)>,
}

impl Parse for Labels {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut labels = Vec::new();
        while !input.is_empty() {
            let attributes = Attribute::parse_outer(input)?;
            let _: Visibility = input.parse()?;
            let name = input.parse()?;
            let content;
            syn::braced!(content in input);
            let mut words = Vec::new();
            while !content.is_empty() {
                let attributes = Attribute::parse_outer(&content)?;
                let _: syn::Ident = content.parse()?;
                let _: Token![=] = content.parse()?;
                let word: LitStr = content.parse()?;
                let _: Option<Token![,]> = content.parse()?;
                words.push((word.value(), docs(&attributes)));
            }
            labels.push(Label { attributes, name, words });
        }
        Ok(Self(labels))
    }
}

/// What stands in `ids!`.
struct Ids(Vec<(syn::Ident, Vec<Attribute>)>);

impl Parse for Ids {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut ids = Vec::new();
        while !input.is_empty() {
            let attributes = Attribute::parse_outer(input)?;
            ids.push((input.parse()?, attributes));
            let _: Option<Token![,]> = input.parse()?;
        }
        Ok(Self(ids))
    }
}
