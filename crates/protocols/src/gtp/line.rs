//! One line of input: identifier, command and arguments.

/// The longest line that is read; the rest of a longer one is dropped and the line refused.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// A command as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    /// The number that the answer repeats.
    pub(crate) id: Option<u64>,
    /// In small letters.
    pub(crate) name: String,
    pub(crate) arguments: Vec<String>,
    /// Everything after the name, blanks at both ends removed: some arguments are JSON.
    pub(crate) rest: String,
}

/// What a line holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// Nothing: ends an analysis.
    Empty,
    /// A comment and nothing else.
    Comment,
    Command(Command),
    /// Longer than a line may be.
    TooLong,
}

/// Reads a line without its end. Control characters vanish, tabs are blanks, `#` begins a comment.
pub(crate) fn parse(bytes: &[u8]) -> Line {
    if bytes.len() > MAX_LINE {
        return Line::TooLong;
    }
    let text: String = String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    let without_comment = text.split('#').next().unwrap_or_default().trim();
    if without_comment.is_empty() {
        return if text.trim().is_empty() { Line::Empty } else { Line::Comment };
    }
    let (first, after) = split_word(without_comment);
    let (id, name, rest) = match first.parse::<u64>() {
        Ok(id) => {
            let (name, rest) = split_word(after);
            (Some(id), name, rest)
        }
        Err(_) => (None, first, after),
    };
    Line::Command(Command {
        id,
        name: name.to_lowercase(),
        arguments: rest.split_whitespace().map(str::to_owned).collect(),
        rest: rest.to_owned(),
    })
}

/// Whether a line is the comment by which GoGui ends the command that is being answered.
///
/// Source: GoGui's manual, "Interrupting Commands".
pub(crate) fn is_interrupt(bytes: &[u8]) -> bool {
    bytes.trim_ascii() == b"# interrupt"
}

fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        let Line::Command(command) = parse(b"12 Play\tB  D4 # comment\r") else { panic!("no command") };
        assert_eq!((command.id, command.name.as_str(), command.rest.as_str()), (Some(12), "play", "B  D4"));
        assert_eq!(command.arguments, ["B", "D4"]);
        assert_eq!(parse(b"  \r"), Line::Empty);
        assert_eq!(parse(b"# only a comment"), Line::Comment);
        assert_eq!(parse(&vec![b'a'; MAX_LINE + 1]), Line::TooLong);
        assert!(matches!(parse(b"\xff\xfe quit"), Line::Command(_)));
        assert!(
            is_interrupt(b"# interrupt\r")
                && !is_interrupt(b"# interrupted")
                && !is_interrupt(b"play b C3 # interrupt")
        );
        let Line::Command(bare) = parse(b"7") else { panic!("no command") };
        assert_eq!((bare.id, bare.name.as_str()), (Some(7), ""));
    }
}
