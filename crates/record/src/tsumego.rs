//! Problems: positions with right and wrong answers, as files of many programs mark them.
//!
//! Marks that are read, on a move or, for comments, on a node without one below it:
//!
//! - goproblems.com: `RIGHT` in a comment ends the problem solved, `CHOICE` lets the reply be chosen at random among the
//!   branches that have it, `FORCE` allows only moves of the file, `NOTTHIS` is refused without a loss; capitals only
//!   (<https://goproblems.com/article/constructionbasics>). What has no `RIGHT` below it is wrong.
//! - uliGo: `WV` begins a wrong variation (<https://www.u-go.net/uligo/tutorial/>).
//! - SGF's own annotations: `TE` for a good move, `BM` and `DO` for a bad one, `GB` and `GW` for whom a position is good
//!   (<https://red-bean.com/sgf/properties.html>).
//! - Words at the head of a comment or a node's name: "correct", "wrong", 正解, 失敗, 변화 and the like, and a plus or minus.
//! - Nothing at all: the first branch at each move of the solver is the solution.

use honinbo_rules::{Color, Game, Move, Point, Setup};

use crate::info::GameInfo;
use crate::node::MarkShape;
use crate::rank::Rank;
use crate::replay::replay;
use crate::tree::{GameTree, NodeId};

/// Nodes of a problem; a larger tree is none.
const MAX_NODES: usize = 50_000;
/// Characters of a comment that are kept.
const MAX_COMMENT: usize = 4_000;
/// Characters at the head of a comment in which a Chinese, Japanese or Korean word is a mark.
const HEAD: usize = 12;

const CONTROL_WORDS: [&str; 5] = ["RIGHT", "WRONG", "CHOICE", "FORCE", "NOTTHIS"];
const WRONG_WORDS: [&str; 10] = ["不正解", "不正确", "不正確", "失败", "失敗", "错误", "錯誤", "실패", "오답", "틀림"];
const RIGHT_WORDS: [&str; 5] = ["正解", "正确", "正確", "정답", "정해"];
const VARIATION_WORDS: [&str; 4] = ["変化", "变化", "變化", "변화"];
const ENGLISH: [(&str, Verdict); 9] = [
    ("correct", Verdict::Right),
    ("right", Verdict::Right),
    ("solved", Verdict::Right),
    ("success", Verdict::Right),
    ("incorrect", Verdict::Wrong),
    ("wrong", Verdict::Wrong),
    ("failure", Verdict::Wrong),
    ("fail", Verdict::Wrong),
    ("variation", Verdict::Variation),
];
/// Words that may follow one of [`ENGLISH`] without making a sentence of it.
const NOUNS: [&str; 6] = ["answer", "move", "variation", "diagram", "solution", "path"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Right,
    Wrong,
    /// Another way for the opponent: right where the move that it belongs to is.
    Variation,
}

/// What a node says.
#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    verdict: Option<Verdict>,
    /// The problem ends here, whatever follows.
    ends: bool,
    choice: bool,
    force: bool,
    not_this: bool,
}

/// A problem: a position, and a tree of answers that are right or wrong.
///
/// ```
/// use honinbo_record::{Tried, Tsumego, read_sgf};
/// use honinbo_rules::{Move, Point};
///
/// let file = b"(;SZ[9]AB[aa]AW[ba]C[White to play](;W[ab]C[RIGHT Taken.])(;W[cc];B[ab]))";
/// let problem = Tsumego::read(read_sgf(file).games.remove(0).tree).unwrap();
/// assert_eq!(problem.text(), "White to play");
/// let Tried::Known(node) = problem.try_move(problem.start(), Move::Place(Point::new(0, 1))) else { panic!() };
/// assert!(problem.is_end(node) && problem.is_right(node));
/// assert_eq!(problem.comment(node), "Taken.");
/// ```
#[derive(Debug, Clone)]
pub struct Tsumego {
    tree: GameTree,
    start: NodeId,
    game: Game,
    marks: Vec<Marks>,
    /// By node: some end below it, or it itself, is right.
    right: Vec<bool>,
}

/// What the file knows of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tried {
    /// It is there.
    Known(NodeId),
    /// The author does not want this move to be tried; it is no mistake.
    Refused,
    /// The file says nothing of it.
    Unknown,
}

impl Tsumego {
    /// The problem of a tree; `None` where nothing is asked: no stones and no marks, no moves, nothing that is right,
    /// or more than 50,000 nodes.
    #[must_use]
    pub fn read(tree: GameTree) -> Option<Self> {
        if tree.node_count() > MAX_NODES {
            return None;
        }
        let start = start_of(&tree)?;
        let size = GameInfo::of(&tree).size;
        let solver = moves_below(&tree, start).find_map(|node| Some(tree.move_at(node, size)?.color))?;
        let game = asked(replay(&tree, start).game, solver)?;
        let mut problem = Self { tree, start, game, marks: Vec::new(), right: Vec::new() };
        problem.judge(solver);
        problem.right[start.index()].then_some(problem)
    }

    /// Works out which ends are right.
    fn judge(&mut self, solver: Color) {
        let size = self.game.board().size();
        let slots = self.tree.slot_count();
        let below: Vec<NodeId> = self.tree.subtree(self.start).collect();
        self.marks = vec![Marks::default(); slots];
        for &node in below.iter().filter(|&&node| node != self.start) {
            self.marks[node.index()] = marks_of(&self.tree, node, size, solver);
        }
        let says = |verdict| below.iter().any(|node| self.marks[node.index()].verdict == Some(verdict));
        let (has_right, has_wrong) = (says(Verdict::Right), says(Verdict::Wrong));

        // From above: the nearest mark, whether the solver kept to the first branch, and the solver's first move.
        let mut inherited: Vec<Option<Verdict>> = vec![None; slots];
        let mut first = vec![true; slots];
        let mut opening: Vec<NodeId> = vec![self.start; slots];
        let mut opening_is_right = vec![false; slots];
        // Nothing is right behind a move that is on no board, nor before the solver's first.
        let mut playable = vec![true; slots];
        for &node in below.iter().filter(|&&node| node != self.start) {
            let parent = self.tree.parent(node).unwrap_or(self.start);
            let (here, above) = (node.index(), parent.index());
            inherited[here] = self.marks[here].verdict.or(inherited[above]);
            let is_first = self.tree.previous_sibling(node).is_none();
            let made = self.tree.move_at(node, size);
            playable[here] = playable[above] && made.as_ref().is_none_or(|made| made.played.is_ok());
            let own = made.is_some_and(|made| made.color == solver);
            first[here] = first[above] && (is_first || !own);
            opening[here] = if opening[above] == self.start && own { node } else { opening[above] };
            if self.marks[here].verdict == Some(Verdict::Right) {
                opening_is_right[opening[here].index()] = true;
            }
        }
        // From below: what leads to a right end.
        self.right = vec![false; slots];
        for &node in below.iter().rev() {
            let here = node.index();
            if self.tree.first_child(node).is_none() || self.marks[here].ends {
                self.right[here] = match inherited[here] {
                    Some(Verdict::Right) => true,
                    Some(Verdict::Wrong) => false,
                    Some(Verdict::Variation) if has_right => opening_is_right[opening[here].index()],
                    _ if has_right => false,
                    _ if has_wrong => true,
                    _ => first[here],
                } && playable[here]
                    && opening[here] != self.start;
            }
            if self.right[here]
                && node != self.start
                && let Some(parent) = self.tree.parent(node)
            {
                self.right[parent.index()] = true;
            }
        }
    }

    /// The record.
    #[must_use]
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// The node of the position that is asked.
    #[must_use]
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// The position that is asked; the solver is to move.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Who solves it.
    #[must_use]
    pub fn solver(&self) -> Color {
        self.game.to_play()
    }

    /// What the file says before the first move.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.tree.path(self.start).into_iter().filter_map(|node| self.tree.comment(node));
        shown(&texts.collect::<Vec<_>>().join("\n"))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        GameInfo::of(&self.tree).name
    }

    /// How hard it is, as goproblems.com says it (`DI`).
    #[must_use]
    pub fn level(&self) -> Option<Rank> {
        Rank::parse(&self.tree.text_value(self.tree.root(), "DI")?)
    }

    /// What it is about, as goproblems.com says it (`GE`); empty where the file does not say.
    #[must_use]
    pub fn genre(&self) -> String {
        self.tree.text_value(self.tree.root(), "GE").unwrap_or_default().into_owned()
    }

    /// The points that the file marks with triangles (`TR`) at the question.
    #[must_use]
    pub fn marked(&self) -> Vec<Point> {
        let marks = self.tree.marks_at(self.start, self.game.board().size()).points;
        marks.into_iter().filter(|(_, shape)| *shape == MarkShape::Triangle).map(|(point, _)| point).collect()
    }

    /// What the file knows of a move of the solver.
    #[must_use]
    pub fn try_move(&self, at: NodeId, played: Move) -> Tried {
        let mut forced = self.mark(at).force;
        for (node, known) in self.moves(at, self.solver()) {
            if known == played {
                return if self.mark(node).not_this { Tried::Refused } else { Tried::Known(node) };
            }
            forced |= self.mark(node).force;
        }
        if forced { Tried::Refused } else { Tried::Unknown }
    }

    /// The reply of the file. Where several are marked as a choice, `seed` chooses.
    #[must_use]
    pub fn reply(&self, at: NodeId, seed: u64) -> Option<(NodeId, Move)> {
        if self.is_end(at) {
            return None;
        }
        let mut replies: Vec<_> = self.moves(at, self.solver().opponent()).collect();
        if self.is_right(at) {
            // A reply behind which nothing is right would leave a right move without its end.
            replies.retain(|(node, _)| self.is_right(*node));
        }
        let is_choice = |node| self.tree.subtree(node).any(|below| self.mark(below).choice);
        let choices: Vec<_> = replies.iter().filter(|(node, _)| is_choice(*node)).copied().collect();
        let among = if choices.is_empty() { &replies[..replies.len().min(1)] } else { &choices[..] };
        let number = seed.checked_rem(among.len() as u64)?;
        among.get(usize::try_from(number).ok()?).copied()
    }

    /// Nothing follows: the problem is solved or failed.
    #[must_use]
    pub fn is_end(&self, at: NodeId) -> bool {
        at != self.start && (self.mark(at).ends || moves_below(&self.tree, at).next().is_none())
    }

    /// It is right, or leads to what is.
    #[must_use]
    pub fn is_right(&self, at: NodeId) -> bool {
        self.right.get(at.index()).copied().unwrap_or_default()
    }

    /// What the file says of a move, without the words that are marks.
    #[must_use]
    pub fn comment(&self, at: NodeId) -> String {
        let mut texts = Vec::new();
        let mut node = Some(at);
        while let Some(here) = node {
            texts.extend(self.tree.comment(here));
            // Nodes without a move belong to the one before.
            let size = self.game.board().size();
            node = self.tree.first_child(here).filter(|&next| self.tree.move_at(next, size).is_none());
            if texts.len() > 8 {
                break;
            }
        }
        shown(&texts.join("\n"))
    }

    /// The right moves of the solver at a node, in the order of the file.
    pub fn right_moves(&self, at: NodeId) -> impl Iterator<Item = Move> + '_ {
        self.moves(at, self.solver()).filter(|(node, _)| self.is_right(*node)).map(|(_, played)| played)
    }

    /// The shortest way to a right end: the first right move at each turn, and the file's replies.
    #[must_use]
    pub fn solution(&self, at: NodeId, seed: u64) -> Vec<(NodeId, Move)> {
        let (mut way, mut here) = (Vec::new(), at);
        while !self.is_end(here) && self.is_right(here) {
            let right = self.moves(here, self.solver()).find(|(node, _)| self.is_right(*node));
            let Some((node, played)) = right else { break };
            way.push((node, played));
            here = node;
            let Some((node, played)) = self.reply(here, seed) else { break };
            way.push((node, played));
            here = node;
        }
        way
    }

    /// The node of this reply; `None` where the file does not have it.
    #[must_use]
    pub fn reply_at(&self, at: NodeId, played: Move) -> Option<NodeId> {
        self.moves(at, self.solver().opponent()).find(|(_, known)| *known == played).map(|(node, _)| node)
    }

    /// The file has a reply at a node; without one it goes on with the solver's move, or ends.
    #[must_use]
    pub fn has_reply(&self, at: NodeId) -> bool {
        self.moves(at, self.solver().opponent()).next().is_some()
    }

    /// The first moves of the file behind a node, whoever plays them: how a wrong move is punished. It ends where
    /// somebody would move twice.
    #[must_use]
    pub fn line(&self, at: NodeId) -> Vec<(NodeId, Move)> {
        let (mut line, mut here) = (Vec::new(), at);
        let mut color = self.solver().opponent();
        while let Some(next) = self.moves(here, color).next() {
            line.push(next);
            here = next.0;
            color = color.opponent();
        }
        line
    }

    /// Its words name a colour: with the colours exchanged they would be wrong.
    #[must_use]
    pub fn names_colors(&self) -> bool {
        self.says(|text| {
            let lower = text.to_lowercase();
            ["black", "white", "黑", "黒", "白", "흑", "백"].iter().any(|word| lower.contains(word))
        })
    }

    /// Its words name a point by its coordinates: on a turned board they would be wrong.
    #[must_use]
    pub fn names_points(&self) -> bool {
        self.says(|text| words(text).any(is_point))
    }

    fn says(&self, is_said: impl Fn(&str) -> bool) -> bool {
        let before = self.tree.path(self.start).into_iter();
        let nodes = before.chain(self.tree.subtree(self.start));
        let mut texts = nodes
            .flat_map(|node| ["GN", "N", "C"].into_iter().filter_map(move |ident| self.tree.text_value(node, ident)));
        texts.any(|text| is_said(&text))
    }

    /// How many ends are right, and how many are not.
    #[must_use]
    pub fn ends(&self) -> (u32, u32) {
        let (mut right, mut wrong) = (0, 0);
        for node in self.tree.subtree(self.start).filter(|&node| self.tree.first_child(node).is_none()) {
            *if self.is_right(node) { &mut right } else { &mut wrong } += 1;
        }
        (right, wrong)
    }

    fn mark(&self, node: NodeId) -> Marks {
        self.marks.get(node.index()).copied().unwrap_or_default()
    }

    /// The moves of a player that follow a node, behind nodes without one too, in the order of the file.
    pub fn moves(&self, at: NodeId, color: Color) -> impl Iterator<Item = (NodeId, Move)> + '_ {
        let size = self.game.board().size();
        moves_below(&self.tree, at).filter_map(move |node| {
            let made = self.tree.move_at(node, size).filter(|made| made.color == color)?;
            Some((node, made.played.ok()?))
        })
    }
}

/// Nodes with a move below a node, behind such as have none.
fn moves_below(tree: &GameTree, at: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let mut open: Vec<NodeId> = tree.children(at).collect();
    open.reverse();
    std::iter::from_fn(move || {
        while let Some(node) = open.pop() {
            if has_move(tree, node) {
                return Some(node);
            }
            let from = open.len();
            open.extend(tree.children(node));
            open[from..].reverse();
        }
        None
    })
}

fn has_move(tree: &GameTree, node: NodeId) -> bool {
    tree.property(node, "B").is_some() || tree.property(node, "W").is_some()
}

/// The position before the first move where stones were set up, otherwise the one before the first marked move.
fn start_of(tree: &GameTree) -> Option<NodeId> {
    let size = GameInfo::of(tree).size;
    let before = tree.line_from(tree.root()).take_while(|&node| !has_move(tree, node)).last()?;
    let has_stones = tree.path(before).into_iter().any(|node| {
        let setup = tree.setup_at(node, size);
        !setup.black.is_empty() || !setup.white.is_empty()
    });
    if has_stones {
        return Some(before);
    }
    tree.line_from(tree.root()).find(|&node| {
        tree.children(node).any(|child| {
            tree.move_at(child, size).is_some_and(|made| marks_of(tree, child, size, made.color).verdict.is_some())
        })
    })
}

/// The position with the solver to move.
fn asked(game: Game, solver: Color) -> Option<Game> {
    if game.to_play() == solver && !game.is_over() {
        return Some(game);
    }
    let setup = Setup { stones: game.board().stones().collect(), first_player: solver, ..game.setup().clone() };
    Game::new(setup).ok()
}

fn marks_of(tree: &GameTree, node: NodeId, size: honinbo_rules::BoardSize, solver: Color) -> Marks {
    let mut marks = Marks::default();
    let has = |ident: &str| tree.property(node, ident).is_some();
    let own = tree.move_at(node, size).is_some_and(|made| made.color == solver);
    let (good, bad) = if solver == Color::Black { ("GB", "GW") } else { ("GW", "GB") };
    if (own && has("TE")) || has(good) {
        marks.verdict = Some(Verdict::Right);
    }
    if (own && (has("BM") || has("DO"))) || has(bad) || has("WV") {
        marks.verdict = Some(Verdict::Wrong);
    }
    for ident in ["N", "C"] {
        let Some(text) = tree.text_value(node, ident) else { continue };
        for word in words(&text) {
            match word {
                "RIGHT" => {
                    marks.verdict = Some(Verdict::Right);
                    marks.ends = true;
                }
                "WRONG" => marks.verdict = Some(Verdict::Wrong),
                "CHOICE" => marks.choice = true,
                "FORCE" => marks.force = true,
                "NOTTHIS" => marks.not_this = true,
                _ => {}
            }
        }
        if !marks.ends {
            marks.verdict = said(&text).or(marks.verdict);
        }
    }
    marks
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// A point as people write it: a letter and a number up to 25.
fn is_point(word: &str) -> bool {
    let mut rest = word.chars();
    let letter = rest.next().is_some_and(|first| first.is_ascii_alphabetic());
    letter && rest.as_str().parse::<u8>().is_ok_and(|number| (1..=25).contains(&number))
}

/// What the head of a comment says.
fn said(text: &str) -> Option<Verdict> {
    let text = text.trim_start();
    let head: String = text.lines().next().unwrap_or_default().chars().take(HEAD).collect();
    let names = |words: &[&str]| words.iter().any(|word| head.contains(word));
    // What is not right has the word for right in it.
    if names(&WRONG_WORDS) {
        return Some(Verdict::Wrong);
    }
    if names(&VARIATION_WORDS) {
        return Some(Verdict::Variation);
    }
    if names(&RIGHT_WORDS) {
        return Some(Verdict::Right);
    }
    match text.strip_prefix('+') {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => return Some(Verdict::Right),
        _ if text.trim_end() == "-" => return Some(Verdict::Wrong),
        _ => {}
    }
    let first: String = text.chars().take(HEAD).take_while(|c| c.is_ascii_alphabetic()).collect();
    let (_, verdict) = ENGLISH.iter().find(|(word, _)| first.eq_ignore_ascii_case(word))?;
    let rest = text.get(first.len()..)?;
    let next = words(rest).next().unwrap_or_default();
    let ends = !rest.starts_with([' ', '\'', '-'])
        || next.is_empty()
        || NOUNS.iter().any(|noun| next.eq_ignore_ascii_case(noun));
    ends.then_some(*verdict)
}

/// A comment without the words that are marks.
fn shown(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let starts = out.chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        let word = CONTROL_WORDS
            .iter()
            .find(|word| rest.strip_prefix(**word).is_some_and(|after| !after.starts_with(char::is_alphanumeric)));
        if let Some(word) = word.filter(|_| starts) {
            rest = &rest[word.len()..];
            continue;
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
        if out.len() > 4 * MAX_COMMENT {
            break;
        }
    }
    let text = out.trim();
    let text =
        text.strip_prefix('+').filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace)).unwrap_or(text);
    text.trim().chars().take(MAX_COMMENT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_sgf;
    use honinbo_rules::{BoardSize, Point};
    use proptest::prelude::*;

    fn problem(text: &str) -> Option<Tsumego> {
        Tsumego::read(read_sgf(text.as_bytes()).games.remove(0).tree)
    }

    fn at(name: &str) -> Move {
        let mut letters = name.bytes().map(|letter| usize::from(letter - b'a'));
        Move::Place(Point::new(letters.next().unwrap(), letters.next().unwrap()))
    }

    /// Plays the solver's moves; `+` solved, `-` failed, `?` unknown, `!` refused, `.` it goes on.
    fn solve(problem: &Tsumego, moves: &[&str]) -> char {
        let mut here = problem.start();
        for played in moves {
            match problem.try_move(here, at(played)) {
                Tried::Unknown => return '?',
                Tried::Refused => return '!',
                Tried::Known(node) => here = node,
            }
            if let Some((node, _)) = problem.reply(here, 0) {
                here = node;
            }
            if problem.is_end(here) {
                return if problem.is_right(here) { '+' } else { '-' };
            }
        }
        '.'
    }

    const SETUP: &str = "(;SZ[9]AB[cc][cd]AW[dc][dd]C[Black to play]";

    #[test]
    fn every_usual_convention_says_what_is_right() {
        for answers in [
            "(;B[aa];W[ab];B[ac]C[RIGHT])(;B[bb];W[ba])",
            "(;B[aa]TE[1];W[ab];B[ac])(;B[bb]BM[1];W[ba])",
            "(;B[aa];W[ab];B[ac]GB[1])(;B[bb];W[ba]GW[1])",
            "(;B[aa];W[ab];B[ac])(;B[bb]WV[];W[ba])",
            "(;B[aa];W[ab];B[ac])(;B[bb]DO[];W[ba])",
            "(;B[aa]C[正解图];W[ab];B[ac])(;B[bb]C[失败图];W[ba])",
            "(;B[aa]N[正解];W[ab];B[ac])(;B[bb]N[失敗];W[ba])",
            "(;B[aa]C[【正解】];W[ab];B[ac])(;B[bb]C[不正解];W[ba])",
            "(;B[aa]C[정답];W[ab];B[ac])(;B[bb]C[실패];W[ba])",
            "(;B[aa];W[ab];B[ac]C[+])(;B[bb];W[ba]C[-])",
            "(;B[aa];W[ab];B[ac]C[+ Black lives])(;B[bb];W[ba])",
            "(;B[aa];W[ab];B[ac]C[Correct!])(;B[bb];W[ba]C[Wrong.])",
            "(;B[aa];W[ab];B[ac];C[RIGHT])(;B[bb];W[ba];C[too late])",
            "(;B[aa];W[ab];B[ac])(;B[bb];W[ba])",
        ] {
            let problem = problem(&format!("{SETUP}{answers})")).expect(answers);
            let tries = [&["aa"][..], &["aa", "ac"], &["bb"], &["ee"]].map(|moves| solve(&problem, moves));
            assert_eq!(tries, ['.', '+', '-', '?'], "{answers}");
            assert_eq!(problem.right_moves(problem.start()).collect::<Vec<_>>(), [at("aa")], "{answers}");
            let way: Vec<Move> = problem.solution(problem.start(), 3).into_iter().map(|(_, played)| played).collect();
            assert_eq!(way, ["aa", "ab", "ac"].map(at), "{answers}");
        }
    }

    #[test]
    fn a_variation_of_the_solution_is_right_and_one_of_a_mistake_is_not() {
        let book = "(;B[aa]C[正解];W[ab];B[ac])(;B[bb]C[失敗];W[ba])(;B[aa];W[bb]C[変化];B[ba])(;B[ee];W[ef]C[変化])";
        let problem = problem(&format!("{SETUP}{book})")).unwrap();
        assert_eq!((solve(&problem, &["aa", "ac"]), solve(&problem, &["ee"])), ('+', '-'));
        // Two branches that begin with the same move: the first one is followed.
        let inner = "(;B[aa];W[ab](;B[ac]C[正解])(;B[bb]C[変化])(;B[ee]C[失敗]))";
        let problem = super::tests::problem(&format!("{SETUP}{inner})")).unwrap();
        assert_eq!(["ac", "bb", "ee"].map(|second| solve(&problem, &["aa", second])), ['+', '+', '-']);
    }

    #[test]
    fn words_in_a_sentence_are_no_marks() {
        let text = "(;B[aa]C[Right here White can resist];W[ab];B[ac])(;B[bb]C[Correct me: not this];W[ba])";
        let problem = problem(&format!("{SETUP}{text})")).unwrap();
        assert_eq!((solve(&problem, &["aa", "ac"]), solve(&problem, &["bb"])), ('+', '-'), "the first branch");
        assert_eq!(said("upright"), None);
        assert_eq!(said("RIGHTS"), None);
        assert_eq!(said("Correct answer: alive"), Some(Verdict::Right));
        assert_eq!(said("Wrong variation"), Some(Verdict::Wrong));
    }

    #[test]
    fn choices_force_and_refusals_of_goproblems_are_kept() {
        let text = "(;B[aa](;W[ab];B[ac]C[RIGHT])(;W[bb]C[CHOICE];B[ba]C[RIGHT])(;W[cb];B[ac]C[CHOICE RIGHT]))(;B[ee]C[NOTTHIS])";
        let problem = problem(&format!("{SETUP}{text})")).unwrap();
        let Tried::Known(first) = problem.try_move(problem.start(), at("aa")) else { panic!("it is there") };
        let replies: Vec<Move> = (0..4).filter_map(|seed| Some(problem.reply(first, seed)?.1)).collect();
        assert_eq!(replies, ["bb", "cb", "bb", "cb"].map(at));
        assert_eq!(solve(&problem, &["ee"]), '!');
        let forced = super::tests::problem(&format!("{SETUP}(;B[aa]C[FORCE];W[ab];B[ac]C[RIGHT]))")).unwrap();
        assert_eq!(solve(&forced, &["gg"]), '!');
    }

    #[test]
    fn comments_lose_their_marks_and_nothing_else() {
        assert_eq!(shown("RIGHT\nThat's it, the RIGHTEOUS way"), "That's it, the RIGHTEOUS way");
        assert_eq!(shown("+ Black lives"), "Black lives");
        assert_eq!(shown("A CHOICE: ko"), "A : ko");
        assert_eq!(shown("正解"), "正解");
        let found = problem("(;SZ[9]C[First];AB[cc]AW[dd]C[Second];W[aa]C[RIGHT];C[Well done.])").unwrap();
        assert_eq!((found.text().as_str(), found.solver()), ("First\nSecond", Color::White));
        let Tried::Known(node) = found.try_move(found.start(), at("aa")) else { panic!("it is there") };
        assert_eq!(found.comment(node), "Well done.");
    }

    #[test]
    fn what_words_name_is_known() {
        let named = |text: &str| {
            let problem = problem(&format!("(;SZ[9]AB[cc]AW[dd]C[{text}];B[aa];W[ab]C[so])")).unwrap();
            (problem.names_colors(), problem.names_points())
        };
        assert_eq!(
            ["Black to play", "黑先活", "White at C3?", "Live! 5k, 1st", "J10"].map(named),
            [(true, false), (true, false), (true, true), (false, false), (false, true)]
        );
        assert_eq!(problem("(;SZ[9]AB[cc]AW[dd];B[aa]C[정답]N[백])").map(|problem| problem.names_colors()), Some(true));
    }

    #[test]
    fn a_wrong_move_has_its_refutation() {
        let problem =
            problem(&format!("{SETUP}(;B[aa];W[ab];B[ac])(;B[bb]WV[];W[ba];B[ca];W[da])(;B[ee]WV[];B[ef]))")).unwrap();
        let Tried::Known(wrong) = problem.try_move(problem.start(), at("bb")) else { panic!("it is there") };
        let line: Vec<Move> = problem.line(wrong).into_iter().map(|(_, played)| played).collect();
        assert_eq!(line, ["ba", "ca", "da"].map(at));
        assert!(problem.has_reply(wrong));
        assert_eq!(problem.reply_at(wrong, at("ba")), Some(problem.line(wrong)[0].0));
        assert_eq!(problem.reply_at(wrong, at("hh")), None);
        let Tried::Known(twice) = problem.try_move(problem.start(), at("ee")) else { panic!("it is there") };
        assert!(problem.line(twice).is_empty() && !problem.has_reply(twice), "nobody moves twice");
    }

    #[test]
    fn games_and_empty_positions_are_no_problems() {
        assert!(problem("(;SZ[19];B[pd];W[dp];B[pp])").is_none(), "a game");
        assert!(problem("(;SZ[9]AB[cc]AW[dd]C[Black to play])").is_none(), "no answer");
        assert!(problem("(;SZ[9]AB[cc]AW[dd];B[aa]C[WRONG])").is_none(), "nothing is right");
        assert!(problem("(;SZ[9]AB[cc]AW[dd];B[zz])").is_none(), "no such point");
        // A deck's question, in the course of a game.
        let deck = problem("(;SZ[9];B[ee];W[ce](;B[cc]BM[1])(;B[gg]TE[1]))").unwrap();
        assert_eq!((deck.game().turns().len(), solve(&deck, &["gg"]), solve(&deck, &["cc"])), (2, '+', '-'));
        let told = problem("(;SZ[9]DI[5k]GE[ladder]AB[cc]AW[dd]TR[dd]CR[cc];B[aa])").unwrap();
        assert_eq!((told.level(), told.genre().as_str()), (Some(Rank::Kyu(5)), "ladder"));
        assert_eq!(told.marked(), [Point::new(3, 3)]);
    }

    fn node() -> impl Strategy<Value = String> {
        let text = "(RIGHT|WRONG|CHOICE|FORCE|NOTTHIS|\\+|-|正解|失敗|変化|x| |\n){0,4}";
        (
            prop::sample::select(vec!["B", "W", "AB", "C", "N", "TE", "BM", "GB", "GW", "WV", "PL", "SZ"]),
            "[a-j]{0,2}",
            text,
        )
            .prop_map(|(ident, point, text)| format!(";{ident}[{point}]C[{text}]"))
    }

    proptest! {
        #[test]
        fn whatever_a_file_holds_it_is_read_walked_and_ends(parts in prop::collection::vec(prop_oneof![
            node(), Just("(".to_owned()), Just(")".to_owned()), Just("(;B[aa]".to_owned())
        ], 0..40)) {
            let file = format!("(;SZ[9]AB[ee]AW[ef]{}", parts.concat());
            for game in read_sgf(file.as_bytes()).games {
                let Some(problem) = Tsumego::read(game.tree) else { continue };
                prop_assert!(problem.is_right(problem.start()));
                let way = problem.solution(problem.start(), 7);
                prop_assert!(way.len() <= problem.tree().node_count());
                let size = BoardSize::square(9).unwrap();
                for point in Point::all(size) {
                    if let Tried::Known(node) = problem.try_move(problem.start(), Move::Place(point)) {
                        let _ = (problem.reply(node, 1), problem.comment(node), problem.is_end(node));
                    }
                }
                let (right, wrong) = problem.ends();
                prop_assert!((right + wrong) as usize <= problem.tree().node_count());
            }
        }
    }
}
