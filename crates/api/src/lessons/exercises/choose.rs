//! Which position is asked.

use super::super::LessonsRoom;
use super::super::judge::CARD_VISITS;
use crate::ApiError;
use honinbo_evaluator::StopFlag;
use honinbo_library::{ExerciseKind, ExercisePlace, GameId};
use honinbo_record::{GameInfo, GameResult, PositionEvaluation, ReplayOptions, read_sgf_text, replay_each};
use honinbo_rules::{Color, Game, Move, Point, Random, ladder_line, splitmix};
use std::sync::atomic::Ordering;

/// Games that are looked at for one exercise.
const MAX_GAMES: u32 = 24;
/// Positions of a game that are tried.
const TRIES: usize = 8;
/// Searches for one exercise, where the store knows no position for it.
const MAX_SEARCHES: usize = 4;
/// Moves of a ladder from which it is worth reading.
const MIN_LADDER: usize = 7;
/// Moves of a game that is looked at: its positions are held together, each with the moves that led there.
const MAX_MOVES: usize = 1_000;
/// Points of lead from which nobody needs to estimate.
const DECIDED: f64 = 40.0;
/// Visits from which a candidate's value says enough to ask about it; before anything is judged it is searched more.
const MIN_CANDIDATE_VISITS: u32 = 8;
/// Points between one marked move and the next.
const APART: f64 = 1.5;
/// Marked moves, at least and at most.
const MARKED: [usize; 2] = [3, 4];

/// A position of a game, and who played.
pub(super) struct Position {
    pub(super) game: Game,
    pub(super) black: String,
    pub(super) white: String,
}

/// The main line of a game: the position after each number of moves.
pub(super) struct GameLine {
    pub(super) info: GameInfo,
    pub(super) positions: Vec<Game>,
}

impl GameLine {
    /// `None` for what is no game, and for one of more than [`MAX_MOVES`].
    pub(super) fn of(sgf: &str) -> Option<Self> {
        let tree = read_sgf_text(sgf).games.into_iter().next()?.tree;
        if tree.line_from(tree.root()).nth(MAX_MOVES + 1).is_some() {
            return None;
        }
        let end = tree.line_from(tree.root()).last().unwrap_or(tree.root());
        let info = GameInfo::of(&tree);
        let (mut positions, mut seen) = (Vec::<Game>::new(), 0);
        replay_each(&tree, end, ReplayOptions::default(), &mut |node, game| {
            seen += usize::from(tree.move_at(node, info.size).is_some());
            positions.resize_with(seen.max(positions.len()), || game.clone());
            match positions.get_mut(seen) {
                Some(position) => *position = game.clone(),
                None => positions.push(game.clone()),
            }
        });
        Some(Self { info, positions })
    }
}

/// Black's lead at the end of a game whose record says the same as the rules do with these stones dead: then both are
/// right.
pub(super) fn lead_of_record(info: &GameInfo, game: &Game, dead: &[Point]) -> Option<f64> {
    let written = match info.result {
        GameResult::Draw => 0.0,
        result => {
            let margin = f64::from(result.margin()?);
            if result.winner()? == Color::Black { margin } else { -margin }
        }
    };
    let lead = game.score_without(dead).black_lead();
    ((lead - written).abs() < 0.01).then_some(lead)
}

/// The best move and others that are clearly worse, each by so much more than the one before; `None` where too few stand
/// apart.
pub(super) fn marked_moves(game: &Game, known: &PositionEvaluation) -> Option<Vec<Move>> {
    let sign = if game.to_play() == Color::Black { 1.0 } else { -1.0 };
    let mut searched: Vec<(f64, Move)> = known
        .candidates
        .iter()
        .filter(|candidate| candidate.visits >= MIN_CANDIDATE_VISITS && candidate.played.point().is_some())
        .filter_map(|candidate| Some((sign * candidate.black_lead?, candidate.played)))
        .collect();
    // The engine's choice is the best, whatever the leads of others with fewer visits say.
    let best = known.candidates.first().filter(|best| searched.iter().any(|(_, made)| *made == best.played))?;
    searched.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut last = sign * best.black_lead?;
    let mut marked = vec![best.played];
    for (lead, made) in searched {
        if lead <= last - APART && marked.len() < MARKED[1] {
            marked.push(made);
            last = lead;
        }
    }
    (marked.len() >= MARKED[0]).then_some(marked)
}

/// The ladders of a position that are worth reading: whether each works, and a stone of its chain.
fn ladders_of(game: &Game) -> Vec<(bool, u16)> {
    let (board, attacker) = (game.board(), game.to_play());
    let targets = board.chains().filter(|chain| chain.color() != attacker && chain.liberties_up_to(3) == 2);
    let stones: Vec<Point> = targets.map(|chain| chain.head_point()).collect();
    let found = stones.into_iter().filter_map(|stone| {
        let line = ladder_line(board, stone, None).filter(|line| line.moves.len() >= MIN_LADDER)?;
        // Superko and the like may forbid what the board allows.
        let mut played = game.clone();
        let legal = line.moves_in_turn().into_iter().all(|made| played.play(played.to_play(), made).is_ok());
        legal.then(|| (line.works, u16::try_from(stone.index(board.size())).unwrap_or(u16::MAX)))
    });
    found.collect()
}

impl LessonsRoom {
    pub(super) fn exercise_position(&self, place: &ExercisePlace) -> Result<Option<Position>, ApiError> {
        let Some(line) = GameLine::of(&self.library.sgf_of(place.game.as_str())?) else { return Ok(None) };
        let game = line
            .positions
            .get(place.number as usize)
            .filter(|game| !game.is_over() || place.kind == ExerciseKind::Count);
        Ok(game.cloned().map(|game| Position { game, black: line.info.black.name, white: line.info.white.name }))
    }

    /// A position that was not asked before; `None` where the library has none.
    pub(super) fn choose_exercise(
        &self,
        kind: ExerciseKind,
        stop: &StopFlag,
    ) -> Result<Option<ExercisePlace>, ApiError> {
        let seed = splitmix(
            self.host.unix_ms().unsigned_abs() ^ splitmix(self.asked_exercises.fetch_add(1, Ordering::Relaxed)),
        );
        let mut random = Random::new(seed);
        // What was reviewed is known to the store.
        let reviewed = matches!(kind, ExerciseKind::Score | ExerciseKind::Biggest);
        let games = self.library.exercise_games(kind, reviewed, random.next_u64(), MAX_GAMES)?;
        let mut searches = MAX_SEARCHES;
        let works = random.next_u64() & 1 == 0;
        let mut spare = None;
        for id in games {
            if stop.is_set() {
                return Err(ApiError::Cancelled);
            }
            let Some(line) = GameLine::of(&self.library.sgf_of(id.as_str())?) else { continue };
            let place = |number: usize, point| ExercisePlace {
                kind,
                game: id.clone(),
                number: u32::try_from(number).unwrap_or(u32::MAX),
                point,
            };
            let is_new = |place: &ExercisePlace| self.library.exercise(place).map(|known| known.is_none());
            match kind {
                ExerciseKind::Count => {
                    let last = place(line.positions.len().saturating_sub(1), None);
                    let Some(game) = line.positions.last().filter(|game| !game.board().is_empty()) else { continue };
                    if is_new(&last)?
                        && lead_of_record(&line.info, game, &self.analysis.dead_at_the_end(game)).is_some()
                    {
                        return Ok(Some(last));
                    }
                }
                ExerciseKind::Ladder => {
                    // As many that work as that do not, as far as the games have them.
                    if let Some(found) = self.choose_ladder(&id, &line, works, &mut random)? {
                        if found.0 == works {
                            return Ok(Some(found.1));
                        }
                        spare.get_or_insert(found.1);
                    }
                }
                ExerciseKind::Score | ExerciseKind::Biggest => {
                    let (from, to) = (line.positions.len() / 5, line.positions.len() * 9 / 10);
                    for _ in 0..TRIES {
                        let number = from + random.below((to - from).max(1));
                        let (Some(game), at) = (line.positions.get(number), place(number, None)) else { continue };
                        let passed = game.turns().last().is_some_and(|turn| turn.played == Move::Pass);
                        if game.is_over() || passed || !is_new(&at)? {
                            continue;
                        }
                        let known = self.known(game);
                        let decided =
                            |known: &PositionEvaluation| known.black_lead.is_some_and(|lead| lead.abs() > DECIDED);
                        if known.as_ref().is_some_and(decided) {
                            continue;
                        }
                        if kind == ExerciseKind::Score {
                            return Ok(Some(at));
                        }
                        let marked = |known: &PositionEvaluation| marked_moves(game, known).is_some();
                        if known.as_ref().is_some_and(marked) {
                            return Ok(Some(at));
                        }
                        let open = known.is_none_or(|known| known.visits < CARD_VISITS);
                        if open && searches > 0 {
                            searches -= 1;
                            if marked(&self.searched(game, stop)?) {
                                return Ok(Some(at));
                            }
                        }
                    }
                }
            }
        }
        Ok(spare)
    }

    /// A ladder of a game, of the wished kind where there is one.
    fn choose_ladder(
        &self,
        id: &GameId,
        line: &GameLine,
        works: bool,
        random: &mut Random,
    ) -> Result<Option<(bool, ExercisePlace)>, ApiError> {
        let count = line.positions.len();
        let from = random.below(count.max(1));
        let mut spare = None;
        for at in 0..count {
            let number = (from + at) % count;
            let game = &line.positions[number];
            if game.is_over() {
                continue;
            }
            for (found, stone) in ladders_of(game) {
                let place = ExercisePlace {
                    kind: ExerciseKind::Ladder,
                    game: id.clone(),
                    number: u32::try_from(number).unwrap_or(u32::MAX),
                    point: Some(stone),
                };
                if (found == works || spare.is_none()) && self.library.exercise(&place)?.is_none() {
                    if found == works {
                        return Ok(Some((found, place)));
                    }
                    spare = Some((found, place));
                }
            }
        }
        Ok(spare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_record::CandidateEvaluation;

    #[test]
    fn a_line_has_a_position_for_every_number_of_moves() {
        let line = GameLine::of("(;SZ[9];B[cc];C[so far];W[gg];AB[aa];W[hh])").unwrap();
        let stones: Vec<usize> = line.positions.iter().map(|game| game.board().stones().count()).collect();
        assert_eq!(stones, [0, 1, 3, 4], "set-up stones belong to the move before them");
        let long = |moves: usize| GameLine::of(&format!("(;SZ[9]{})", ";B[]".repeat(moves)));
        assert_eq!(long(MAX_MOVES).map(|line| line.positions.len()), Some(MAX_MOVES + 1));
        assert!(long(MAX_MOVES + 1).is_none(), "its positions would take too much memory");
    }

    #[test]
    fn a_counted_game_is_asked_only_where_rules_and_record_agree() {
        // Black has the left five lines of nine, White the other four.
        let sgf = |result: &str| {
            let stones: String = (b'a'..=b'i').map(|row| format!("[e{}]", row as char)).collect();
            let others = stones.replace("[e", "[f");
            format!("(;SZ[9]KM[6.5]RU[Chinese]RE[{result}]AB{stones}AW{others};B[];W[])")
        };
        let lead = |result: &str| {
            let line = GameLine::of(&sgf(result)).unwrap();
            lead_of_record(&line.info, line.positions.last().unwrap(), &[])
        };
        assert_eq!(lead("B+2.5"), Some(2.5));
        assert_eq!(["B+3.5", "W+2.5", "B+R", "?"].map(lead), [None; 4]);
    }

    #[test]
    fn marked_moves_stand_apart_and_the_best_is_the_engines_choice() {
        let line = GameLine::of("(;SZ[9])").unwrap();
        let candidate = |x, visits, black_lead| CandidateEvaluation {
            played: Move::Place(Point::new(x, 0)),
            visits,
            black_win_prob: 0.5,
            black_lead: Some(black_lead),
            prior: 0.1,
            line: Vec::new(),
        };
        let known = |candidates| PositionEvaluation { visits: 200, candidates, ..PositionEvaluation::default() };
        let marked = |candidates| {
            let found = marked_moves(&line.positions[0], &known(candidates))?;
            Some(found.into_iter().filter_map(|made| Some(made.point()?.x())).collect::<Vec<_>>())
        };
        let best = || candidate(0, 100, 5.0);
        assert_eq!(
            marked(vec![
                best(),
                candidate(1, 20, 4.9),
                candidate(2, 20, 3.0),
                candidate(3, 3, -9.0),
                candidate(4, 9, 0.0)
            ]),
            Some(vec![0, 2, 4])
        );
        assert_eq!(marked(vec![best(), candidate(1, 20, 4.9), candidate(2, 20, 3.0)]), None, "two are too few");
        assert_eq!(marked(vec![]), None);
    }

    #[test]
    fn short_ladders_are_not_asked() {
        // White's stone at C3 is in a ladder that runs across the board to the right; the one at H8 is in none.
        let sgf = "(;SZ[9]AB[bg][ch][dh][hd]AW[cg][hb]PL[B])";
        let line = GameLine::of(sgf).unwrap();
        let found = ladders_of(line.positions.last().unwrap());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].1, 6 * 9 + 2);
    }
}
