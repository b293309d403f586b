//! What can truly be said about the move of a card and the better one.
//!
//! A claim is what a first search or a reading of the board suggests. It is said only where it is borne out: what rests on
//! a search by a second one of other random choices and more visits, what is read on the board by playing it. Margins
//! between what counts as one side's and as the other's are wide, so that a third search says the same.

mod others;
mod owners;
mod read;

pub(super) use read::parted;

use super::{Asked, LessonsRoom};
use crate::analysis::engine::SEED;
use crate::analysis::question::Question;
use crate::games::session::{side, sign};
use crate::lessons::judge::ACCEPTED_LOSS;
use crate::lessons::ranks::{Human, rank_of};
use crate::lessons::turn::Turn;
use crate::{ApiError, CardFacts, Fact, FactView, FactsOf, LeadView, Vertex};
use honinbo_evaluator::StopFlag;
use honinbo_record::PositionEvaluation;
use honinbo_rules::{Color, Game, Move, Point};

/// A search that claims rest on.
#[derive(Clone, Copy)]
struct Look {
    visits: u64,
    /// Seed of the search's random choices.
    seed: u64,
    /// How much of the search goes to replies that the network does not think of, as KataGo's `wideRootNoise`.
    breadth: f64,
}

/// The search that suggests a claim, and the one that bears it out; where these two bear out nothing, the second suggests
/// claims to a third. What bears out looks at more replies: one that nobody thought of refutes what else would hold.
const FIRST: Look = Look { visits: 60, seed: SEED, breadth: 0.04 };
const SECOND: Look = Look { visits: 160, seed: SEED ^ 0x5EED, breadth: BROAD };
const THIRD: Look = Look { visits: 400, seed: SEED, breadth: BROAD };
const BROAD: f64 = 0.1;

/// Points from which somebody is ahead by the second search, and by the first one at least; up to which the position is
/// about even by the first one.
const AHEAD_FROM: f64 = 1.5;
const LEANS_FROM: f64 = 0.5;
const EVEN_UP_TO: f64 = 2.5;
/// How far the chances and the leads of two searches that say the same are apart at most, and how many times the lead more.
const SAME_CHANCE: f64 = 0.08;
const SAME_LEAD: f64 = 1.5;
const SAME_LEAD_TIMES: f64 = 0.2;
/// How far the fall of the lead and the loss that is told beside it are apart at most: points, or as many times the loss.
const SAME_LOSS: f64 = 1.0;
const SAME_LOSS_TIMES: f64 = 0.1;
/// Points that a threat is worth at least beyond what a pass before it loses, and how many times as much.
const THREAT_BEYOND: f64 = 5.0;
const THREAT_TIMES: f64 = 1.6;
/// Visits of a reply that is worth mentioning.
const MIN_REPLY: u32 = 5;
/// Lines and columns from the move of the game from which a reply is elsewhere.
const ELSEWHERE: usize = 6;

/// A position after a move of the card, as two searches see it, the second one with more visits.
struct Seen {
    game: Game,
    first: PositionEvaluation,
    second: PositionEvaluation,
}

impl Seen {
    /// What both searches bear out.
    fn both(&self, holds: impl Fn(&PositionEvaluation) -> bool) -> bool {
        holds(&self.first) && holds(&self.second)
    }

    /// The second search suggests, and this one has to bear out.
    fn held_against(&mut self, third: PositionEvaluation) {
        self.first = std::mem::replace(&mut self.second, third);
    }

    /// How the second search goes on.
    fn line(&self) -> Vec<Move> {
        let best = self.second.candidates.first();
        best.map(|best| if best.line.first() == Some(&best.played) { best.line.clone() } else { vec![best.played] })
            .unwrap_or_default()
    }
}

/// A claim that is borne out: what is true, with the moves that show it and the points that it is about.
struct Found {
    fact: Fact,
    line: Vec<Move>,
    points: Vec<Point>,
}

/// Both moves of a card, and what is behind them.
struct Compared<'a> {
    asked: &'a Game,
    turn: Turn,
    mover: Color,
    played: Move,
    /// Points that the move of the game is told to have lost; 0 where that is not known.
    lost: f64,
    best: Move,
    after_played: Seen,
    after_best: Seen,
}

impl Compared<'_> {
    fn vertex(&self, point: Point) -> Vertex {
        self.turn.vertex(Move::Place(point), self.asked.board().size())
    }

    fn side(&self, color: Color) -> crate::Side {
        side(self.turn.color(color))
    }

    /// The move of the game, and what follows.
    fn after_played(&self, then: &[Move]) -> Vec<Move> {
        [&[self.played], then].concat()
    }

    fn after_best(&self, then: &[Move]) -> Vec<Move> {
        [&[self.best], then].concat()
    }

    /// The best reply to the move of the game, where both searches agree on it.
    fn reply(&self) -> Option<Point> {
        let [one, other] = [&self.after_played.first, &self.after_played.second].map(|seen| seen.candidates.first());
        one?.played.point().filter(|_| one.map(|best| best.played) == other.map(|best| best.played))
    }

    /// Replies to the move of the game that the second search looked at and holds to be about as good as its best.
    fn good_replies(&self) -> impl Iterator<Item = Point> {
        let own = -f64::from(sign(self.mover));
        let candidates = &self.after_played.second.candidates;
        let best = candidates.first().and_then(|best| best.black_lead).map(|lead| own * lead);
        candidates.iter().filter_map(move |reply| {
            let close = reply.visits >= MIN_REPLY && best? - own * reply.black_lead? <= ACCEPTED_LOSS;
            reply.played.point().filter(|_| close)
        })
    }

    /// All that is borne out, the most telling first; sente takes searches of its own.
    fn claims(&self, sente: Option<Found>) -> Vec<Found> {
        let mut found = Vec::new();
        found.extend(read::taken(self));
        found.extend(read::ladder(self));
        found.extend(owners::lost(self));
        found.extend(owners::spared(self));
        found.extend(read::cut(self));
        found.extend(owners::area(self));
        found.extend(sente);
        found.extend(self.elsewhere());
        found.extend(self.lead());
        found
    }

    fn elsewhere(&self) -> Option<Found> {
        let played = self.played.point()?;
        let far = |seen: &PositionEvaluation| {
            seen.candidates
                .first()
                .and_then(|best| best.played.point())
                .is_some_and(|reply| reply.x().abs_diff(played.x()).max(reply.y().abs_diff(played.y())) >= ELSEWHERE)
        };
        let reply = self.reply().filter(|_| self.after_played.both(far))?;
        let fact = Fact::Elsewhere { reply: self.vertex(reply) };
        Some(Found { fact, line: self.after_played(&self.after_played.line()), points: vec![reply] })
    }

    fn lead(&self) -> Option<Found> {
        let (before, after) = (self.lead_of(&self.after_best)?, self.lead_of(&self.after_played)?);
        if before.side.is_none() && after.side.is_none() || !self.agrees_with_loss()? {
            return None;
        }
        let fact = Fact::Lead { before, after };
        Some(Found { fact, line: self.after_played(&self.after_played.line()), points: Vec::new() })
    }

    /// Whether the lead fell by about what the move of the game is told to have lost.
    fn agrees_with_loss(&self) -> Option<bool> {
        let [best, played] = [&self.after_best, &self.after_played].map(|seen| seen.second.black_lead);
        let fell = f64::from(sign(self.mover)) * (best? - played?);
        Some(self.lost <= 0.0 || (fell - self.lost).abs() <= SAME_LOSS.max(SAME_LOSS_TIMES * self.lost))
    }

    /// Who is ahead; `None` where the searches do not agree.
    fn lead_of(&self, seen: &Seen) -> Option<LeadView> {
        let lead = seen.second.black_lead?;
        let leader = if lead > 0.0 { Color::Black } else { Color::White };
        let chance = seen.second.black_win_prob;
        if (seen.first.black_win_prob - chance).abs() > SAME_CHANCE {
            return None;
        }
        let own = f64::from(sign(leader));
        let first = own * seen.first.black_lead?;
        if (first - lead.abs()).abs() > SAME_LEAD + SAME_LEAD_TIMES * lead.abs() {
            return None;
        }
        let favours = |found: &PositionEvaluation| own * (found.black_win_prob - 0.5) > 0.0;
        let ahead = lead.abs() >= AHEAD_FROM && first >= LEANS_FROM && seen.both(favours);
        let even = lead.abs() < AHEAD_FROM && first.abs() <= EVEN_UP_TO;
        let points = lead.abs().into();
        let of = |color: Color| if color == Color::Black { chance } else { 1.0 - chance };
        if ahead {
            return Some(LeadView { side: Some(self.side(leader)), points, chance: of(leader).into() });
        }
        let black = if self.turn.color(Color::Black) == Color::Black { Color::Black } else { Color::White };
        even.then(|| LeadView { side: None, points, chance: of(black).into() })
    }
}

impl LessonsRoom {
    /// What is borne out about the move of a card and the better one; nothing where no move is known. The network of
    /// human style is called for where a rank is known.
    pub(crate) fn facts(
        &self,
        wanted: &FactsOf,
        human: &dyn Fn() -> Human,
        stop: &StopFlag,
    ) -> Result<CardFacts, ApiError> {
        let asked = self.asked(&wanted.card)?;
        let rank = wanted.rank.as_deref().map(rank_of).transpose()?;
        // Records have moves that break a rule.
        let legal = |played| asked.game.legality(asked.game.to_play(), played).is_ok();
        let Some((played, lost)) = asked.played.filter(|&(played, _)| legal(played)) else {
            return Ok(CardFacts { facts: Vec::new() });
        };
        let compared = self.analysis.by_one_network(|| {
            let best = self.searched(&asked.game, stop)?.candidates.first().map(|best| best.played);
            let Some(best) = best.filter(|&best| best != played) else { return Ok(None) };
            Ok(Some((best, self.compare(&asked, (played, lost), best, stop)?)))
        })?;
        let Some((best, mut found)) = compared else { return Ok(CardFacts { facts: Vec::new() }) };
        // What others play explains nothing by itself: it comes last.
        found.extend(unless_failed(self.by_rank(&asked, [played, best], rank, human, stop))?);
        found.extend(unless_failed(self.in_library(&asked, played, stop))?);
        let size = asked.game.board().size();
        let facts = found.into_iter().map(|found| FactView {
            fact: found.fact,
            line: asked.turn.line(&asked.game, &found.line),
            points: found.points.iter().filter_map(|&point| asked.turn.vertex(Move::Place(point), size)).collect(),
        });
        Ok(CardFacts { facts: facts.collect() })
    }

    /// What is borne out about the move of the game, which lost so many points, and the better one.
    fn compare(
        &self,
        asked: &Asked,
        (played, lost): (Move, f64),
        best: Move,
        stop: &StopFlag,
    ) -> Result<Vec<Found>, ApiError> {
        let game = &asked.game;
        let mover = game.to_play();
        let Some(after_played) = self.see(game, played, stop)? else { return Ok(Vec::new()) };
        let Some(after_best) = self.see(game, best, stop)? else { return Ok(Vec::new()) };
        let turn = asked.turn;
        let mut compared = Compared { asked: game, turn, mover, played, lost, best, after_played, after_best };
        let sente = self.sente(&compared, stop)?;
        let found = compared.claims(sente);
        if !found.is_empty() {
            return Ok(found);
        }
        for seen in [&mut compared.after_played, &mut compared.after_best] {
            let third = self.look(&seen.game, THIRD, stop)?;
            seen.held_against(third);
        }
        let mut found = compared.claims(None);
        // Where the reply goes still changes with the visits when nothing is at stake.
        found.retain(|found| !matches!(found.fact, Fact::Elsewhere { .. }));
        Ok(found)
    }

    /// The position after a move, searched twice; `None` where nothing follows it.
    fn see(&self, game: &Game, played: Move, stop: &StopFlag) -> Result<Option<Seen>, ApiError> {
        let mut after = game.clone();
        if after.play(game.to_play(), played).is_err() || after.is_over() {
            return Ok(None);
        }
        let first = self.look(&after, FIRST, stop)?;
        let second = self.look(&after, SECOND, stop)?;
        Ok(Some(Seen { game: after, first, second }))
    }

    fn look(&self, game: &Game, look: Look, stop: &StopFlag) -> Result<PositionEvaluation, ApiError> {
        let Look { visits, seed, breadth } = look;
        let mut question = Question { ownership: true, seed, ..Question::of_visits(visits) };
        question.params.wide_root_noise = breadth;
        self.analysis.search(game, question, stop)
    }

    /// Whether a pass after the better move would lose much more than a pass before it.
    fn sente(&self, compared: &Compared<'_>, stop: &StopFlag) -> Result<Option<Found>, ApiError> {
        let Some(point) = compared.best.point() else { return Ok(None) };
        let own = f64::from(sign(compared.mover));
        let behind = |seen: &Seen| seen.first.black_lead.zip(seen.second.black_lead);
        let (Some(best), passes) = (behind(&compared.after_best), [compared.asked, &compared.after_best.game]) else {
            return Ok(None);
        };
        let mut ignored = Vec::new();
        for (look, lead) in [(FIRST, best.0), (SECOND, best.1)] {
            let mut losses = [0.0; 2];
            for (loss, game) in losses.iter_mut().zip(passes) {
                let mut passed = game.clone();
                if passed.play(game.to_play(), Move::Pass).is_err() || passed.is_over() {
                    return Ok(None);
                }
                let Some(after) = self.look(&passed, look, stop)?.black_lead else { return Ok(None) };
                *loss = (own * (after - lead)).abs();
            }
            let [before, threat] = losses;
            if threat < before + THREAT_BEYOND || threat < THREAT_TIMES * before {
                return Ok(None);
            }
            ignored.push(threat);
        }
        let threat = ignored.into_iter().fold(f64::INFINITY, f64::min);
        let mut passed = compared.after_best.game.clone();
        let follows = passed.play(passed.to_play(), Move::Pass).is_ok();
        let then =
            if follows { self.searched(&passed, stop)?.candidates.first().map(|best| best.line.clone()) } else { None };
        let line = compared.after_best(&[&[Move::Pass][..], &then.unwrap_or_default()].concat());
        Ok(Some(Found { fact: Fact::Sente { threat: threat.into() }, line, points: vec![point] }))
    }
}

/// A sentence that the others stand without.
fn unless_failed(found: Result<Option<Found>, ApiError>) -> Result<Option<Found>, ApiError> {
    match found {
        Err(error) if !matches!(error, ApiError::Cancelled) => {
            tracing::warn!(%error, "what others play in a position is not said");
            Ok(None)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Region, Side};
    use honinbo_record::CandidateEvaluation;
    use honinbo_rules::{Board, Preset, Setup, Topology};

    const A1: Move = Move::Place(Point::new(0, 6));

    fn game(diagram: &str) -> Game {
        let board = Board::from_diagram(diagram, Topology::Plane).unwrap();
        let setup = Setup { size: board.size(), ..Setup::preset(Preset::Chinese) };
        Game::new(Setup { stones: board.stones().collect(), ..setup }).unwrap()
    }

    /// A position after a move in which this reply is best, with the owner of the points in these rows.
    fn seen(game: &Game, played: Move, reply: Point, lead: f64, owner: impl Fn(Point) -> f32) -> Seen {
        let mut after = game.clone();
        after.play(game.to_play(), played).unwrap();
        let size = game.board().size();
        let found = PositionEvaluation {
            visits: 60,
            black_win_prob: if lead > 0.0 { 0.8 } else { 0.2 },
            black_lead: Some(lead),
            candidates: vec![CandidateEvaluation {
                played: Move::Place(reply),
                visits: 30,
                black_win_prob: 0.5,
                black_lead: Some(lead),
                prior: 0.5,
                line: vec![Move::Place(reply)],
            }],
            black_ownership: Point::all(size).map(owner).collect(),
            engine: None,
        };
        Seen { game: after, first: found.clone(), second: found }
    }

    fn compared(asked: &Game, played: Seen, best: (Move, Seen)) -> Compared<'_> {
        Compared {
            asked,
            turn: Turn::NONE,
            mover: asked.to_play(),
            played: A1,
            lost: 0.0,
            best: best.0,
            after_played: played,
            after_best: best.1,
        }
    }

    /// Black has three stones in atari at the top, which D6 saves, and plays in the corner.
    const ATARI: &str = ". . . . . . .
                         . O O O . . .
                         O X X X . . .
                         . O O O . . .
                         . . . . . . .
                         . . . . . . .
                         . . . . . . .";
    const LAST_LIBERTY: Point = Point::new(4, 2);

    #[test]
    fn stones_that_are_left_in_atari_are_taken_and_lost() {
        let asked = game(ATARI);
        let white = |_| -0.9;
        let played = seen(&asked, A1, LAST_LIBERTY, -20.0, white);
        let saved = Move::Place(LAST_LIBERTY);
        let best = seen(&asked, saved, Point::new(4, 1), 8.0, |point| if point.y() == 2 { 0.9 } else { -0.9 });
        let mut compared = compared(&asked, played, (saved, best));
        let taken = read::taken(&compared).unwrap();
        assert_eq!(taken.fact, Fact::Taken { side: Side::Black, stones: 3, at: Some(15), by: Some(18) });
        assert_eq!(taken.line, [A1, Move::Place(LAST_LIBERTY)]);
        let lost = owners::lost(&compared).unwrap();
        assert_eq!(lost.fact, Fact::Lost { side: Side::Black, stones: 3, at: Some(15) });
        assert!(owners::spared(&compared).is_none());
        let lead = compared.lead().unwrap().fact;
        let [before, after] = [(Side::Black, 8.0), (Side::White, 20.0)].map(|(side, points): (Side, f64)| LeadView {
            side: Some(side),
            points: points.into(),
            chance: 0.8.into(),
        });
        assert_eq!(lead, Fact::Lead { before, after });
        // The loss that is told above it is about the 28 points that lie between both.
        for (lost, is_said) in [(28.0, true), (26.0, true), (25.0, false), (40.0, false), (0.0, true)] {
            compared.lost = lost;
            assert_eq!(compared.lead().is_some(), is_said, "lost {lost}");
        }
    }

    #[test]
    fn what_the_second_search_does_not_bear_out_is_not_said() {
        let asked = game(ATARI);
        let mut played = seen(&asked, A1, LAST_LIBERTY, -20.0, |_| -0.9);
        played.second = PositionEvaluation {
            black_ownership: vec![0.0; 49],
            black_win_prob: 0.6,
            black_lead: Some(3.0),
            candidates: Vec::new(),
            ..played.second
        };
        let saved = Move::Place(LAST_LIBERTY);
        let best = seen(&asked, saved, Point::new(4, 1), 8.0, |_| 0.9);
        let compared = compared(&asked, played, (saved, best));
        assert!(read::taken(&compared).is_none() && owners::lost(&compared).is_none());
        assert!(owners::area(&compared).is_none() && compared.lead().is_none() && compared.elsewhere().is_none());
    }

    #[test]
    fn what_two_searches_do_not_agree_on_is_said_where_a_third_bears_the_second_out() {
        let asked = game(&". . . . . . .\n".repeat(7));
        let corner = Point::new(6, 0);
        let empty = |_| 0.0;
        let saved = Move::Place(LAST_LIBERTY);
        let mut played = seen(&asked, A1, corner, -20.0, empty);
        // The first search had not seen yet how far behind Black is, and expected another reply.
        played.first.black_win_prob = 0.4;
        played.first.candidates[0].played = Move::Place(Point::new(0, 5));
        let third = played.second.clone();
        let mut compared = compared(&asked, played, (saved, seen(&asked, saved, corner, 8.0, empty)));
        assert!(compared.claims(None).is_empty());
        compared.after_played.held_against(PositionEvaluation { black_win_prob: 0.25, ..third });
        let said: Vec<Fact> = compared.claims(None).into_iter().map(|found| found.fact).collect();
        assert!(
            matches!(said[..], [.., Fact::Lead { after: LeadView { side: Some(Side::White), .. }, .. }]),
            "{said:?}"
        );
    }

    #[test]
    fn a_source_that_fails_costs_its_own_sentence_only() {
        let gone = ApiError::EngineUnavailable { message: "gone".into(), hint: "wait".into() };
        assert!(matches!(unless_failed(Err(gone)), Ok(None)));
        assert!(matches!(unless_failed(Err(ApiError::Cancelled)), Err(ApiError::Cancelled)));
    }

    #[test]
    fn empty_points_change_hands_where_most_of_them_are() {
        let asked = game(ATARI);
        let played = seen(&asked, A1, Point::new(6, 0), -20.0, |_| -0.9);
        let corner = |point: Point| if point.x() > 4 && point.y() > 3 { 0.9 } else { -0.9 };
        let best = Move::Place(Point::new(5, 4));
        let compared = compared(&asked, played, (best, seen(&asked, best, Point::new(6, 0), 1.0, corner)));
        let area = owners::area(&compared).unwrap();
        // Six points of the corner, but for the one that the better move itself takes.
        assert_eq!(area.fact, Fact::Area { to: Side::White, points: 4, region: Region::LowerRight });
        assert_eq!(compared.elsewhere().unwrap().fact, Fact::Elsewhere { reply: Some(6) });
    }

    #[test]
    fn a_reply_at_the_only_common_point_cuts() {
        let asked = game(
            ". . . . . . .
             . X X . X X .
             . O O . O O .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        let between = Point::new(3, 1);
        let played = seen(&asked, A1, between, -5.0, |_| 0.0);
        let best = Move::Place(between);
        let compared = compared(&asked, played, (best, seen(&asked, best, Point::new(3, 0), 5.0, |_| 0.0)));
        let cut = read::cut(&compared).unwrap();
        let fact = Fact::Cut { side: Side::Black, by: Some(10), one: Some(8), other: Some(11) };
        assert_eq!((cut.fact, cut.line), (fact, vec![A1, best]));
        // With the first line as well, the two are joined around the stone that cuts.
        let asked = game(
            ". X X X X X .
             . X X . X X .
             . O O . O O .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        let played = seen(&asked, A1, between, -5.0, |_| 0.0);
        let compared =
            super::tests::compared(&asked, played, (best, seen(&asked, best, Point::new(0, 0), 5.0, |_| 0.0)));
        assert!(read::cut(&compared).is_none());
    }
}
