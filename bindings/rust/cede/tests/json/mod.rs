// SPDX-License-Identifier: MIT
//! As much of a JSON reader as the tests need: without dependencies, and for documents that are right.

use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// As it is written: no digit is lost.
    Number(String),
    Text(String),
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    pub fn read(text: &str) -> Json {
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        let value = reader.value();
        reader.space();
        assert_eq!(reader.at, text.len(), "something follows the document");
        value
    }

    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.get(name),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<usize> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    pub fn items(&self) -> &[Json] {
        match self {
            Json::Array(items) => items,
            _ => &[],
        }
    }

    /// The texts of an array.
    pub fn texts(&self) -> Vec<String> {
        self.items().iter().filter_map(Json::text).map(str::to_string).collect()
    }

    pub fn write(&self) -> String {
        match self {
            Json::Null => "null".into(),
            Json::Bool(value) => value.to_string(),
            Json::Number(digits) => digits.clone(),
            Json::Text(text) => quoted(text),
            Json::Array(items) => format!("[{}]", items.iter().map(Json::write).collect::<Vec<_>>().join(",")),
            Json::Object(members) => {
                let members = members.iter().map(|(name, value)| format!("{}:{}", quoted(name), value.write()));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            _ if (letter as u32) < 0x20 => write!(out, "\\u{:04x}", letter as u32).unwrap(),
            _ => out.push(letter),
        }
    }
    out + "\""
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        while self.text.get(self.at).map_or(false, u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> u8 {
        self.space();
        self.text[self.at]
    }

    fn take(&mut self, word: &str) {
        self.space();
        assert!(self.text[self.at..].starts_with(word.as_bytes()), "byte {}: '{}' is expected", self.at, word);
        self.at += word.len();
    }

    fn value(&mut self) -> Json {
        match self.next() {
            b'{' => Json::Object(self.list("{", "}", |reader| {
                let name = reader.string();
                reader.take(":");
                (name, reader.value())
            })),
            b'[' => Json::Array(self.list("[", "]", Reader::value)),
            b'"' => Json::Text(self.string()),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.digits(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Json {
        self.take(word);
        value
    }

    fn digits(&mut self) -> Json {
        let start = self.at;
        while self.text.get(self.at).map_or(false, |letter| b"+-.eE0123456789".contains(letter)) {
            self.at += 1;
        }
        assert!(self.at > start, "byte {}: a value is expected", start);
        Json::Number(String::from_utf8(self.text[start..self.at].to_vec()).unwrap())
    }

    fn list<T, C: FromIterator<T>>(&mut self, open: &str, close: &str, item: impl Fn(&mut Self) -> T) -> C {
        let mut items = Vec::new();
        self.take(open);
        while self.next() != close.as_bytes()[0] {
            if !items.is_empty() {
                self.take(",");
            }
            items.push(item(self));
        }
        self.take(close);
        items.into_iter().collect()
    }

    fn string(&mut self) -> String {
        self.take("\"");
        let mut out = Vec::new();
        while self.text[self.at] != b'"' {
            if self.text[self.at] == b'\\' {
                self.at += 1;
                let letter = match self.text[self.at] {
                    b'n' => '\n',
                    b't' => '\t',
                    b'u' => {
                        let digits = std::str::from_utf8(&self.text[self.at + 1..self.at + 5]).unwrap();
                        self.at += 4;
                        char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap_or('\u{fffd}')
                    }
                    other => other as char,
                };
                out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                out.push(self.text[self.at]);
            }
            self.at += 1;
        }
        self.take("\"");
        String::from_utf8(out).unwrap()
    }
}
