//! Formulas as people write them: `3*(n-1)`, `3(N-1)`, `2n`, `3√N`, `ceil(sqrt(n))`, `n^2`, folded before.
//!
//! A small descent with limits. A formula either has a finite value or none at all.

/// The longest formula.
const MAX_LEN: usize = 200;
/// How deep brackets, roots and powers may be nested.
const MAX_DEPTH: usize = 40;

/// A formula over `n` and `k`.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// The number of nodes.
    N,
    /// The size of a voting set.
    K,
    /// `-a`.
    Minus(Box<Expr>),
    /// `√a`.
    Sqrt(Box<Expr>),
    /// Rounded up.
    Ceil(Box<Expr>),
    /// Rounded down.
    Floor(Box<Expr>),
    /// Two parts and what joins them: `+`, `-`, `*`, `/` or `^`.
    Two(Box<Expr>, char, Box<Expr>),
}

impl Expr {
    /// Reads a formula; `None`: it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_LEN {
            return None;
        }
        let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
        let whole = parser.sum()?;
        (parser.at == parser.tokens.len()).then_some(whole)
    }

    /// Its value; `None`: there is none, or it is not finite.
    #[must_use]
    pub fn value(&self, n: f64, k: f64) -> Option<f64> {
        let value = match self {
            Self::Number(number) => *number,
            Self::N => n,
            Self::K => k,
            Self::Minus(a) => -a.value(n, k)?,
            Self::Sqrt(a) => a.value(n, k)?.sqrt(),
            // A root that is a whole number up to rounding is not rounded up to the next.
            Self::Ceil(a) => (a.value(n, k)? - 1e-9).ceil(),
            Self::Floor(a) => (a.value(n, k)? + 1e-9).floor(),
            Self::Two(a, joint, b) => {
                let (a, b) = (a.value(n, k)?, b.value(n, k)?);
                match joint {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a / b,
                    _ => a.powf(b),
                }
            }
        };
        value.is_finite().then_some(value)
    }

    /// Whether it speaks of the size of voting sets.
    #[must_use]
    pub fn uses_k(&self) -> bool {
        match self {
            Self::K => true,
            Self::Number(_) | Self::N => false,
            Self::Minus(a) | Self::Sqrt(a) | Self::Ceil(a) | Self::Floor(a) => a.uses_k(),
            Self::Two(a, _, b) => a.uses_k() || b.uses_k(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Token {
    Number(f64),
    N,
    K,
    Sqrt,
    Ceil,
    Floor,
    /// The factor that follows over the one behind it.
    Over,
    /// `+ - * / ^ ( )`, and the brackets of rounding.
    Sign(char),
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let text = text.replace("**", "^");
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while let Some(c) = rest.chars().next() {
        let len = if c.is_ascii_digit() || c == '.' {
            let len = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
            tokens.push(Token::Number(rest[..len].parse().ok()?));
            len
        } else if c.is_alphabetic() {
            let len = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
            tokens.extend(word(&rest[..len].to_lowercase())?);
            len
        } else {
            tokens.extend(sign(c)?);
            c.len_utf8()
        };
        rest = rest[len..].trim_start();
    }
    Some(tokens)
}

/// Words, and letters that stand close together: `nk` is a product.
fn word(word: &str) -> Option<Vec<Token>> {
    match word {
        "sqrt" | "root" => Some(vec![Token::Sqrt]),
        "ceil" | "ceiling" => Some(vec![Token::Ceil]),
        "floor" => Some(vec![Token::Floor]),
        "frac" => Some(vec![Token::Over]),
        letters => letters
            .chars()
            .map(|c| match c {
                'n' => Some(Token::N),
                'k' => Some(Token::K),
                'x' if letters == "x" => Some(Token::Sign('*')),
                _ => None,
            })
            .collect(),
    }
}

fn sign(c: char) -> Option<Vec<Token>> {
    let sign = match c {
        '+' | '*' | '/' | '^' | '(' | ')' | '⌈' | '⌉' | '⌊' | '⌋' | '-' => c,
        ':' => '/',
        '[' | '{' => '(',
        ']' | '}' => ')',
        '√' => return Some(vec![Token::Sqrt]),
        _ => return None,
    };
    Some(vec![Token::Sign(sign)])
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

fn two(a: Expr, joint: char, b: Expr) -> Expr {
    Expr::Two(Box::new(a), joint, Box::new(b))
}

impl Parser {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn eat(&mut self, signs: &[char]) -> Option<char> {
        match self.peek() {
            Some(Token::Sign(c)) if signs.contains(&c) => {
                self.at += 1;
                Some(c)
            }
            _ => None,
        }
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut left = self.product()?;
        while let Some(joint) = self.eat(&['+', '-']) {
            left = two(left, joint, self.product()?);
        }
        Some(left)
    }

    fn product(&mut self) -> Option<Expr> {
        let mut left = self.signed()?;
        loop {
            left = match self.eat(&['*', '/']) {
                Some(joint) => two(left, joint, self.signed()?),
                // `2n`, `3(n-1)`, `n√n`; two numbers side by side are none.
                None if self.begins_a_factor() => two(left, '*', self.power()?),
                None => return Some(left),
            };
        }
    }

    fn begins_a_factor(&self) -> bool {
        match self.peek() {
            Some(Token::N | Token::K) => true,
            Some(Token::Sqrt | Token::Ceil | Token::Floor | Token::Over) => true,
            Some(Token::Sign('(' | '⌈' | '⌊')) => true,
            Some(Token::Number(_) | Token::Sign(_)) | None => false,
        }
    }

    fn signed(&mut self) -> Option<Expr> {
        self.deeper(|p| match p.eat(&['-', '+']) {
            Some('-') => Some(Expr::Minus(Box::new(p.signed()?))),
            Some(_) => p.signed(),
            None => p.power(),
        })
    }

    fn power(&mut self) -> Option<Expr> {
        let base = self.factor()?;
        match self.eat(&['^']) {
            Some(_) => Some(two(base, '^', self.signed()?)),
            None => Some(base),
        }
    }

    fn factor(&mut self) -> Option<Expr> {
        self.deeper(|p| {
            let token = p.peek()?;
            p.at += 1;
            match token {
                Token::Number(n) => Some(Expr::Number(n)),
                Token::N => Some(Expr::N),
                Token::K => Some(Expr::K),
                Token::Sqrt => Some(Expr::Sqrt(Box::new(p.factor()?))),
                Token::Ceil => Some(Expr::Ceil(Box::new(p.factor()?))),
                Token::Floor => Some(Expr::Floor(Box::new(p.factor()?))),
                Token::Over => Some(two(p.factor()?, '/', p.factor()?)),
                Token::Sign('(') => p.closed(')'),
                Token::Sign('⌈') => Some(Expr::Ceil(Box::new(p.closed('⌉')?))),
                Token::Sign('⌊') => Some(Expr::Floor(Box::new(p.closed('⌋')?))),
                Token::Sign(_) => None,
            }
        })
    }

    fn closed(&mut self, bracket: char) -> Option<Expr> {
        let inner = self.sum()?;
        self.eat(&[bracket])?;
        Some(inner)
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<Expr>) -> Option<Expr> {
        self.depth += 1;
        let found = if self.depth > MAX_DEPTH { None } else { read(self) };
        self.depth -= 1;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str, n: f64, k: f64) -> Option<f64> {
        Expr::parse(&crate::input::folded(text))?.value(n, k)
    }

    #[test]
    fn what_people_write_has_the_value_that_they_mean() {
        let cases = [
            ("3*(n-1)", 27.0),
            ("3(N-1)", 27.0),
            ("3 × (N − 1)", 27.0),
            ("2n", 20.0),
            ("n(n-1)", 90.0),
            ("(n-1)(n+1)", 99.0),
            ("n²-1", 99.0),
            ("n^2^1", 100.0),
            ("n**2", 100.0),
            ("½n", 5.0),
            (r"3 \cdot (n-1)", 27.0),
            (r"\frac{n}{2} + 3\sqrt{n-1}", 14.0),
            ("2∗\u{a0}（ｎ－１）", 18.0),
            ("-n^2", -100.0),
            ("2^-1", 0.5),
            ("3√(n-1)", 9.0),
            ("3sqrt(n-1)", 9.0),
            ("√n-1", 10.0_f64.sqrt() - 1.0),
            ("ceil(sqrt(n))", 4.0),
            ("⌈√n⌉", 4.0),
            ("floor(√n)", 3.0),
            ("⌊n/4⌋", 2.0),
            ("n/2/5", 1.0),
            ("3K", 12.0),
            ("nk", 40.0),
            ("3(k-1)", 9.0),
            (".5n", 5.0),
        ];
        for (text, value) in cases {
            assert_eq!(at(text, 10.0, 4.0), Some(value), "{text}");
        }
        assert_eq!(at("ceil(sqrt(n))", 9.0, 1.0), Some(3.0));
    }

    #[test]
    fn what_is_no_formula_is_none() {
        for text in [
            "", " ", "n m", "3 4", "n-", "(n", "n)", "3**", "1.2.3", "sqrt", "n=3", "log n", "..",
            "3½", "n½",
        ] {
            assert_eq!(Expr::parse(&crate::input::folded(text)), None, "{text:?}");
        }
        assert_eq!(Expr::parse(&"(".repeat(199)), None);
        assert_eq!(Expr::parse(&"-".repeat(199)), None);
    }

    #[test]
    fn what_has_no_value_has_none() {
        for text in ["1/(n-n)", "sqrt(-n)", "0/0", "9^9^9^9", "(-1)^0.5"] {
            assert_eq!(at(text, 10.0, 4.0), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,60}", n in 0.0..100.0, k in 0.0..100.0) {
            prop_assert!(at(&text, n, k).is_none_or(f64::is_finite));
        }

        #[test]
        fn no_row_of_signs_makes_the_parser_panic(text in "[nk0-9().+*/^√⌈⌉ -]{0,120}") {
            prop_assert!(at(&text, 7.0, 3.0).is_none_or(f64::is_finite));
        }
    }
}
