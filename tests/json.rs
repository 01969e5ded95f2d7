//! The scanner beside `serde_json`: what one accepts the other accepts, but for the differences named here.
#![allow(clippy::unwrap_used)] // a test's own mistake may panic

use revcap::json::{Cursor, Fault, FaultKind, Kind, Limits, Node, Span, push_string};

fn scan(text: &[u8], read: fn(&mut Cursor<'_>) -> Result<Node, Fault>) -> Result<Node, FaultKind> {
    let mut cursor = Cursor::new(text, Limits::default()).map_err(|fault| fault.kind)?;
    let node = read(&mut cursor).map_err(|fault| fault.kind)?;
    cursor.end().map_err(|fault| fault.kind)?;
    Ok(node)
}

/// Both ways over a value agree with each other; their answer is returned.
#[allow(clippy::redundant_closure_for_method_calls)] // the method's lifetime is narrower than the pointer's
fn read(text: &[u8]) -> Result<Node, FaultKind> {
    let passed = scan(text, |cursor| cursor.value());
    assert_eq!(passed, scan(text, |cursor| cursor.checked_value()), "{}", String::from_utf8_lossy(text));
    passed
}

/// `serde_json`'s word on the text, after what we do differently on purpose.
fn witness(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    serde_json::from_slice::<serde_json::Value>(text).is_ok()
}

const SEEDS: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"x","arguments":{"a":[1,-2.5e+3,true,null]}}}"#,
    r#" [ "\u00e9\ud83d\ude00\n", "日本", {"":{}} , [[],{}], 0, -0, 1E400 ] "#,
    "\u{feff}{\"a\" : \"b\\\\\"}\t\r\n",
    r#""a long plain string that is longer than any block the scanner looks at in one step, so that each path runs""#,
];

#[test]
fn truncation_at_every_byte_is_refused() {
    for seed in &SEEDS[..1] {
        for end in 0..seed.len() {
            assert!(read(&seed.as_bytes()[..end]).is_err(), "{end}");
        }
        assert!(read(seed.as_bytes()).is_ok());
    }
}

#[test]
fn mutated_texts_are_judged_as_serde_json_judges_them() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap()
    };
    let alphabet = b"{}[]\",:0123456789eE+-.\\/ntfulrabs \t\n\x00\x1f\x7f\x80\xc3\xa9\xed\xa0";
    for round in 0..200_000 {
        let mut text = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
        for _ in 0..=next(3) {
            let at = next(text.len().max(1)).min(text.len().saturating_sub(1));
            if text.is_empty() {
                break;
            }
            match next(4) {
                0 => text[at] = alphabet[next(alphabet.len())],
                1 => text.insert(at, alphabet[next(alphabet.len())]),
                2 => drop(text.remove(at)),
                _ => text.truncate(at.max(1)),
            }
        }
        let ours = read(&text);
        if matches!(ours, Err(FaultKind::LoneSurrogate)) {
            continue; // serde_json refuses most, and reads some as bytes
        }
        assert_eq!(ours.is_ok(), witness(&text), "{ours:?} {:?}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn nesting_is_counted_in_containers() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
        let per = if open.len() > 5 { 2 } else { 1 };
        for depth in [1, 64, 127, 128, 129, 200] {
            let text = format!("{}1{}", open.repeat(depth / per), close.repeat(depth / per));
            let expected = depth / per * per <= 128;
            assert_eq!(read(text.as_bytes()).is_ok(), expected, "{open} {depth}");
        }
    }
    let limits = Limits { max_depth: Limits::DEEPEST, ..Limits::default() };
    for depth in [127, 128, 129, 255, 256, 257, 512, 1024] {
        let mixed: String = (0..depth).map(|level| if level % 3 == 0 { "[" } else { "{\"k\":" }).collect();
        let closing: String = (0..depth).rev().map(|level| if level % 3 == 0 { "]" } else { "}" }).collect();
        let text = format!("{mixed}0{closing}");
        assert_eq!(Cursor::new(text.as_bytes(), limits).unwrap().value().unwrap().span().len(), text.len());
        let wrong = format!("{mixed}0{}", closing.replacen('}', "]", 1));
        assert!(Cursor::new(wrong.as_bytes(), limits).unwrap().value().is_err() || depth == 1);
    }
}

#[test]
fn numbers_are_bounded_and_integers_told_apart() {
    assert_eq!(read("1".repeat(4300).as_bytes()).unwrap().kind(), Kind::Integer);
    assert_eq!(read("1".repeat(4301).as_bytes()), Err(FaultKind::NumberTooLong));
    for (text, kind) in [("-0", Kind::Number), ("0", Kind::Integer), ("1.0", Kind::Number), ("1e0", Kind::Number)] {
        assert_eq!(read(text.as_bytes()).unwrap().kind(), kind, "{text}");
    }
}

fn duplicates(text: &str) -> bool {
    let mut cursor = Cursor::new(text.as_bytes(), Limits::default()).unwrap();
    cursor.checked_value().unwrap();
    cursor.saw_duplicate()
}

#[test]
fn a_key_said_twice_is_seen_after_unescaping() {
    assert!(duplicates(r#"{"a":1,"a":2}"#));
    assert!(duplicates(r#"{"a":1,"\u0061":2}"#));
    assert!(duplicates(r#"[{"x":{"é":1,"\u00e9":2}}]"#));
    assert!(!duplicates(r#"{"a":{"a":1},"b":{"a":1},"A":0}"#));
    for count in [31, 32, 33, 64, 1000] {
        let keys: Vec<String> = (0..count).map(|index| format!(r#""k{index}":{{"n":{index}}}"#)).collect();
        assert!(!duplicates(&format!("{{{}}}", keys.join(","))));
        for twice in [0, count / 2, count - 1] {
            let text = format!(r#"{{"outer":0,"o":{{{},"k{twice}":0}}}}"#, keys.join(","));
            assert!(duplicates(&text), "{count} {twice}");
        }
    }
}

#[test]
fn a_name_said_twice_is_seen_whatever_it_is_and_whatever_stands_before_it() {
    let names = ["", "a", "b", "\"", "ab", "ba", "aab", "é", "日", "\u{1f600}", "k\u{0}", "longer than a word", "a\\"];
    let plain = |name: &str| serde_json::to_string(name).unwrap();
    let escaped = |name: &str| {
        let units: Vec<String> = name.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        format!("\"{}\"", units.concat())
    };
    for one in names {
        for other in names {
            for [first, second] in
                [[plain(one), plain(other)], [escaped(one), plain(other)], [plain(one), escaped(other)]]
            {
                for (before, between) in
                    [("", ","), (" ", " , "), ("\"x\":0,", ",\"y\":1,"), ("\"x\":[],\"\\n\":0,", ",\n")]
                {
                    let text = format!("{{{before}{first}:1{between}{second}:2}}");
                    assert_eq!(duplicates(&text), one == other, "{text}");
                }
            }
        }
    }
}

#[test]
fn keys_that_differ_only_by_case_are_noted_where_asked_for() {
    let varies = |text: &str, names: &[&str]| {
        let mut cursor = Cursor::new(text.as_bytes(), Limits::default()).unwrap();
        cursor.note_case_variants();
        let mut members = cursor.open_object_reading(names).unwrap();
        while cursor.next_member(&mut members).unwrap().is_some() {
            cursor.value().unwrap();
        }
        cursor.saw_case_variant()
    };
    assert!(varies(r#"{"Name":1,"name":2}"#, &[]));
    assert!(varies(r#"{"Name":1}"#, &["name"]));
    assert!(varies(r#"{"ta\u017FkId":1}"#, &["taskId"])); // the long s folds to s
    assert!(varies(r#"{"tas\u212AId":1}"#, &["taskId"])); // so does the Kelvin sign to k
    assert!(varies(r#"{"É":1,"é":1}"#, &[]));
    assert!(!varies(r#"{"name":1,"other":2,"name":3}"#, &["name", "uri"]));
    assert!(!varies(r#"{"ß":1,"ss":2}"#, &[])); // simple folding keeps the length
}

#[test]
fn a_number_of_one_character_too_many_is_found_wherever_it_stands_in_an_array() {
    for length in 4280..=4330_usize {
        for before in ["", "1,", "12345,", "1.5,2,33,444, "] {
            for after in [",1]", "]", ", 2,3,4,5,6,7,8,9,0,1,2,3,4]"] {
                for number in ["9".repeat(length), format!("0.{}", "9".repeat(length - 2))] {
                    let text = format!("[{before}{number}{after}");
                    let expected = length <= Limits::DEFAULT.max_number_chars;
                    assert_eq!(read(text.as_bytes()).is_ok(), expected, "{before}{length}{after}");
                }
            }
        }
    }
}

#[test]
fn a_text_that_spans_cannot_measure_is_refused_unread() {
    let fault = Cursor::new(&vec![0; Span::LONGEST], Limits::default()).unwrap_err();
    assert_eq!((fault.kind, fault.to_string().as_str()), (FaultKind::TooLong, "text too long"));
}

#[test]
fn what_is_opened_must_stand_there() {
    let opened = |text: &'static str| {
        let at = |open: fn(&mut Cursor<'static>) -> Option<Fault>| {
            open(&mut Cursor::new(text.as_bytes(), Limits { max_depth: 1, ..Limits::default() }).unwrap())
                .map(|fault| fault.kind)
        };
        [
            at(|cursor| cursor.open_object().err()),
            at(|cursor| cursor.open_object_reading(&["a"]).err()),
            at(|cursor| cursor.open_array().err()),
        ]
    };
    let absent = Some(FaultKind::NoValue);
    assert_eq!(opened(" {}"), [None, None, absent]);
    assert_eq!(opened(" []"), [absent, absent, None]);
    assert_eq!(opened("\"{\""), [absent; 3]);
    assert_eq!(opened(""), [Some(FaultKind::Truncated); 3]);
}

#[test]
fn a_level_is_open_until_it_is_closed() {
    let mut cursor = Cursor::new(br#"{"a":[1]}"#, Limits::default()).unwrap();
    assert_eq!(cursor.depth(), 0);
    let mut members = cursor.open_object().unwrap();
    let key = cursor.next_member(&mut members).unwrap().unwrap();
    assert_eq!(format!("{key:?}"), "Key at Span { start: 2, end: 3 }");
    let mut elements = cursor.open_array().unwrap();
    assert!(cursor.next_element(&mut elements).unwrap());
    assert_eq!(cursor.depth(), 2);
    cursor.value().unwrap();
    assert!(!cursor.next_element(&mut elements).unwrap());
    assert_eq!(cursor.depth(), 1);
    assert!(cursor.next_member(&mut members).unwrap().is_none());
    assert_eq!(cursor.depth(), 0);
}

/// The names of an object, read from its beginning to its end; every value is one.
fn names(cursor: &mut Cursor<'_>) -> Vec<String> {
    let mut members = cursor.open_object().unwrap();
    let mut names = Vec::new();
    while let Some(key) = cursor.next_member(&mut members).unwrap() {
        names.push(String::from_utf8(key.name(cursor.text()).into_owned()).unwrap());
        cursor.checked_value().unwrap();
    }
    names
}

#[test]
fn what_is_read_again_says_no_key_twice_for_it() {
    for inside in [3, 31, 32, 33, 200] {
        let many =
            |name: &str| (0..inside).map(|at| format!("\"{name}{at}\":{{\"a\":1}}")).collect::<Vec<_>>().join(",");
        let text = format!("{{\"a\":{{{}}},{}}}", many("x"), many("y"));
        let mut cursor = Cursor::new(text.as_bytes(), Limits::default()).unwrap();
        cursor.note_case_variants();
        let place = cursor.place();
        let first = names(&mut cursor);
        cursor.go_back(place);
        assert_eq!(names(&mut cursor), first);
        cursor.go_back(place);
        // Within an object, too.
        let mut members = cursor.open_object().unwrap();
        cursor.next_member(&mut members).unwrap();
        let place = cursor.place();
        let inner = names(&mut cursor);
        cursor.go_back(place);
        assert_eq!(names(&mut cursor), inner);
        cursor.go_back(place);
        assert!(!cursor.saw_duplicate() && !cursor.saw_case_variant(), "{inside}");
        // And in the middle of one, each member.
        let mut others = 0;
        loop {
            cursor.checked_value().unwrap();
            let place = cursor.place();
            let next = cursor.next_member(&mut members).unwrap();
            if next.is_none() {
                break;
            }
            cursor.go_back(place);
            assert_eq!(cursor.next_member(&mut members).unwrap(), next);
            others += 1;
        }
        cursor.end().unwrap();
        assert_eq!((others, cursor.saw_duplicate()), (inside, false));
    }
}

#[test]
fn a_key_said_twice_is_seen_where_the_objects_around_it_have_many() {
    for around in [0, 10, 17, 20, 30, 40, 47, 48, 49, 90] {
        for inside in [1, 2, 3, 30, 31, 32, 33, 40] {
            let many = |name: &str, count: usize| {
                let keys: Vec<String> = (0..count).map(|at| format!("\"{name}{at}\":0,")).collect();
                keys.concat()
            };
            for (first, then, twice) in
                [("", "k0", true), ("", "other", false), ("\"\\u006b\":0,", "k", true), ("\"\\u006b\":0,", "K", false)]
            {
                for last in ["", "\"x\":0,\"z\":0,"] {
                    let object = format!("{{{}{first}{last}\"{then}\":0}}", many("k", inside));
                    // Half of what stands around it is in an object, half in the one around that.
                    let outer = many("k", around / 2);
                    let text = format!("{{{outer}\"o\":{{{outer}\"o\":{object},\"p\":{{\"k0\":0,\"x\":0}}}},\"x\":1}}");
                    assert_eq!(duplicates(&text), twice, "{around} {inside} {object}");
                    let text = format!("{{{outer}\"o\":{{{outer}\"o\":{{}}, \"p\":{{\"k0\":0}}}},\"o\":1}}");
                    assert!(duplicates(&text), "{around}");
                }
            }
            // Each key of an object is compared with each other one of it.
            for twice in 0..inside {
                let text = format!("{{{}\"o\":{{{}\"i{twice}\":1}}}}", many("k", around), many("i", inside));
                assert!(duplicates(&text), "{around} {inside} {twice}");
            }
        }
    }
}

#[test]
fn a_fault_is_told_in_words_and_where_it_is() {
    let limits = Limits { max_depth: 2, max_number_chars: 3 };
    for (text, words) in [
        ("\u{0}", "expected a value at byte 0"),
        ("[[[", "nesting too deep"),
        ("1234", "number too long"),
        (r#""\ud800""#, "lone surrogate"),
        (r#"[1,"\u00"#, "unexpected end of text at byte 8"),
        ("", "unexpected end of text at byte 0"),
        ("1 2", "data after the value at byte 2"),
        ("[1,]", "expected a value at byte 3"),
        ("trux", "expected a value at byte 3"),
        ("{1", "expected an object key at byte 1"),
        (r#"{"a"1"#, "expected a colon at byte 4"),
        ("[1 2]", "expected a comma or an end at byte 3"),
        ("1.x", "invalid number at byte 2"),
        (r#""\x""#, "invalid escape at byte 1"),
        (r#""\u00g0""#, "invalid escape at byte 3"),
        ("\"a\n\"", "control character in a string at byte 2"),
    ] {
        let mut cursor = Cursor::new(text.as_bytes(), limits).unwrap();
        let fault = cursor.value().and_then(|_| cursor.end()).unwrap_err();
        assert_eq!(fault.to_string(), words, "{text}");
    }
    assert_eq!(format!("{:?}", read(b" 17").unwrap()), "Integer at Span { start: 1, end: 3 }");
    let fault = Cursor::new(b"\"\xFF\"", limits).unwrap_err();
    assert_eq!((fault.kind, fault.to_string().as_str()), (FaultKind::NotUtf8, "body is not valid UTF-8"));
}

#[test]
fn an_array_that_ends_with_the_text_has_no_next_element() {
    for text in ["[", " [ "] {
        let mut cursor = Cursor::new(text.as_bytes(), Limits::default()).unwrap();
        let mut elements = cursor.open_array().unwrap();
        assert_eq!(cursor.next_element(&mut elements).unwrap_err().kind, FaultKind::Truncated, "{text}");
    }
}

#[test]
fn a_string_is_written_with_as_few_escapes_as_it_needs() {
    let mut out = Vec::new();
    push_string(&mut out, "a\"\\/\n\r\t\u{8}\u{c}\u{0}\u{1f}\u{7f}é");
    assert_eq!(String::from_utf8(out).unwrap(), "\"a\\\"\\\\/\\n\\r\\t\\u0008\\u000c\\u0000\\u001f\u{7f}é\"");
}
