//! Decodes one node of a document as the type asks: a text stays as it was written, whatever it
//! looks like.
//!
//! This file must not decide which faults are shown; `typed` does.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, Error as _, Visitor};

use super::clean::quoted;
use super::count::count;
use super::document::{Document, Entry, Kind, NodeId};
use super::fault::Fault;
use super::syntax::{COLON_HELP, colon_without_space, special_start_help};
use super::words::one_of;

/// The name with which a type asks for scalars as they were written, whatever they look like.
pub(super) const AS_WRITTEN: &str = "lockstep::input::AsWritten";

/// Keys with this start belong to the author, in every map of fixed keys.
const AUTHORS_KEYS: &str = "x-";

/// What all decoders of one pass share.
pub(super) struct Context<'d> {
    pub document: &'d Document,
    /// Values with a fault, which later passes do as if they were not there.
    pub left_out: &'d [bool],
}

/// Decodes one node.
#[derive(Clone, Copy)]
pub(super) struct Decoder<'d> {
    pub cx: &'d Context<'d>,
    pub node: NodeId,
    as_written: bool,
}

impl<'d> Decoder<'d> {
    pub fn at(cx: &'d Context<'d>, node: NodeId) -> Decoder<'d> {
        Decoder { cx, node, as_written: false }
    }

    fn kind(&self) -> &'d Kind {
        &self.cx.document.nodes[self.node].kind
    }

    /// The text of a scalar without quotes.
    fn plain(&self) -> Option<&'d str> {
        match self.kind() {
            Kind::Scalar { text, plain: true } => Some(text),
            Kind::Scalar { .. } | Kind::List(_) | Kind::Map(_) => None,
        }
    }

    /// True for a value that was omitted: `key:` and no more.
    fn is_nothing(&self) -> bool {
        self.plain() == Some("")
    }

    /// The node in words: "`three`", "a list".
    fn found(&self) -> String {
        match self.kind() {
            Kind::Scalar { text, plain: true } if text.is_empty() => "nothing".to_owned(),
            Kind::Scalar { text, plain: true } => quoted(text),
            Kind::Scalar { text, .. } => format!("the text {}", quoted(text)),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "keys with values".to_owned(),
        }
    }

    fn expected(&self, what: &str) -> Fault {
        Fault::new(format!("expected {what}, found {}", self.found()))
    }

    /// The fault of something else where a text should be, with what probably made it so.
    fn expected_text(&self) -> Fault {
        let fault = self.expected("text");
        let help = match (self.kind(), self.cx.document.first_char(self.node)) {
            (Kind::List(_), Some('[')) => Some(special_start_help('[')),
            (Kind::Map(_), Some('{')) => Some(special_start_help('{')),
            (Kind::Map(_), _) => Some(COLON_HELP.to_owned()),
            (Kind::Scalar { .. }, _) if self.is_commented_out() => {
                Some("what follows # is a comment; put the text in quotes".to_owned())
            }
            (Kind::Scalar { .. }, _) => Some("an empty text is written \"\"".to_owned()),
            (Kind::List(_), _) => None,
        };
        fault.with_help(help)
    }

    /// True if nothing but a comment follows on the line of a value.
    fn is_commented_out(&self) -> bool {
        let at = self.cx.document.nodes[self.node].offset;
        self.cx.document.source.text()[at..].trim_start_matches([' ', '\t']).starts_with('#')
    }

    fn whole_number(&self) -> Result<Whole, Fault> {
        let fault = || self.expected("a whole number");
        let text = self.plain().ok_or_else(fault)?;
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(fault());
        }
        if digits.len() > 1 && digits.starts_with('0') {
            return Err(fault().with_help(Some("write a number without a leading 0")));
        }
        let unsigned = text.parse::<u64>().map(Whole::Unsigned);
        let whole = unsigned.or_else(|_| text.parse::<i64>().map(Whole::Signed));
        whole.map_err(|_| Fault::new(format!("the number {} is too large", quoted(text))))
    }

    fn number(&self) -> Result<f64, Fault> {
        let fault = || self.expected("a number");
        let text = self.plain().ok_or_else(fault)?;
        let start = text.strip_prefix(['-', '+']).unwrap_or(text);
        let starts_well = start.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let number = text.parse::<f64>().map_err(|_| fault())?;
        if starts_well && number.is_finite() { Ok(number) } else { Err(fault()) }
    }

    fn entries(&self, fixed_keys: bool) -> Result<std::slice::Iter<'d, Entry>, Fault> {
        match self.kind() {
            Kind::Map(entries) => Ok(entries.iter()),
            _ if self.is_nothing() => Ok([].iter()),
            _ => {
                let what =
                    if fixed_keys { "keys with values" } else { "keys with values (key: value)" };
                let slip = self.plain().and_then(colon_without_space);
                let help = slip.map(|(_, message, help)| format!("{message}; {help}"));
                Err(self.expected(what).with_help(help))
            }
        }
    }

    fn visit_entries<V: Visitor<'d>>(
        self,
        fixed_keys: bool,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let entries = self.entries(fixed_keys).map_err(|fault| fault.at(self.node))?;
        let map = MapDecoder { cx: self.cx, entries, value: None, fixed_keys };
        visitor.visit_map(map).map_err(|fault| fault.at(self.node))
    }

    fn visit_items<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let items = match self.kind() {
            Kind::List(items) => items.as_slice(),
            _ if self.is_nothing() => &[],
            _ => {
                let help = "write a list as [a, b], or each item on a line of its own after \"- \"";
                return Err(self.expected("a list").with_help(Some(help)).at(self.node));
            }
        };
        let mut list = ListDecoder { cx: self.cx, items: items.iter(), taken: 0 };
        let value = visitor.visit_seq(&mut list).map_err(|fault| fault.at(self.node))?;
        let rest = list.items.filter(|id| !self.cx.left_out[**id]).count();
        if rest > 0 {
            let (wanted, all) = (list.taken, list.taken + rest);
            let (wanted, all) = (count(wanted, "item"), count(all, "item"));
            let message = format!("expected a list of {wanted}, found {all}");
            return Err(Fault::new(message).at(self.node));
        }
        Ok(value)
    }
}

enum Whole {
    Unsigned(u64),
    Signed(i64),
}

/// True for the ways to write a missing value. Only where no text is asked for.
fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null")
}

macro_rules! whole_numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
            let value = self.whole_number().and_then(|whole| match whole {
                Whole::Unsigned(value) => visitor.visit_u64(value),
                Whole::Signed(value) => visitor.visit_i64(value),
            });
            value.map_err(|fault| fault.at(self.node))
        }
    )*};
}

/// Kinds of values that are decoded as another one is.
macro_rules! as_others {
    ($($method:ident($($more:ty),*) => $other:ident($($with:expr)?);)*) => {$(
        fn $method<V: Visitor<'d>>(self, $(_: $more,)* visitor: V) -> Result<V::Value, Fault> {
            self.$other($($with,)? visitor)
        }
    )*};
}

impl<'d> Deserializer<'d> for Decoder<'d> {
    type Error = Fault;

    as_others! {
        deserialize_f32() => deserialize_f64();
        deserialize_char() => deserialize_str();
        deserialize_string() => deserialize_str();
        deserialize_bytes() => deserialize_str();
        deserialize_byte_buf() => deserialize_str();
        deserialize_identifier() => deserialize_str();
        deserialize_unit_struct(&'static str) => deserialize_unit();
        deserialize_seq() => visit_items();
        deserialize_tuple(usize) => visit_items();
        deserialize_tuple_struct(&'static str, usize) => visit_items();
        deserialize_map() => visit_entries(false);
        deserialize_struct(&'static str, &'static [&'static str]) => visit_entries(true);
    }

    whole_numbers! {
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
    }

    fn deserialize_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let value = match self.kind() {
            Kind::List(_) => self.visit_items(visitor),
            Kind::Map(_) => self.visit_entries(false, visitor),
            Kind::Scalar { .. } if self.is_nothing() => visitor.visit_unit(),
            Kind::Scalar { text, plain: true } if !self.as_written => match text.as_str() {
                text if is_null(text) => visitor.visit_unit(),
                "true" => visitor.visit_bool(true),
                "false" => visitor.visit_bool(false),
                text => match (self.whole_number(), self.number()) {
                    (Ok(Whole::Unsigned(value)), _) => visitor.visit_u64(value),
                    (Ok(Whole::Signed(value)), _) => visitor.visit_i64(value),
                    (_, Ok(value)) => visitor.visit_f64(value),
                    (_, Err(_)) => visitor.visit_borrowed_str(text),
                },
            },
            Kind::Scalar { text, .. } => visitor.visit_borrowed_str(text),
        };
        value.map_err(|fault| fault.at(self.node))
    }

    fn deserialize_bool<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let value = match self.plain() {
            Some("true") => visitor.visit_bool(true),
            Some("false") => visitor.visit_bool(false),
            _ => Err(Fault::new(format!("found {}: write true or false", self.found()))),
        };
        value.map_err(|fault| fault.at(self.node))
    }

    fn deserialize_f64<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let value = self.number().and_then(|number| visitor.visit_f64(number));
        value.map_err(|fault| fault.at(self.node))
    }

    fn deserialize_str<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let value = match self.kind() {
            Kind::Scalar { text, .. } if !self.is_nothing() => visitor.visit_borrowed_str(text),
            _ => Err(self.expected_text()),
        };
        value.map_err(|fault| fault.at(self.node))
    }

    /// Only a value that was omitted is none: the words `null` and `~` may be meant as text.
    fn deserialize_option<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let value = if self.is_nothing() { visitor.visit_none() } else { visitor.visit_some(self) };
        value.map_err(|fault| fault.at(self.node))
    }

    fn deserialize_unit<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        let value = match self.plain() {
            Some(text) if is_null(text) => visitor.visit_unit(),
            _ => Err(self.expected("nothing")),
        };
        value.map_err(|fault| fault.at(self.node))
    }

    fn deserialize_newtype_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let inner = Decoder { as_written: name == AS_WRITTEN, ..self };
        visitor.visit_newtype_struct(inner).map_err(|fault| fault.at(self.node))
    }

    fn deserialize_enum<V: Visitor<'d>>(
        self,
        _name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let variant = match self.kind() {
            Kind::Scalar { .. } if !self.is_nothing() => {
                Ok(VariantDecoder { cx: self.cx, name: self.node, content: None })
            }
            Kind::Map(entries) => {
                let mut live = entries.iter().filter(|entry| !self.cx.left_out[entry.value]);
                match (live.next(), live.next()) {
                    (Some(&Entry { key, value }), None) => {
                        Ok(VariantDecoder { cx: self.cx, name: key, content: Some(value) })
                    }
                    (Some(_), Some(second)) => {
                        let words = one_of(names);
                        Err(Fault::new(format!("only one of {words} can stand here"))
                            .at(second.key))
                    }
                    (None, _) => Err(self.expected(&one_of(names))),
                }
            }
            Kind::Scalar { .. } | Kind::List(_) => Err(self.expected(&one_of(names))),
        };
        variant.and_then(|variant| visitor.visit_enum(variant)).map_err(|fault| fault.at(self.node))
    }

    fn deserialize_ignored_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }
}

/// The items of a list.
struct ListDecoder<'d> {
    cx: &'d Context<'d>,
    items: std::slice::Iter<'d, NodeId>,
    taken: usize,
}

impl<'d> de::SeqAccess<'d> for ListDecoder<'d> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'d>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(&node) = self.items.find(|id| !self.cx.left_out[**id]) else { return Ok(None) };
        self.taken += 1;
        seed.deserialize(Decoder::at(self.cx, node)).map(Some).map_err(|fault| fault.at(node))
    }
}

/// The entries of a map; in one of fixed keys the author's own are skipped.
struct MapDecoder<'d> {
    cx: &'d Context<'d>,
    entries: std::slice::Iter<'d, Entry>,
    value: Option<NodeId>,
    fixed_keys: bool,
}

impl MapDecoder<'_> {
    fn is_skipped(&self, entry: &Entry) -> bool {
        let key = self.cx.document.text_of(entry.key).unwrap_or_default();
        self.cx.left_out[entry.value] || (self.fixed_keys && key.starts_with(AUTHORS_KEYS))
    }
}

impl<'d> de::MapAccess<'d> for MapDecoder<'d> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'d>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let mut entries = self.entries.clone();
        let next = entries.find(|entry| !self.is_skipped(entry)).copied();
        self.entries = entries;
        let Some(Entry { key, value }) = next else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(Decoder::at(self.cx, key)).map(Some).map_err(|fault| fault.at(key))
    }

    fn next_value_seed<V: DeserializeSeed<'d>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let node =
            self.value.take().ok_or_else(|| Fault::custom("a value was read before its key"))?;
        seed.deserialize(Decoder::at(self.cx, node)).map_err(|fault| fault.at(node))
    }
}

/// A variant: `name`, or `name: content`.
struct VariantDecoder<'d> {
    cx: &'d Context<'d>,
    name: NodeId,
    content: Option<NodeId>,
}

impl<'d> VariantDecoder<'d> {
    fn content(&self) -> Result<Decoder<'d>, Fault> {
        let name = self.cx.document.text_of(self.name).unwrap_or_default();
        let lacking = || Fault::new(format!("{} needs a value", quoted(name))).at(self.name);
        self.content.map(|node| Decoder::at(self.cx, node)).ok_or_else(lacking)
    }
}

impl<'d> de::EnumAccess<'d> for VariantDecoder<'d> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'d>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let text = self.cx.document.text_of(self.name).unwrap_or_default();
        let name = seed.deserialize(BorrowedStrDeserializer::<Fault>::new(text));
        Ok((name.map_err(|fault| fault.at(self.name))?, self))
    }
}

impl<'d> de::VariantAccess<'d> for VariantDecoder<'d> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.content {
            Some(node) => de::Deserialize::deserialize(Decoder::at(self.cx, node)),
            None => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'d>>(self, seed: T) -> Result<T::Value, Fault> {
        let content = self.content()?;
        seed.deserialize(content).map_err(|fault| fault.at(content.node))
    }

    fn tuple_variant<V: Visitor<'d>>(self, _len: usize, visitor: V) -> Result<V::Value, Fault> {
        self.content()?.visit_items(visitor)
    }

    fn struct_variant<V: Visitor<'d>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.content()?.visit_entries(true, visitor)
    }
}
