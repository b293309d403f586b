//! A program and its arguments, as people write them in one line.

/// A program with its arguments.
///
/// ```
/// use honinbo_players::CommandLine;
/// let line = CommandLine::parse(r#"katago gtp -model "my nets/b6.bin.gz""#).unwrap();
/// assert_eq!(line.program(), "katago");
/// assert_eq!(line.arguments(), ["gtp", "-model", "my nets/b6.bin.gz"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

/// Why a text is no command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// There is nothing in it.
    #[error("the command line is empty")]
    Empty,
    /// A quotation mark has no partner.
    #[error("the quotation mark {mark} in `{text}` is never closed")]
    OpenQuote {
        /// Which.
        mark: char,
        /// The whole line.
        text: String,
    },
    /// A character that no argument can hold.
    #[error("the command line holds a NUL character")]
    Nul,
}

impl CommandLineError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            CommandLineError::Empty => "write the program and its arguments, such as `gnugo --mode gtp`",
            CommandLineError::OpenQuote { .. } => "close it, or write \\ before it",
            CommandLineError::Nul => "type the line again",
        }
    }
}

impl CommandLine {
    /// Whether it starts the analysis engine of KataGo, or of a program that stands in its place: the first argument is
    /// `analysis`.
    #[must_use]
    pub fn speaks_json(&self) -> bool {
        self.arguments.first().is_some_and(|argument| argument == "analysis")
    }

    /// A program with these arguments, taken as they are.
    #[must_use]
    pub fn new(program: impl Into<String>, arguments: impl IntoIterator<Item = impl Into<String>>) -> CommandLine {
        CommandLine { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }

    /// Reads a line: words between blanks; quotation marks of either kind keep blanks together.
    ///
    /// A backslash takes the meaning of a quotation mark, a blank or another backslash after it; before anything else
    /// it stands for itself, so that Windows paths can be written as they are. Two at the beginning of a path such as
    /// `\\server\share` stay two.
    /// No shell is involved: there are no variables, pipes or patterns.
    ///
    /// # Errors
    /// When there is no program in it, or a quotation mark is not closed.
    pub fn parse(text: &str) -> Result<CommandLine, CommandLineError> {
        if text.contains('\0') {
            return Err(CommandLineError::Nul);
        }
        let mut words: Vec<String> = Vec::new();
        let mut word: Option<String> = None;
        let mut quote: Option<char> = None;
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let begins = word.as_ref().is_none_or(String::is_empty);
            match (letter, quote) {
                ('\\', _) if begins && names_a_server(letters.clone()) => {
                    letters.next();
                    word.get_or_insert_default().push_str(r"\\");
                }
                ('\\', _)
                    if letters.peek().is_some_and(|next| matches!(next, '"' | '\'' | '\\') || next.is_whitespace()) =>
                {
                    word.get_or_insert_default().extend(letters.next());
                }
                (_, Some(mark)) if letter == mark => quote = None,
                ('"' | '\'', None) => {
                    quote = Some(letter);
                    word.get_or_insert_default();
                }
                (_, None) if letter.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(letter),
            }
        }
        if let Some(mark) = quote {
            return Err(CommandLineError::OpenQuote { mark, text: text.to_owned() });
        }
        words.extend(word);
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or(CommandLineError::Empty)?;
        Ok(CommandLine { program, arguments: words.collect() })
    }

    /// The line as [`CommandLine::parse`] reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        words.map(|word| CommandLine::word(word)).collect::<Vec<_>>().join(" ")
    }

    /// A program or an argument as [`CommandLine::parse`] reads it: as it is where that will do, otherwise in quotation
    /// marks.
    pub(super) fn word(text: &str) -> String {
        // With another after it, whose blank a backslash at the end would take.
        let line = CommandLine::parse(&format!("{text} x"));
        if line.is_ok_and(|line| line.program == text && line.arguments == ["x"]) {
            return text.to_owned();
        }
        let mut word = String::from('"');
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            // A backslash before these, or before the mark at the end, would take their meaning.
            let is_mark = |next: &char| matches!(next, '"' | '\'' | '\\') || next.is_whitespace();
            if letter == '"' || (letter == '\\' && letters.peek().is_none_or(is_mark)) {
                word.push('\\');
            }
            word.push(letter);
        }
        word.push('"');
        word
    }

    /// The program: a path, or a name that is looked for in `PATH` and where installers put programs.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// What the engine is called until it says its name: the program's file name without folder and ending.
    pub(crate) fn short_name(&self) -> String {
        std::path::Path::new(&self.program)
            .file_stem()
            .map_or_else(|| self.program.clone(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Its arguments.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

/// Whether what follows a backslash makes it the beginning of a path on another machine: `\\server\`.
fn names_a_server(mut rest: impl Iterator<Item = char>) -> bool {
    if rest.next() != Some('\\') {
        return false;
    }
    let is_of_name = |letter: &char| !letter.is_whitespace() && !matches!(letter, '\\' | '"' | '\'' | '/');
    let mut letters = 0;
    let end = rest.find(|letter| {
        letters += usize::from(is_of_name(letter));
        !is_of_name(letter)
    });
    letters > 0 && end == Some('\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let line = CommandLine::parse(text).unwrap();
        [line.program].into_iter().chain(line.arguments).collect()
    }

    #[test]
    fn words_are_told_apart_as_a_person_expects() {
        assert_eq!(words("  gnugo   --mode gtp "), ["gnugo", "--mode", "gtp"]);
        assert_eq!(words(r#"'my engine' "" -x "it's""#), ["my engine", "", "-x", "it's"]);
        assert_eq!(words(r"C:\go\katago.exe gtp a\ b \\x \"), ["C:\\go\\katago.exe", "gtp", "a b", "\\x", "\\"]);
        assert_eq!(words(r"\\go-server\engines\katago.exe gtp"), [r"\\go-server\engines\katago.exe", "gtp"]);
        assert_eq!(words(r#"x "\\nas\my nets\b6.bin.gz""#)[1], r"\\nas\my nets\b6.bin.gz");
        assert_eq!(words("道棋\u{3000}--level 1"), ["道棋", "--level", "1"]);
    }

    #[test]
    fn a_word_is_read_as_it_was_meant() {
        for word in [
            "gnugo",
            "/my engines/katago",
            "/anna's/katago",
            r#"/the "new" one/katago"#,
            r"C:\My Games\ x\katago.exe",
            r"\\nas\my nets\b6.bin.gz",
            r"\\nas\nets\b6.bin.gz",
            r"a\\b",
            r"a \\b",
            r"\'a\b c",
            r"ends in \",
            r"ends\",
            "道棋\u{3000}x",
        ] {
            assert_eq!(words(&format!("{0} {0}", CommandLine::word(word))), [word; 2], "{}", CommandLine::word(word));
        }
        assert_eq!(CommandLine::word("gnugo"), "gnugo");
        assert_eq!(CommandLine::word("my engine"), "\"my engine\"");
        let line = CommandLine::new("/my engines/katago", ["gtp", "-model", ""]);
        assert_eq!(CommandLine::parse(&line.text()), Ok(line));
    }

    #[test]
    fn lines_that_name_no_program_are_refused() {
        assert_eq!(CommandLine::parse("  "), Err(CommandLineError::Empty));
        assert_eq!(CommandLine::parse("'' x"), Err(CommandLineError::Empty));
        assert_eq!(CommandLine::parse("a\0b"), Err(CommandLineError::Nul));
        let open = CommandLine::parse("a 'b c");
        assert_eq!(open, Err(CommandLineError::OpenQuote { mark: '\'', text: "a 'b c".into() }));
    }
}
