//! A strict reader of the XML that results are written in: it refuses what is not well formed.

/// An element with its attributes, texts and children.
#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(n, _)| n == name);
        &found.unwrap_or_else(|| panic!("<{}> has no {name}", self.name)).1
    }

    /// All elements of a name below this one.
    pub fn all(&self, name: &str) -> Vec<&Element> {
        let below = self.children.iter().flat_map(|c| {
            let own = (c.name == name).then_some(c);
            own.into_iter().chain(c.all(name))
        });
        below.collect()
    }
}

/// Reads a document.
pub fn parse(text: &str) -> Result<Element, String> {
    for c in text.chars() {
        let allowed = matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
            || c >= '\u{10000}';
        if !allowed {
            return Err(format!("the character U+{:04X} is forbidden", u32::from(c)));
        }
    }
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut rest = body.ok_or("no declaration")?;
    let root = element(&mut rest)?;
    if rest.trim().is_empty() { Ok(root) } else { Err(format!("more after the root: {rest:.40}")) }
}

fn element(rest: &mut &str) -> Result<Element, String> {
    *rest = rest.strip_prefix('<').ok_or_else(|| format!("no element: {rest:.40}"))?;
    let mut element = Element { name: word(rest)?, ..Element::default() };
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>") {
            *rest = after;
            return Ok(element);
        }
        if let Some(after) = rest.strip_prefix('>') {
            *rest = after;
            break;
        }
        let name = word(rest)?;
        *rest = rest.strip_prefix("=\"").ok_or_else(|| format!("no value of {name}"))?;
        let (value, after) = rest.split_once('"').ok_or("an open value")?;
        *rest = after;
        if element.attributes.iter().any(|(n, _)| *n == name) {
            return Err(format!("{name} stands twice"));
        }
        element.attributes.push((name, plain(value)?));
    }
    loop {
        let at = rest.find('<').ok_or_else(|| format!("<{}> is not closed", element.name))?;
        element.text += &plain(&rest[..at])?;
        *rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("</") {
            *rest = after;
            let name = word(rest)?;
            *rest = rest.strip_prefix('>').ok_or("an open end")?;
            return match name == element.name {
                true => Ok(element),
                false => Err(format!("<{}> is closed by </{name}>", element.name)),
            };
        }
        let child = self::element(rest)?;
        element.children.push(child);
    }
}

fn word(rest: &mut &str) -> Result<String, String> {
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    let end = end.unwrap_or(rest.len());
    let name = &rest[..end];
    if name.is_empty() {
        return Err(format!("no name: {rest:.40}"));
    }
    *rest = &rest[end..];
    Ok(name.to_owned())
}

/// A text with its references resolved.
fn plain(text: &str) -> Result<String, String> {
    if text.contains('<') || text.contains("]]>") {
        return Err(format!("a bare < or ]]>: {text:.40}"));
    }
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, after) = part.split_once(';').ok_or("a bare &")?;
        plain.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            "#9" => '\t',
            "#10" => '\n',
            "#13" => '\r',
            other => return Err(format!("an unknown reference &{other};")),
        });
        plain += after;
    }
    Ok(plain)
}

#[test]
fn what_is_not_well_formed_is_refused() {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    for bad in
        ["<a>", "<a></b>", "<a>&</a>", "<a b=c/>", "<a b=\"<\"/>", "<a/><b/>", "a", "<a>\0</a>"]
    {
        assert!(parse(&format!("{head}{bad}")).is_err(), "{bad}");
    }
    let good = parse(&format!("{head}<a b=\"1&lt;\">x<c/>y</a>\n")).expect("it is well formed");
    assert_eq!((good.get("b"), good.text.as_str(), good.children.len()), ("1<", "xy", 1));
}
