//! The scanner beside a reader that goes byte by byte: the same spans, kinds, keys and faults, wherever a block ends.
#![allow(clippy::unwrap_used)] // a test's own mistake may panic

mod plain;

use plain::{Name, Value, said};
use revcap::json::{Cursor, Fault, Limits, Span};

/// An endless row of numbers, the same in every run.
struct Row(u64);

impl Row {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn of<'p>(&mut self, pieces: &[&'p str]) -> &'p str {
        pieces[self.below(pieces.len())]
    }
}

/// What a cursor says that goes into objects and arrays.
#[derive(Default)]
struct Walked {
    values: Vec<Value>,
    names: Vec<Name>,
}

impl Walked {
    /// Reads the value that stands next; where there is a row, some values are passed whole, or read twice.
    fn value(&mut self, cursor: &mut Cursor<'_>, mut row: Option<&mut Row>) -> Result<(), Fault> {
        let way = row.as_mut().map_or(0, |row| row.below(8));
        let start = cursor.next_start();
        if way == 7 {
            let (place, first) = (cursor.place(), cursor.value()?);
            cursor.go_back(place);
            assert_eq!((cursor.position(), cursor.checked_value()?), (start, first));
            cursor.go_back(place);
        }
        let depth = cursor.depth();
        let node = match (way, cursor.peek()) {
            (5, _) => cursor.checked_value()?,
            (0..5 | 7, Some(b'{')) => {
                let mut members = cursor.open_object()?;
                assert_eq!(cursor.depth(), depth + 1);
                loop {
                    let key = match way {
                        0..3 => cursor.next_member(&mut members)?,
                        _ => cursor.next_unchecked_member(&mut members)?,
                    };
                    let Some(key) = key else { break };
                    let name = String::from_utf8(key.name(cursor.text()).into_owned()).unwrap();
                    let Span { start, end } = key.span();
                    self.names.push((start as usize, end as usize, key.is_escaped(), name));
                    self.value(cursor, row.as_deref_mut())?;
                }
                self.values.push((revcap::json::Kind::Object, start, cursor.position()));
                assert_eq!(cursor.depth(), depth);
                return Ok(());
            }
            (0..5 | 7, Some(b'[')) => {
                let mut elements = cursor.open_array()?;
                assert_eq!(cursor.depth(), depth + 1);
                while cursor.next_element(&mut elements)? {
                    self.value(cursor, row.as_deref_mut())?;
                }
                self.values.push((revcap::json::Kind::Array, start, cursor.position()));
                assert_eq!(cursor.depth(), depth);
                return Ok(());
            }
            _ => cursor.value()?,
        };
        assert_eq!((node.span().start as usize, node.span().end as usize), (start, cursor.position()));
        self.values.push((node.kind(), start, cursor.position()));
        Ok(())
    }
}

/// Every way over a text says what the plain reader says.
fn check(text: &str, limits: Limits, row: &mut Row) {
    let expected = said(text, limits);
    let fault = |read: Result<(), Fault>| read.err().map(|fault| (fault.kind, fault.at as usize));
    let open = || Cursor::new(text.as_bytes(), limits).unwrap();

    for is_checked in [false, true] {
        let mut cursor = open();
        cursor.note_case_variants();
        let node = if is_checked { cursor.checked_value() } else { cursor.value() };
        let end = cursor.end();
        assert_eq!(fault(node.map(|_| ()).and(end)), expected.fault, "{text:?}");
        if expected.fault.is_none() {
            let node = node.unwrap();
            let value = (node.kind(), node.span().start as usize, node.span().end as usize);
            assert_eq!(Some(&value), expected.values.last(), "{text:?}");
            let noted = (cursor.saw_duplicate(), cursor.saw_case_variant());
            let there = (expected.repeats, expected.varies);
            assert_eq!(noted, if is_checked { there } else { (false, false) }, "{text:?}");
            assert!(!cursor.saw_duplicate() && !cursor.saw_case_variant(), "asking forgets it");
            let string = expected.strings.get(&value.1).map(|text| text.as_bytes().into());
            assert_eq!(node.text(text.as_bytes()), string, "{text:?}");
        }
    }

    let (mut cursor, mut walked) = (open(), Walked::default());
    let read = walked.value(&mut cursor, None).and_then(|()| cursor.end());
    assert_eq!(fault(read), expected.fault, "{text:?}");
    assert_eq!(walked.values, expected.values, "{text:?}");
    assert_eq!(walked.names, expected.names, "{text:?}");

    let (mut cursor, mut walked) = (open(), Walked::default());
    let read = walked.value(&mut cursor, Some(row)).and_then(|()| cursor.end());
    assert_eq!(fault(read), expected.fault, "{text:?}");
    assert!(walked.values.iter().all(|value| expected.values.contains(value)), "{text:?}");
    assert!(walked.names.iter().all(|name| expected.names.contains(name)), "{text:?}");
}

#[test]
fn a_string_is_what_it_is_wherever_a_block_ends() {
    let insides = [
        "",
        "é",
        "日",
        "😀",
        "\u{7f}",
        "\u{80}",
        "\n",
        "\0",
        "\u{1f}",
        "\u{1f}\\",
        r"\n",
        r"\\",
        r#"\""#,
        r#"\\\""#,
        r#"\\""#,
        r"\/\b\f\r\t",
        r"\\\\\\\\\\\\\\\\\\\\",
        r"\u0041",
        r"\u00e9\u4E2D",
        r"\u4e2d\n\\u",
        r"\ud83d\ude00",
        r"\uD83D\uDE00\uD83D\uDE00",
        r"\ud83d",
        r"\ude00",
        r"\ud83d\ud83d\ude00",
        r"\ud83d\ude00\ude00",
        r"\ud83d\n",
        r"\ud83d\u0041",
        r"\ud7ff\ue000",
        r"\udbff\udfff",
        r"\udbff\udc00",
        r"\ud800\ue000",
        r"\udc00",
        r"\x",
        r"\U0041",
        r"\u",
        r"\u1",
        r"\u00",
        r"\u12g4",
        r"\u/123",
        r"\u:123",
        r"\u@123",
        r"\uG123",
        r"\u`123",
        r"\u{123",
        r"\ud83d\u12x4",
        r"\ud83d\u",
        r"\n\u004",
        r"\u0000\",
        r"\u0022\u005c\u005C",
        "\\\u{0}",
        "\\é",
        r"\'",
        "\\\n",
        r"\u004\n",
        r"\u\u0041",
        "\",\"\\n",
        "\\\\\",\n\"\\\\\\\"",
        r"\nx\ud83d\ude00\u00e",
        "\\n\u{1}\\x",
        "\\x\u{1}",
        "\\ud83d\u{1}\\x",
    ];
    let mut row = Row(1);
    for before in 0..36 {
        let plain = "x".repeat(before);
        for inside in insides {
            let after =
                ["", "yy", "\\t", "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", "\\\\yyyyyyyyyyyyyyyyyyyyy"][row.below(5)];
            let end = ["", " ", "                                       ", r"\ud800 \x                        "]
                [row.below(4)];
            for text in [
                format!("\"{plain}{inside}{after}\"{end}"),
                format!("[\"{plain}{inside}{after}\",1]{end}"),
                format!("{{\"{plain}{inside}{after}\":0,\"{inside}\" : 1}}{end}"),
                format!("\"{plain}{inside}{after}"),
            ] {
                check(&text, Limits::default(), &mut row);
            }
        }
    }
}

#[test]
fn an_escape_is_told_from_plain_letters_across_a_block() {
    let mut row = Row(6);
    let hexadecimal = "a".repeat(20);
    for between in 0..40 {
        let (letters, digits) = ("n".repeat(between), "a".repeat(between));
        for quotes in ["\\u\"\"\"\"", "\\u0\"", "\\u00\"", "\\u000\""] {
            check(&format!("[\"\\\\{letters}{quotes},1234567890123456789012,\"\"]"), Limits::default(), &mut row);
        }
        for inside in [
            "",
            r"\\",
            r"\\unn",
            r"\\ubb",
            r"\\u00e9",
            r"\\\u00e9",
            r"\u00e",
            r"\u00e\n",
            r"u00en",
            r"\\ud800",
            r"\x",
            r"\U0041",
            r"\\\ud800",
            "\\é",
            r"\uz0e9",
            r"\uzzzz",
            r"\u0zzz",
            r"\u00zz",
            r"\u000z",
            r"\ud83d\udexx",
            "\n",
        ] {
            let inside = if row.below(2) == 0 { inside.to_owned() } else { format!("{inside}{hexadecimal}") };
            for first in [r"\\", r"\n\\", r"\ud83d\ude00"] {
                let end =
                    ["", ",0", r",\ud800 \x                        ", ", \"nnnnnnnnnnnnnnnnnnnnnnn\""][row.below(4)];
                for text in [
                    format!("[\"{first}{letters}{inside}\"{end}]"),
                    format!("[\"{first}{digits}{inside}\"{end}]"),
                    format!("[\"{first}{digits}{inside}nnnn\", {end}]"),
                ] {
                    check(&text, Limits::default(), &mut row);
                }
            }
        }
    }
}

#[test]
fn white_space_is_passed_wherever_a_block_ends() {
    let mut row = Row(2);
    for before in 0..36 {
        let space = " ".repeat(before);
        for other in [" ", "\n", "\r", "\t", "\0", "\u{b}", "\u{c}", "\u{1f}", "!", "\u{a0}", "\u{feff}", "/", "\\", ""]
        {
            let after = " ".repeat([0, 1, 20, 40][row.below(4)]);
            let space = format!("{space}{other}{after}");
            for text in [
                format!("{space}1"),
                format!("7{space}"),
                format!("[{space}]"),
                format!("{{{space}}}"),
                format!("[{space}1{space},\"\"{space},{space}{{}}]"),
                format!("{{{space}\"a\"{space}:{space}1{space},{space}\"b\":[]{space}}}"),
                format!("[1,2{space},3,{space}4,5.5{space}]"),
                format!("{{\"a\":{space}true}}"),
                format!("[{{\"a\":0}},{space}{{\"a\"{space}:0}}]"),
            ] {
                check(&text, Limits::default(), &mut row);
            }
        }
    }
}

#[test]
fn a_number_is_what_it_is_wherever_a_block_ends() {
    let ends = [
        "", ".", ".5", ".05", "e", "e5", "E-5", "e+", "e+05", ".5e1", ".e1", "x", "-", "-1", "+", "/", ":", "\u{7f}",
        "é", ".5.5", "e1.5", "e1e1", ".5-", " 1", "\t", ".\"", "\"", "[", "]", "}", ",", ",,", ",]", ",-", ",01",
        ",-0", ",-01", ",.5", ",1.,1", ",00", ",-0.5", ",0e1", ",-x", ", -5", ",\n5.25", ",true",
    ];
    let mut row = Row(3);
    for length in 0..70 {
        for first in ["", "-", "0", "-0", "0.", "1.", "1e", "7,", "7.5,"] {
            let digits = format!("{first}{}", "1234567890".repeat(7).split_at(length).0);
            for end in ends {
                let after =
                    ["", ",1", ", 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "                            "][row.below(4)];
                let max_number_chars = [4300, 10, 63, 64, 65, length.max(1), length + 1, length + 2][row.below(8)];
                let limits = Limits { max_number_chars, ..Limits::default() };
                let number = format!("{digits}{end}");
                let text = match row.below(6) {
                    0 => number,
                    // No number is a key, however many stand there.
                    5 => format!("{{\"a\":1,{number}{after},\"b\":[7,{number}{after}]}}"),
                    1 => format!("{{\"a\":{number}{after}}}"),
                    2 => format!("[{number}{after}]"),
                    3 => format!("[1,{number}{after}]"),
                    _ => format!("[[1.5, {number}{after}],[{number}]]"),
                };
                check(&text, limits, &mut row);
            }
        }
    }
}

#[test]
fn no_number_is_broken_or_too_long_among_others() {
    let mut row = Row(7);
    let numbers = [
        "1..5", "1.2.3", "01", "-01", "00", "-00.5", "1.", ".5", "--1", "-", "1-", "1.-2", "1. 5", "- 5", "1 2", "",
        " ,", "5.,6", "0.0.", "-.5", "1.5.", "-0.0", "10.01",
    ];
    for before in 0..20 {
        let before = "7".repeat(before);
        for number in numbers {
            for text in [
                format!("[1,2{before},{number}, 2,3,4,5,6,7,8,9,10,11,12,13,14]"),
                format!("{{\"a\":2{before},{number},3,4,5,6,7,8,9,10,11,\"b\":1}}"),
            ] {
                check(&text, Limits::default(), &mut row);
            }
        }
    }
    for max_number_chars in 1..12 {
        let limits = Limits { max_number_chars, ..Limits::default() };
        for length in 1..12 {
            let number = "7".repeat(length);
            check(&format!("[{number}               ,1]"), limits, &mut row);
            check(&format!("[1,{number}                ]"), limits, &mut row);
            check(&format!("{{\"a\":{number},\"b\":1                }}"), limits, &mut row);
        }
    }
}

#[test]
fn levels_are_counted_on_every_way() {
    let mut row = Row(4);
    for max_depth in [1, 2, 3, 62, 63, 64, 65, 66, 126, 127, 128, 129, 200] {
        for depth in [max_depth - 1, max_depth, max_depth + 1] {
            for inside in ["", "1", "[]", "{}", "\"a\"", "[],{}", "[[],[]]", "{\"a\":[]}", "[[[]]]", "}", "]"] {
                let mut opened = String::new();
                let mut closed = String::new();
                for _ in 0..depth {
                    let (before, after) =
                        [("[", "]"), ("{\"a\":", "}"), ("[1, ", " ]"), ("{\"b\":0,\"a\":", ",\"c\":[]}")][row.below(4)];
                    opened.push_str(before);
                    closed.insert_str(0, after);
                }
                for end in ["", "]", "}"] {
                    let limits = Limits { max_depth, ..Limits::default() };
                    check(&format!("{opened}{inside}{closed}{end}"), limits, &mut row);
                    check(&format!("[{opened}{inside}{closed},{opened}0{closed}{end}]"), limits, &mut row);
                }
            }
        }
    }
}

const SPACE: &[&str] = &["", "", "", "", "", "", " ", "\n  ", "\t", "\r\n", "                    "];

/// A text of a value, with freedoms.
fn value(row: &mut Row, depth: usize, out: &mut String) {
    out.push_str(row.of(SPACE));
    match row.below(if depth == 0 { 5 } else { 9 }) {
        0 => out.push_str(row.of(&["true", "false", "null"])),
        1 | 2 => {
            let numbers =
                ["0", "7", "-1", "-0", "12", "0.5", "1e9", "-3.25E-7", "12345678", "1234567", "123456789012345678"];
            out.push_str(row.of(&numbers));
        }
        3 | 4 => string(row, out),
        5 | 6 => {
            out.push('[');
            for index in 0..row.below(6) {
                out.push_str(if index > 0 { "," } else { "" });
                value(row, depth - 1, out);
            }
            out.push_str(row.of(SPACE));
            out.push(']');
        }
        _ => {
            out.push('{');
            let most = if row.below(6) == 0 { 60 } else { 6 };
            for index in 0..row.below(most) {
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(row.of(SPACE));
                if row.below(6) == 0 {
                    string(row, out);
                } else {
                    let name = row.of(&["k", "a longer key ", "\\u006b", "é"]);
                    let number = index + row.below(40) / 39;
                    out.extend(["\"", name, &number.to_string(), "\""]);
                }
                out.push_str(row.of(SPACE));
                out.push(':');
                if most == 60 { out.push('0') } else { value(row, depth - 1, out) }
            }
            out.push_str(row.of(SPACE));
            out.push('}');
        }
    }
    out.push_str(row.of(SPACE));
}

fn string(row: &mut Row, out: &mut String) {
    let pieces = [
        "",
        "a",
        "A",
        "name",
        "Name",
        "nAme",
        "é",
        "É",
        "\\u00e9",
        "\\u00C9",
        "ſ",
        "s",
        "K",
        "k",
        "日本",
        "\\n",
        "\\\\",
        "\\\"",
        "\\u0041",
        "\\ud83d\\ude00",
        "😀",
        "a text that is longer than a block",
        "12345678",
    ];
    out.push('"');
    for _ in 0..row.below(4) {
        out.push_str(row.of(&pieces));
    }
    out.push('"');
}

#[test]
fn texts_of_all_kinds_are_read_alike() {
    let mut row = Row(5);
    let alphabet: Vec<&str> =
        "{ } [ ] \" , : 0 1 9 e E + - . \\ / n t f u l \t é".split(' ').chain([" ", "\n", "\0"]).collect();
    for round in 0..3000 {
        let mut text = String::from(if round % 50 == 0 { "\u{feff}" } else { "" });
        value(&mut row, 4, &mut text);
        check(&text, Limits::default(), &mut row);
        for _ in 0..2 {
            let at = row.below(text.len());
            if text.is_char_boundary(at) {
                let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
                let mut other = text.clone();
                match row.below(4) {
                    0 => other.replace_range(at..end, ""),
                    1 => other.insert_str(at, row.of(&alphabet)),
                    2 => other.truncate(at),
                    _ => other.replace_range(at..end, row.of(&alphabet)),
                }
                let limits = Limits { max_depth: [128, 3][row.below(2)], max_number_chars: [4300, 8][row.below(2)] };
                check(&other, limits, &mut row);
            }
        }
    }
}
