//! Hands the items, entries and variants of a node to the type that is decoded.
//!
//! This file must not decode scalars; `decoder` does.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeSeed, Error as _, Visitor};

use super::clean::quoted;
use super::decoder::Decoder;
use super::document::{Entry, NodeId};
use super::fault::Fault;
use super::typed::Context;

/// Keys with this start belong to the author, in every map of fixed keys.
const AUTHORS_KEYS: &str = "x-";

/// The items of a list.
pub(super) struct ListDecoder<'d> {
    pub cx: &'d Context<'d>,
    pub items: std::slice::Iter<'d, NodeId>,
    pub taken: usize,
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
pub(super) struct MapDecoder<'d> {
    pub cx: &'d Context<'d>,
    pub entries: std::slice::Iter<'d, Entry>,
    pub value: Option<NodeId>,
    pub fixed_keys: bool,
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
pub(super) struct VariantDecoder<'d> {
    pub cx: &'d Context<'d>,
    pub name: NodeId,
    pub content: Option<NodeId>,
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
