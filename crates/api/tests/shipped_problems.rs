//! The problems that come with the program: every move that is marked right is proved right, every other one wrong.
//!
//! Taking and saving stones is read through here, by other code than the generator's: the attacker may play any number of
//! ataris and one other move, the defender anywhere. With `HONINBO_SLOW_TESTS=1` the attacker has a move more, and the
//! answers are the same. Life, death and seki are the referee's to say; the endgame is read to its end.

#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use honinbo_record::{NodeId, Tried, Tsumego, read_sgf_text};
use honinbo_referee::{Appraisal, Fate, Limits, Referee};
use honinbo_rules::{Board, Color, Move, Point, PositionHash, canonical_hash, pass_alive};
use honinbo_testkit::fixtures::are_slow_tests_on;
use honinbo_testkit::{EndgameReading, Repetition};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

const THEMES: [(&str, Goal); 14] = [
    ("capture", Goal::Now),
    ("atari", Goal::Take),
    ("escape", Goal::Save),
    ("connect", Goal::Save),
    ("cut", Goal::Take),
    ("ladder", Goal::Take),
    ("net", Goal::Take),
    ("snapback", Goal::Take),
    ("race", Goal::Take),
    ("live", Goal::Fate),
    ("kill", Goal::Fate),
    ("ko", Goal::Fate),
    ("seki", Goal::Seki),
    ("endgame", Goal::Points),
];
/// Themes in which one first move alone is right.
const ONE_ANSWER: [&str; 7] = ["capture", "escape", "connect", "net", "snapback", "race", "endgame"];
const MAX_DEPTH: u32 = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// The move itself takes stones.
    Now,
    /// The marked stones are taken by force.
    Take,
    /// The marked stones cannot be taken.
    Save,
    /// What becomes of the marked group is as good as it can be.
    Fate,
    /// The marked group stays in seki and would die, or dies and would stay in seki.
    Seki,
    /// No other move gains as much.
    Points,
}

fn problems(theme: &str) -> Vec<Tsumego> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("problems").join(format!("{theme}.sgf"));
    let text = std::fs::read_to_string(path).unwrap();
    let games = read_sgf_text(&text).games;
    let count = games.len();
    let found: Vec<Tsumego> = games.into_iter().filter_map(|game| Tsumego::read(game.tree)).collect();
    assert_eq!(found.len(), count, "{theme}: every record is a problem");
    assert!(found.iter().all(|problem| problem.genre() == theme), "{theme}");
    found
}

/// Whether stones can be taken by force.
struct Capture {
    targets: Vec<Point>,
    attacker: Color,
    /// By stones, forbidden ko, who moves, and moves that are granted.
    known: HashMap<(PositionHash, Option<Point>, Color, u8), bool>,
}

impl Capture {
    fn new(targets: Vec<Point>, attacker: Color) -> Self {
        Self { targets, attacker, known: HashMap::new() }
    }

    /// Liberties of the targets that are there.
    fn liberties(&self, board: &Board) -> Vec<Vec<Point>> {
        let there = self.targets.iter().filter(|&&at| board.get(at) == Some(self.attacker.opponent()));
        there.map(|&at| board.chain_at(at).unwrap().liberties().collect()).collect()
    }

    fn is_taken(&self, board: &Board) -> bool {
        self.targets.iter().any(|&at| board.get(at) != Some(self.attacker.opponent()))
    }

    /// The attacker moves, and takes one of the targets.
    fn attack(&mut self, board: &Board, spare: u8, depth: u32) -> bool {
        assert!(depth < MAX_DEPTH, "it goes on for too long");
        let key = (board.hash(), board.ko_point(), self.attacker, spare);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        // A position that comes again on the way proves nothing for the attacker.
        self.known.insert(key, false);
        let found = self.finds_attack(board, spare, depth);
        self.known.insert(key, found);
        found
    }

    fn finds_attack(&mut self, board: &Board, spare: u8, depth: u32) -> bool {
        let all = self.liberties(board);
        if all.iter().any(|liberties| self.takes_now(board, liberties)) {
            return true;
        }
        let ataris: Vec<Point> = all.iter().filter(|liberties| liberties.len() == 2).flatten().copied().collect();
        for &at in &ataris {
            if let Some(next) = played(board, self.attacker, at)
                && !self.defend(&next, spare, depth + 1)
            {
                return true;
            }
        }
        spare > 0
            && self.nearest(board, self.attacker).into_iter().any(|at| {
                // A capture that `takes_now` refused begins a ko.
                played(board, self.attacker, at).is_some_and(|next| {
                    !ataris.contains(&at)
                        && !self.is_taken(&next)
                        && self.is_near(&next, spare - 1)
                        && !self.defend(&next, spare - 1, depth + 1)
                })
            })
    }

    /// The defender moves, and keeps all targets.
    fn defend(&mut self, board: &Board, spare: u8, depth: u32) -> bool {
        assert!(depth < MAX_DEPTH, "it goes on for too long");
        let defender = self.attacker.opponent();
        let key = (board.hash(), board.ko_point(), defender, spare);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.known.insert(key, true);
        let found = self.finds_defence(board, spare, depth);
        self.known.insert(key, found);
        found
    }

    fn finds_defence(&mut self, board: &Board, spare: u8, depth: u32) -> bool {
        if self.is_taken(board) {
            return false;
        }
        let mut passed = board.clone();
        passed.clear_ko();
        if !self.is_near(board, spare) || !self.attack(&passed, spare, depth + 1) {
            return true;
        }
        let defender = self.attacker.opponent();
        let urgent = self.liberties(board).into_iter().find(|liberties| self.takes_now(board, liberties));
        // Where a chain is about to be taken, moves that keep it; anywhere else.
        let moves = match urgent {
            Some(liberties) => {
                let in_atari = board.chains().filter(|chain| chain.color() == self.attacker && chain.is_in_atari());
                liberties.into_iter().chain(in_atari.flat_map(|chain| chain.liberties())).collect()
            }
            None => self.nearest(board, defender),
        };
        moves
            .into_iter()
            .any(|at| played(board, defender, at).is_some_and(|next| !self.attack(&next, spare, depth + 1)))
    }

    fn takes_now(&self, board: &Board, liberties: &[Point]) -> bool {
        let [at] = liberties else { return false };
        played(board, self.attacker, *at).is_some_and(|next| self.is_taken(&next) && next.ko_point().is_none())
    }

    /// Ataris and the granted moves may suffice.
    fn is_near(&self, board: &Board, spare: u8) -> bool {
        self.is_taken(board) || self.liberties(board).iter().any(|liberties| liberties.len() <= 2 + usize::from(spare))
    }

    /// What is close to the target is likelier to matter.
    fn nearest(&self, board: &Board, color: Color) -> Vec<Point> {
        let target = self.targets[0];
        let mut points: Vec<Point> = board.legal_points(color, false).collect();
        points.sort_by_key(|at| at.x().abs_diff(target.x()) + at.y().abs_diff(target.y()));
        points
    }
}

fn played(board: &Board, color: Color, at: Point) -> Option<Board> {
    if !board.is_legal(color, at, false) {
        return None;
    }
    let mut next = board.clone();
    next.play(color, at).ok()?;
    Some(next)
}

/// A point of each marked chain.
fn targets(board: &Board, marked: &[Point]) -> Vec<Point> {
    let mut heads: Vec<Point> =
        marked.iter().filter_map(|&at| Some(board.chain_at(at)?.stones().min().unwrap_or(at))).collect();
    heads.sort_unstable();
    heads.dedup();
    heads
}

/// A problem about taking or saving stones.
struct Reader<'a> {
    problem: &'a Tsumego,
    goal: Goal,
    spare: u8,
    capture: Capture,
}

impl Reader<'_> {
    fn is_right(&mut self, board: &Board, at: Point) -> bool {
        let solver = self.problem.solver();
        let Some(next) = played(board, solver, at) else { return false };
        match self.goal {
            Goal::Now => next.count(solver.opponent()) < board.count(solver.opponent()),
            Goal::Take if self.capture.is_taken(&next) => next.ko_point().is_none(),
            Goal::Take => !self.capture.defend(&next, self.spare - 1, 0),
            _ => !self.capture.attack(&next, self.spare, 0),
        }
    }

    /// Every move of the solver from a node on; with more than one granted move the first alone.
    fn check(&mut self, node: NodeId, board: &Board, title: &str) {
        let (solver, opponent) = (self.problem.solver(), self.problem.solver().opponent());
        for at in board.legal_points(solver, false) {
            let is_right = self.is_right(board, at);
            let Tried::Known(made) = self.problem.try_move(node, Move::Place(at)) else {
                panic!("{title}: nothing is said of {}", at.to_gtp(board.size()));
            };
            assert_eq!(self.problem.is_right(made), is_right, "{title}: {}", at.to_gtp(board.size()));
            // Answers are made against one granted move; with two of them most stones on so small a board fall in time.
            if self.spare > 1 {
                continue;
            }
            let next = played(board, solver, at).unwrap();
            let reply = self.problem.moves(made, opponent).next();
            let Some((replied, Move::Place(reply))) = reply else { continue };
            let next = played(&next, opponent, reply).unwrap();
            if is_right {
                self.check(replied, &next, title);
            } else {
                let refutes = match self.goal {
                    Goal::Take => !self.capture.attack(&next, self.spare - 1, 0),
                    _ => self.capture.is_taken(&next) || !self.capture.defend(&next, self.spare - 1, 0),
                };
                assert!(refutes, "{title}: {} answers {}", reply.to_gtp(board.size()), at.to_gtp(board.size()));
            }
        }
    }
}

fn read_through(theme: &str, goal: Goal, spare: u8) {
    for (number, problem) in problems(theme).iter().enumerate() {
        let title = format!("{theme} {}", number + 1);
        let board = problem.game().board();
        let solver = problem.solver();
        let attacker = if goal == Goal::Save { solver.opponent() } else { solver };
        let targets = targets(board, &problem.marked());
        assert!((goal == Goal::Now) == targets.is_empty(), "{title}");
        let mut capture = Capture::new(targets, attacker);
        // It matters who moves.
        match goal {
            Goal::Take => assert!(capture.defend(board, spare - 1, 0), "{title}"),
            Goal::Save => assert!(capture.attack(board, spare, 0), "{title}"),
            _ => {}
        }
        Reader { problem, goal, spare, capture }.check(problem.start(), board, &title);
    }
}

fn judge(theme: &str) {
    for (number, problem) in problems(theme).iter().enumerate() {
        let title = format!("{theme} {}", number + 1);
        let (board, solver) = (problem.game().board(), problem.solver());
        let mut referee = Referee::new(board, &problem.marked(), Limits::default());
        let appraisal =
            Appraisal { defender: referee.defender(), group: referee.group().to_vec(), verdict: referee.verdict() };
        assert!(appraisal.is_decided_by_first_move(), "{title}: {:?}", appraisal.verdict);
        let best = appraisal.fate(solver);
        let fits = match theme {
            "live" => best.is_life() && solver == appraisal.defender,
            "kill" => best == Fate::Dead && solver != appraisal.defender,
            _ => matches!(best, Fate::Ko { .. }),
        };
        assert!(fits, "{title}: {best:?}");
        for (played, ruling) in referee.moves(solver) {
            assert!(ruling.fate.is_proved(), "{title}: {played:?}");
            let said = said(problem, played).unwrap_or(false);
            assert_eq!(said, appraisal.is_as_good(ruling.fate, solver), "{title}: {played:?}: {:?}", ruling.fate);
        }
    }
}

/// What a problem says of a first move; `None` where it says nothing.
fn said(problem: &Tsumego, played: Move) -> Option<bool> {
    match problem.try_move(problem.start(), played) {
        Tried::Known(node) => Some(problem.is_right(node)),
        _ => None,
    }
}

/// Chains of a player that share liberties with a group and do not live by themselves.
fn sharing(board: &Board, group: &[Point], owner: Color) -> Vec<Vec<Point>> {
    let alive = pass_alive(board, false);
    let own: Vec<Point> =
        group.iter().filter_map(|&at| board.chain_at(at)).flat_map(|chain| chain.liberties()).collect();
    let chains = board
        .chains()
        .filter(|chain| chain.color() == owner && alive[chain.head_point().index(board.size())].is_none());
    chains.filter(|chain| chain.liberties().any(|at| own.contains(&at))).map(|chain| chain.stones().collect()).collect()
}

/// The group stays in seki though the attacker moves. Whether something is proved to stay that shares its liberties, once
/// its owner moves; nothing of it may be proved to fall.
fn is_seki_for_both(board: &Board, group: &[Point], title: &str) -> bool {
    let verdict = Referee::new(board, group, Limits::default()).verdict();
    assert_eq!(verdict.attacker_first.fate, Fate::Seki, "{title}");
    assert!(verdict.defender_first.fate.is_life(), "{title}: {:?}", verdict.defender_first.fate);
    let attacker = board.get(group[0]).unwrap().opponent();
    // On an open board what the group shuts in is not proved to live, as the group itself might get out.
    let limits = Limits { positions: 20_000, ..Limits::default() };
    // All are asked, though one that stays is enough.
    let stay = sharing(board, group, attacker).into_iter().filter(|chain| {
        let fate = Referee::new(board, chain, limits).verdict().defender_first.fate;
        assert!(fate.is_life() || !fate.is_proved() || chain.len() == 1, "{title}: {fate:?}");
        fate.is_life()
    });
    stay.count() > 0
}

#[test]
fn answers_about_seki_are_right() {
    let (mut kept, mut killed, mut left, mut both) = (0, 0, 0, 0);
    for (number, problem) in problems("seki").iter().enumerate() {
        let title = format!("seki {}", number + 1);
        let (board, solver) = (problem.game().board(), problem.solver());
        let marked = problem.marked();
        let mut referee = Referee::new(board, &marked, Limits::default());
        let is_own = referee.defender() == solver;
        let best = if is_own { Fate::Seki } else { Fate::Dead };
        let mut missed = HashSet::new();
        for (played, ruling) in referee.moves(solver) {
            let name = played.to_gtp(board.size());
            assert!(ruling.fate.is_proved(), "{title}: {name}");
            let is_right = ruling.fate == best;
            assert_eq!(said(problem, played).unwrap_or(false), is_right, "{title}: {name}: {:?}", ruling.fate);
            if !is_right {
                missed.insert(ruling.fate);
            } else if is_own {
                let next = played.point().map_or_else(|| board.clone(), |at| self::played(board, solver, at).unwrap());
                both += u32::from(is_seki_for_both(&next, &marked, &title));
            }
        }
        if !is_own {
            // The seki is what it is about: another move leaves one.
            assert!(missed.contains(&Fate::Seki) && missed.iter().all(|fate| fate.is_life()), "{title}: {missed:?}");
            killed += 1;
            continue;
        }
        assert_eq!(missed, HashSet::from([Fate::Dead]), "{title}: whatever else is played loses the group");
        if said(problem, Move::Pass) == Some(true) {
            left += 1;
        } else {
            kept += 1;
        }
    }
    assert!(kept >= 6 && killed >= 3 && left >= 2, "{kept} to keep, {killed} to kill, {left} to leave alone");
    assert!(both >= 6, "{both} are proved for both sides");
}

#[test]
fn the_right_move_of_an_endgame_gains_more_than_any_other() {
    for (number, problem) in problems("endgame").iter().enumerate() {
        let title = format!("endgame {}", number + 1);
        let (board, solver) = (problem.game().board(), problem.solver());
        let size = board.size();
        assert!(problem.marked().is_empty() && board.ko_point().is_none(), "{title}");
        let right: Vec<Move> = problem.right_moves(problem.start()).collect();
        let [right] = right[..] else { panic!("{title}: {right:?}") };
        let mut sure = EndgameReading::new(board, solver, Repetition::Loses);
        let mut hoped = EndgameReading::new(board, solver, Repetition::Wins);
        let area = i32::try_from(size.area()).unwrap();
        let points = (-area..area).take_while(|&points| sure.reaches(&[right], points)).last().unwrap();
        for other in board.legal_points(solver, false).map(Move::Place).chain([Move::Pass]).filter(|&at| at != right) {
            let name = other.to_gtp(size);
            assert!(!hoped.reaches(&[other], points), "{title}: {name} gains as much");
            let Tried::Known(node) = problem.try_move(problem.start(), other) else {
                assert_eq!(other, Move::Pass, "{title}: nothing is said of {name}");
                continue;
            };
            assert!(!problem.is_right(node), "{title}: {name}");
            if let Some((_, reply)) = problem.moves(node, solver.opponent()).next() {
                assert!(!hoped.reaches(&[other, reply], points), "{title}: {} answers {name}", reply.to_gtp(size));
            }
        }
        assert!(!hoped.reaches(&[Move::Pass], points - 1), "{title}: it is no neutral point");
    }
}

#[test]
fn answers_about_taking_and_saving_stones_are_right() {
    let spares = if are_slow_tests_on() { 1..=2 } else { 1..=1 };
    for spare in spares {
        for (theme, goal) in THEMES.iter().filter(|(_, goal)| matches!(goal, Goal::Now | Goal::Take | Goal::Save)) {
            read_through(theme, *goal, spare);
        }
    }
}

#[test]
fn answers_about_life_and_death_are_right() {
    for (theme, _) in THEMES.iter().filter(|(_, goal)| *goal == Goal::Fate) {
        judge(theme);
    }
}

#[test]
fn there_are_many_problems_and_none_twice() {
    let mut seen = HashSet::new();
    let mut count = 0;
    for (theme, _) in THEMES {
        let mut easiest = None;
        for problem in problems(theme) {
            count += 1;
            assert!(seen.insert((theme, canonical_hash(problem.game().board(), problem.solver()))), "{theme}");
            let right = problem.right_moves(problem.start()).count();
            assert!(right == 1 || !ONE_ANSWER.contains(&theme) && right <= 3, "{theme}: {right} right moves");
            let strength = problem.level().unwrap().strength();
            assert!(easiest.is_none_or(|before| before <= strength), "{theme}: easy ones come first");
            easiest = Some(strength);
            assert!(!problem.names_colors() && !problem.names_points(), "{theme}: words are the interface's");
        }
    }
    assert!(count >= 160, "{count} problems");
}

/// What each of the first steps asks for.
#[test]
fn each_of_the_first_steps_asks_for_what_its_words_say() {
    let steps = problems("firstSteps");
    assert_eq!(steps.len(), 13);
    for (number, problem) in (1..).zip(&steps) {
        let (board, solver) = (problem.game().board(), problem.solver());
        let right: Vec<Move> = problem.right_moves(problem.start()).collect();
        let legal: Vec<Move> = board.legal_points(solver, false).map(Move::Place).collect();
        let takes: Vec<Move> = legal
            .iter()
            .filter(|made| {
                let next = played(board, solver, made.point().unwrap()).unwrap();
                next.count(solver.opponent()) < board.count(solver.opponent())
            })
            .copied()
            .collect();
        let sorted = |mut moves: Vec<Move>| {
            moves.sort_by_key(|made| made.point());
            moves
        };
        match number {
            1 | 13 => assert_eq!(sorted(right), sorted(legal), "step {number}: anywhere"),
            2..=4 | 6 | 7 => assert_eq!(right, takes, "step {number}: what takes stones"),
            5 => {
                let mut capture = Capture::new(problem.marked(), solver.opponent());
                let [Move::Place(at)] = right[..] else { panic!("step 5: {right:?}") };
                assert!(capture.attack(board, 1, 0) && !capture.attack(&played(board, solver, at).unwrap(), 1, 0));
            }
            8 => {
                assert!(board.ko_point().is_some() && right.iter().all(|made| legal.contains(made)), "step 8");
            }
            9 | 10 => {
                let mut referee = Referee::new(board, &problem.marked(), Limits::default());
                let wanted = if number == 9 { Fate::Alive } else { Fate::Dead };
                let moves = referee.moves(solver).into_iter();
                let best: Vec<Move> = moves.filter(|(_, ruling)| ruling.fate == wanted).map(|(made, _)| made).collect();
                assert_eq!(sorted(right), sorted(best), "step {number}");
            }
            11 => assert_eq!(right, [Move::Pass], "step 11"),
            _ => assert_eq!((right.len(), takes.len()), (1, 0), "step {number}"),
        }
        for made in board.legal_points(solver, false).map(Move::Place) {
            let is_right = problem.right_moves(problem.start()).any(|right| right == made);
            assert_eq!(matches!(problem.try_move(problem.start(), made), Tried::Refused), !is_right, "step {number}");
        }
    }
}
