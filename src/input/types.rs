//! Types for the parts of a file that serde's own types would change or lose: text as written,
//! maps in the order of the file, and values whose form the reader decides later.
//!
//! This file must not know any lesson or answer.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::clean::{clean, one_line};
use super::decoder::AS_WRITTEN;

/// A text of the file, as written and cleaned: `no`, `1.0`, `08`, `12:30` and `null` stay what
/// they are.
///
/// A plain `String` field is as safe while it is decoded from a [`super::Document`]; this type
/// also refuses what another format or a buffering decoder has already turned into a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(String);

impl Text {
    /// Takes a text, cleaned.
    #[must_use]
    pub fn new(text: &str) -> Text {
        Text(clean(text).into_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Gives the text away.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::new(text)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text in quotes")
    }

    fn visit_str<E>(self, text: &str) -> Result<Text, E> {
        Ok(Text::new(text))
    }
}

/// A map that keeps the order of the file and refuses a key that comes twice.
///
/// Lookup walks the entries: the maps of a file are small.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderedMap<K, V>(Vec<(K, V)>);

impl<K: PartialEq, V> OrderedMap<K, V> {
    /// A map without entries.
    #[must_use]
    pub const fn new() -> Self {
        OrderedMap(Vec::new())
    }

    /// Adds an entry at the end; if the key is there already, gives the value back.
    ///
    /// # Errors
    /// The key is there already.
    pub fn insert(&mut self, key: K, value: V) -> Result<(), V> {
        if self.contains_key(&key) {
            return Err(value);
        }
        self.0.push((key, value));
        Ok(())
    }

    /// The value of a key.
    #[must_use]
    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        Q: ?Sized,
        K: PartialEq<Q>,
    {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// The value of a key, to change.
    pub fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        Q: ?Sized,
        K: PartialEq<Q>,
    {
        self.0.iter_mut().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// True if there is an entry with this key.
    #[must_use]
    pub fn contains_key<Q>(&self, key: &Q) -> bool
    where
        Q: ?Sized,
        K: PartialEq<Q>,
    {
        self.get(key).is_some()
    }

    /// The entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.0.iter().map(|(_, value)| value)
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K, V> Default for OrderedMap<K, V> {
    fn default() -> Self {
        OrderedMap(Vec::new())
    }
}

impl<K, V> IntoIterator for OrderedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Of equal keys the first stays.
impl<K: PartialEq, V> FromIterator<(K, V)> for OrderedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = OrderedMap::new();
        for (key, value) in entries {
            let _repeated = map.insert(key, value);
        }
        map
    }
}

impl<K: Serialize, V: Serialize> Serialize for OrderedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de, K, V> Deserialize<'de> for OrderedMap<K, V>
where
    K: Deserialize<'de> + PartialEq,
    V: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedMapVisitor(PhantomData))
    }
}

/// For editors: any keys, and values of one form.
impl<K, V: JsonSchema> JsonSchema for OrderedMap<K, V> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("MapOf{}", V::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let values = generator.subschema_for::<V>();
        json_schema!({ "type": "object", "additionalProperties": values })
    }
}

struct OrderedMapVisitor<K, V>(PhantomData<(K, V)>);

impl<'de, K, V> Visitor<'de> for OrderedMapVisitor<K, V>
where
    K: Deserialize<'de> + PartialEq,
    V: Deserialize<'de>,
{
    type Value = OrderedMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keys with values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = OrderedMap::new();
        while let Some((key, value)) = entries.next_entry()? {
            if map.insert(key, value).is_err() {
                let at = map.len() + 1;
                return Err(A::Error::custom(format!(
                    "entry {at} repeats a key of an entry before it"
                )));
            }
        }
        Ok(map)
    }
}

/// A value whose form is decided later, such as an answer: every scalar stays as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Raw {
    /// A value that was omitted: `key:` and no more.
    #[default]
    Nothing,
    /// One text, as written.
    Text(Text),
    /// Items.
    List(Vec<Raw>),
    /// Entries in the order of the file.
    Map(OrderedMap<Text, Raw>),
}

impl Raw {
    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Raw::Text(text) => Some(text),
            Raw::Nothing | Raw::List(_) | Raw::Map(_) => None,
        }
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Raw::Nothing => serializer.serialize_unit(),
            Raw::Text(text) => text.serialize(serializer),
            Raw::List(items) => items.serialize(serializer),
            Raw::Map(entries) => entries.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_newtype_struct(AS_WRITTEN, RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a list, or keys with values")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Raw, D::Error> {
        inner.deserialize_any(RawVisitor)
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Nothing)
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(Text::new(text)))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Text(Text(value.to_string())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Text(Text(value.to_string())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Text(Text(value.to_string())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Text(Text(value.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut entries = OrderedMap::new();
        while let Some((key, value)) = map.next_entry::<Text, Raw>()? {
            let name = one_line(&key);
            if entries.insert(key, value).is_err() {
                return Err(A::Error::custom(format!("the key `{name}` is repeated")));
            }
        }
        Ok(Raw::Map(entries))
    }
}
