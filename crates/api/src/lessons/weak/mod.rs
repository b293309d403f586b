//! Where somebody is weak, over all own games that were reviewed; own openings; and whether practice changed anything.

pub(super) mod interval;
mod judging;
mod kinds;

use super::LessonsRoom;
use super::deck::index_of;
use super::turn::Turn;
use crate::games::session::excerpt_of;
use crate::library::LibraryRoom;
use crate::{
    ApiError, ClassRate, OpeningView, PractiseOpening, Practised, Rate, Repertoire, TrainingVerdict, TrainingView,
    WeakPosition, WeakPositionsOf, Weaknesses, WeaknessesOf,
};
use honinbo_library::{ClassSum, GameId, MistakeAt, MoveClass, NewCard, Training};
use honinbo_record::{NodeId, ReplayOptions, read_sgf_text, replay_each};
use honinbo_rules::{Game, Move};
use interval::{Counted, difference, rate};
pub(crate) use judging::judge_game;
use std::collections::BTreeMap;

/// Positions that are shown, and made into cards, at most.
const MAX_POSITIONS: u32 = 60;
/// Months of a trend.
const MAX_MONTHS: usize = 24;
/// Share of the errors before from which a change is worth speaking of.
const WORTH: f64 = 0.1;
/// Judged games that a period needs before anything is said of it.
const MIN_GAMES: u32 = 5;

impl LessonsRoom {
    /// Where a player errs how often.
    pub(crate) fn weaknesses(&self, asked: &WeaknessesOf) -> Result<Weaknesses, ApiError> {
        let name = asked.name.as_str();
        let found = self.library.player_sums(name)?;
        let mut classes = Vec::new();
        for &class in MoveClass::ALL {
            let of_class: Vec<&ClassSum> = found.sums.iter().filter(|sum| sum.class == class).collect();
            let all = Counted::of(of_class.iter().copied());
            if all.moves <= 0.0 {
                continue;
            }
            let mut months: BTreeMap<u32, Counted> = BTreeMap::new();
            for sum in of_class.iter().filter(|sum| sum.when > 0) {
                months.entry(sum.when).or_default().add(sum);
            }
            let skip = months.len().saturating_sub(MAX_MONTHS);
            // The same games for each part of a division, whether the part occurred in them or not.
            let games = match class {
                MoveClass::Hurried | MoveClass::Unhurried => found.timed,
                _ => found.judged,
            };
            classes.push(ClassRate {
                class: class.name().into(),
                kind: class.is_kind(),
                rate: rate_of(&all),
                lost_per_game: (all.lost / f64::from(games.max(1))).into(),
                months: months
                    .into_iter()
                    .skip(skip)
                    .map(|(month, counted)| (month, rate_of(&counted)).into())
                    .collect(),
            });
        }
        let mut trainings = Vec::new();
        for training in self.library.trainings()? {
            trainings.push(self.training_view(name, training, asked.minutes_ahead.unwrap_or(0))?);
        }
        Ok(Weaknesses { games: found.games, judged: found.judged, classes, trainings })
    }

    fn training_view(&self, name: &str, training: Training, minutes_ahead: i16) -> Result<TrainingView, ApiError> {
        let sums = self.library.training_sums(name, training, minutes_ahead)?;
        let period = |when| Counted::of(sums.iter().filter(|sum| sum.when == when));
        let [before, during, after] = [0, 1, 2].map(period);
        let since = if training.ended.is_some() { &after } else { &during };
        Ok(TrainingView {
            class: training.class.name().into(),
            began: super::cards::seconds(training.began),
            ended: training.ended.map(super::cards::seconds),
            verdict: verdict(&before, since),
            before: rate_of(&before),
            during: rate_of(&during),
            after: rate_of(&after),
            steers: steers(training.class).into(),
        })
    }

    /// Mistakes of a class, the worst first.
    pub(crate) fn weak_positions(&self, wanted: &WeakPositionsOf) -> Result<Vec<WeakPosition>, ApiError> {
        let class = class_of(&wanted.class)?;
        let found = self.library.player_mistakes_of(&wanted.name, class, wanted.limit.min(MAX_POSITIONS))?;
        let positions = found.into_iter().filter_map(|at| {
            let reached = position_before(&self.library, &at.game, at.number)?;
            Some(WeakPosition {
                record: at.game.to_string(),
                number: at.number,
                lost: at.lost.into(),
                kept: self.library.card_of(reached.game.board(), reached.game.to_play()).ok().flatten().is_some(),
                board: Turn::NONE.board(&reached.game),
            })
        });
        Ok(positions.collect())
    }

    /// Makes the worst mistakes of a class into cards, and begins its training.
    pub(crate) fn practise_weakness(&self, wanted: &WeakPositionsOf) -> Result<Practised, ApiError> {
        let class = class_of(&wanted.class)?;
        let found = self.library.player_mistakes_of(&wanted.name, class, wanted.limit.min(MAX_POSITIONS))?;
        let practised = self.add_positions(&found)?;
        self.library.begin_training(class, self.host.unix_ms())?;
        Ok(practised)
    }

    /// Makes an opening of a player into cards: the mistakes within it, or, where there are none, the last move of it.
    pub(crate) fn practise_opening(&self, wanted: &PractiseOpening) -> Result<Practised, ApiError> {
        let PractiseOpening { name, corner, line } = wanted;
        let found = self.library.player_opening_mistakes(name, *corner, line, MAX_POSITIONS)?;
        if !found.is_empty() {
            return self.add_positions(&found);
        }
        let own = self.library.player_openings(name)?;
        let own = own.into_iter().find(|one| one.corner == *corner && one.line == *line);
        let own = own.ok_or_else(|| ApiError::NotFound {
            message: "that opening is not among the player's games any more".into(),
        })?;
        self.add_positions(&[MistakeAt { game: own.game, number: own.number, lost: 0.0 }])
    }

    /// Makes positions before moves into cards.
    fn add_positions(&self, found: &[MistakeAt]) -> Result<Practised, ApiError> {
        let mut cards = Vec::new();
        for at in found {
            let Some(reached) = position_before(&self.library, &at.game, at.number) else { continue };
            let played = reached.played.map(|played| index_of(played, &reached.game));
            cards.push((reached.game, NewCard { sgf: reached.sgf, played, lost: at.lost, recorded: Vec::new() }));
        }
        let borrowed: Vec<_> = cards.iter().map(|(game, card)| (game.board(), game.to_play(), card)).collect();
        let added = self.library.add_cards(&borrowed, self.host.unix_ms())?;
        Ok(Practised { cards: u32::try_from(added.ids.len()).unwrap_or(u32::MAX), new: added.new })
    }

    /// Ends the training of a class.
    pub(crate) fn end_training(&self, class: &str) -> Result<(), ApiError> {
        self.library.end_training(class_of(class)?, self.host.unix_ms())
    }

    /// What a player opens with.
    pub(crate) fn repertoire(&self, name: &str) -> Result<Repertoire, ApiError> {
        let found = self.library.player_openings(name)?;
        let openings = found.into_iter().filter_map(|opening| {
            let reached = position_before(&self.library, &opening.game, opening.number + 1)?;
            Some(OpeningView {
                corner: opening.corner,
                games: opening.games,
                wins: opening.wins,
                losses: opening.losses,
                lost: opening.lost.into(),
                record: opening.game.to_string(),
                number: opening.number,
                line: opening.line,
                board: Turn::NONE.board(&reached.game),
            })
        });
        Ok(Repertoire { openings: openings.collect() })
    }
}

fn class_of(name: &str) -> Result<MoveClass, ApiError> {
    MoveClass::of_name(name)
        .ok_or_else(|| ApiError::InvalidRequest { message: format!("there is no class of moves {name:?}") })
}

/// The style of an opponent that brings more positions of a class about than one of the same strength without a style:
/// where that was measured (docs/experiments/ladder.md, "Styles that steer"), and nowhere else.
fn steers(class: MoveClass) -> &'static str {
    match class {
        MoveClass::Corner | MoveClass::Ko | MoveClass::Reading | MoveClass::Fight => "aggressive",
        MoveClass::Cut => "tenuki",
        MoveClass::SideRegion => "influential",
        MoveClass::All
        | MoveClass::Opening
        | MoveClass::MiddleGame
        | MoveClass::LatePhase
        | MoveClass::Centre
        | MoveClass::Ahead
        | MoveClass::Even
        | MoveClass::Behind
        | MoveClass::Hurried
        | MoveClass::Unhurried
        | MoveClass::Joseki
        | MoveClass::Direction
        | MoveClass::LifeAndDeath
        | MoveClass::Race
        | MoveClass::Endgame
        | MoveClass::Invasion
        | MoveClass::Territory
        | MoveClass::Other => "",
    }
}

fn rate_of(counted: &Counted) -> Rate {
    let found = rate(counted);
    Rate {
        games: counted.games,
        moves: counted.moves as u32,
        mistakes: counted.mistakes as u32,
        rate: found.middle.into(),
        low: found.low.into(),
        high: found.high.into(),
    }
}

/// What can be said: better, no, or not yet anything.
fn verdict(before: &Counted, since: &Counted) -> TrainingVerdict {
    if before.games < MIN_GAMES || since.games < MIN_GAMES {
        return TrainingVerdict::NotYetKnown;
    }
    let [low, high] = difference(before, since);
    if high < 0.0 {
        TrainingVerdict::Better
    } else if low > -WORTH * rate(before).middle {
        TrainingVerdict::No
    } else {
        TrainingVerdict::NotYetKnown
    }
}

/// A position of a game in the library, before a move.
struct Reached {
    game: Game,
    played: Option<Move>,
    /// The record up to there.
    sgf: String,
}

/// The position before the move of that number, as the record counts; after the last where there is none.
fn position_before(library: &LibraryRoom, id: &GameId, number: u32) -> Option<Reached> {
    let sgf = library.sgf_of(id.as_str()).ok()?;
    let tree = read_sgf_text(&sgf).games.into_iter().next()?.tree;
    let end = tree.line_from(tree.root()).last().unwrap_or(tree.root());
    let (mut found, mut at, mut seen) = (None, tree.root(), 0);
    let mut played = None;
    let size = honinbo_record::GameInfo::of(&tree).size;
    replay_each(&tree, end, ReplayOptions::default(), &mut |node: NodeId, game: &Game| {
        let made = tree.move_at(node, size);
        seen += u32::from(made.is_some());
        if seen < number {
            found = Some(game.clone());
            at = node;
        } else if seen == number && played.is_none() {
            played = made.and_then(|made| made.played.ok());
        }
    });
    let game = found?;
    let played = played.filter(|&played| game.legality(game.to_play(), played).is_ok());
    Some(Reached { game, played, sgf: excerpt_of(&tree, size, at) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_players::Style;

    fn counted(games: u32, moves: f64, mistakes: f64) -> Counted {
        let each = [moves / f64::from(games), mistakes / f64::from(games)];
        let squares = [each[1] * each[1], each[0] * each[1], each[0] * each[0]].map(|square| square * f64::from(games));
        Counted { games, moves, mistakes, lost: 0.0, squares }
    }

    #[test]
    fn a_class_is_steered_by_a_style_that_there_is() {
        let offered = MoveClass::ALL.iter().map(|&class| steers(class)).filter(|style| !style.is_empty());
        let known: Vec<bool> = offered.map(|style| style.parse::<Style>().is_ok()).collect();
        assert!(!known.is_empty() && known.into_iter().all(|is_known| is_known));
    }

    #[test]
    fn a_verdict_is_what_the_figures_bear_and_no_more() {
        let before = counted(40, 4000.0, 400.0);
        assert_eq!(verdict(&before, &counted(40, 4000.0, 200.0)), TrainingVerdict::Better);
        assert_eq!(verdict(&before, &counted(40, 4000.0, 520.0)), TrainingVerdict::No, "worse");
        let few = counted(10, 1000.0, 100.0);
        assert_eq!(verdict(&few, &counted(400, 400_000.0, 40_100.0)), TrainingVerdict::NotYetKnown, "few before");
        let known = counted(400, 400_000.0, 40_000.0);
        assert_eq!(verdict(&known, &known), TrainingVerdict::No, "what would be worth it is excluded");
        assert_eq!(verdict(&before, &counted(6, 300.0, 26.0)), TrainingVerdict::NotYetKnown);
        assert_eq!(verdict(&before, &counted(4, 4000.0, 0.0)), TrainingVerdict::NotYetKnown, "too few games");
    }
}
