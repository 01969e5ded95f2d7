//! What of a foreign text an answer shows.

/// Characters of a text that are echoed.
pub(crate) const LONGEST_ECHO: usize = 64;

/// What may be echoed of a text: printable ASCII, a question mark for each other character, cut after 64.
pub(crate) fn echo(text: &[u8]) -> Box<str> {
    if text.len() <= LONGEST_ECHO
        && text.iter().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'))
        && let Ok(text) = std::str::from_utf8(text)
    {
        return text.into();
    }
    let text = String::from_utf8_lossy(text);
    let mut characters = text.chars();
    let mut echo: String = characters
        .by_ref()
        .take(LONGEST_ECHO)
        .map(|character| if matches!(character, ' '..='~') { character } else { '?' })
        .collect();
    if characters.next().is_some() {
        echo.push('…');
    }
    echo.into_boxed_str()
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_ECHO, echo};

    #[test]
    fn an_echo_is_printable_and_short() {
        for (text, shown) in [("", ""), ("a name ~", "a name ~"), ("a\nb", "a?b"), ("é\u{0}", "??")] {
            assert_eq!(&*echo(text.as_bytes()), shown);
        }
        assert_eq!(&*echo(b"\xFF"), "?");
        for character in ["a", "é"] {
            let whole = character.repeat(LONGEST_ECHO);
            let shown = if character == "a" { whole.clone() } else { "?".repeat(LONGEST_ECHO) };
            assert_eq!(*echo(whole.as_bytes()), *shown);
            assert_eq!(*echo((whole + "b").as_bytes()), *(shown + "…"));
        }
    }
}
