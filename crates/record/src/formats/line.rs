//! What the readers of other formats share: a line of moves, and names with ranks.

use crate::diagnostic::{Diagnostic, Problem};
use crate::tree::GameTree;

/// Adds a move below `node`; reports what is no point of the board.
pub(crate) struct LineBuilder<'t> {
    pub(crate) tree: &'t mut GameTree,
    pub(crate) node: crate::NodeId,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl LineBuilder<'_> {
    /// A stone in column `x` and row `y` from 0 at the top left, or a pass.
    pub(crate) fn play(&mut self, black: bool, point: Option<(usize, usize)>) {
        self.node = self.tree.add_child(self.node);
        let value = point.map(|(x, y)| self.letters(x, y)).unwrap_or_default();
        self.tree.set_raw(self.node, if black { "B" } else { "W" }, [value]);
    }

    pub(crate) fn holds(&self, x: usize, y: usize) -> bool {
        x < self.width && y < self.height
    }

    pub(crate) fn letters(&self, x: usize, y: usize) -> String {
        let part = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        crate::value::letters_of(part(x), part(y))
    }

    /// Moves that one file may have.
    pub(crate) fn is_full(&self) -> bool {
        self.tree.node_count() > 20_000
    }

    pub(crate) fn bad_point(&self, line: usize, value: &str) -> Diagnostic {
        let problem = Problem::BadPoint { ident: "move".into(), value: crate::value::shorten(value) };
        Diagnostic { line: u32::try_from(line + 1).unwrap_or(0), column: 0, problem }
    }
}

/// Sets a property when there is something to say.
pub(crate) fn set(tree: &mut GameTree, ident: &str, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        let root = tree.root();
        tree.set_text(root, ident, text);
    }
}

/// Splits `Name (9D)`, `Name[9D]`, `Name  9D*` or `Name 五段` into name and rank.
pub(crate) fn name_and_rank(text: &str) -> (String, String) {
    let text = text.trim();
    let open = text.rfind(['(', '[', '（']);
    if let Some(open) = open {
        let rank = text[open..].trim_matches(['(', ')', '[', ']', '（', '）', ' ']);
        if crate::Rank::parse(rank).is_some() {
            return (text[..open].trim().to_owned(), rank.to_lowercase());
        }
    }
    if let Some((name, rank)) = text.rsplit_once(char::is_whitespace) {
        let rank = rank.trim_end_matches(['*', '?']);
        let short = rank.len() <= 5 && rank.starts_with(|c: char| c.is_ascii_digit());
        let chinese = rank.chars().count() <= 3 && rank.ends_with(['段', '级', '級']);
        if (short || chinese) && crate::Rank::parse(rank).is_some() {
            return (name.trim().to_owned(), rank.to_lowercase());
        }
    }
    (text.to_owned(), String::new())
}
