//! A player that searches with the network at hand.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use honinbo_evaluator::{Evaluator, StopFlag};
use honinbo_rules::{Game, Move};
use honinbo_search::{
    Perspective, ReportOptions, ResignRule, Search, SearchError, SearchLimits, SearchParams, SearchReport, TimeLimit,
};

use super::Limited;
use crate::{Player, PlayerError};

/// A network that answers.
pub struct ReadyNetwork {
    /// Answers for positions.
    pub evaluator: Arc<dyn Evaluator>,
    /// Search threads that keep it busy.
    pub threads: usize,
    /// Whether that network is of human style and wants to know who plays.
    pub human_style: bool,
    /// Networks beside it, where any are installed.
    pub others: Option<OtherNetworks>,
}

/// A network that certain players want instead of the one at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OtherNetwork {
    /// One of human style, for players that resemble people.
    Human,
    /// The one of a level for beginners, from 1.
    Pupil(u8),
}

/// Finds another network when it is first wanted: reading one takes time. `None` where it cannot be read.
pub type OtherNetworks = Arc<dyn Fn(OtherNetwork) -> Option<Arc<dyn Evaluator>> + Send + Sync>;

/// Gives the network at hand, or a sentence why there is none. Asked at every turn, so that a network that was missing
/// or exchanged is noticed.
pub type NetworkSource = Arc<dyn Fn() -> Result<ReadyNetwork, String> + Send + Sync>;

/// Searches for a set time or number of visits.
///
/// The search runs on a thread of its own, so that an evaluation that never comes back costs the turn, not the game.
pub struct NetworkPlayer {
    name: String,
    network: NetworkSource,
    seconds: Option<f64>,
    visits: Option<u64>,
    seed: u64,
    /// The search of the last turn with the evaluator it asks, unless it has not come back.
    kept: Option<(Search, Arc<dyn Evaluator>)>,
    /// Counts searches that have not come back: each holds one.
    outstanding: Arc<()>,
    /// Plays as somebody of limited strength does; otherwise as well as it can.
    limited: Option<Limited>,
    /// Ranks by which a player that adapts is above its own by now.
    shift: i32,
    /// The game as it stood when the player was first asked in it.
    begun: Option<Game>,
}

/// Searches that may hang before no other is begun.
const MAX_OUTSTANDING: usize = 2;
/// Share of the limit of time after which a search ends by itself.
const SHARE_OF_LIMIT: f64 = 0.8;
/// Points by which a move must be better than a pass to be played after the other player's pass.
const WORTH_A_MOVE: f64 = 0.5;
/// The chance to win below which a turn looks lost.
const RESIGN_BELOW: f64 = 0.03;
/// Moves for each point of the board before which nobody resigns.
const RESIGN_MOVES_PER_POINT: f64 = 0.2;
/// Share of the most visited move's visits below which a candidate's value is not believed.
const BELIEVED: f64 = 0.05;

impl NetworkPlayer {
    /// Searches for so many seconds, to so many visits, or to what comes first; with neither, for a second.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        network: NetworkSource,
        seconds: Option<f64>,
        visits: Option<u64>,
        seed: u64,
    ) -> NetworkPlayer {
        let seconds = if seconds.is_none() && visits.is_none() { Some(1.0) } else { seconds };
        NetworkPlayer {
            name: name.into(),
            network,
            seconds,
            visits,
            seed,
            kept: None,
            outstanding: Arc::new(()),
            limited: None,
            shift: 0,
            begun: None,
        }
    }

    /// A player of limited strength: see [`Limited`].
    #[must_use]
    pub fn limited(name: impl Into<String>, network: NetworkSource, limited: Limited, seed: u64) -> NetworkPlayer {
        let player = NetworkPlayer::new(name, network, None, Some(1), seed);
        NetworkPlayer { limited: Some(limited), ..player }
    }

    /// Ranks above its own, or below, that a player which adapts has come to in this game.
    #[must_use]
    pub fn shift(&self) -> i32 {
        self.shift
    }

    /// Forgets at the start of a game what was learnt of the opponent in another one. Taking moves back begins none.
    fn follow(&mut self, game: &Game) {
        let goes_on = self.begun.as_ref().is_some_and(|begun| {
            begun.to_play() == game.to_play()
                && begun.setup() == game.setup()
                && begun.turns().len() < game.turns().len()
                && game.turns().starts_with(begun.turns())
        });
        if !goes_on {
            self.shift = 0;
            self.begun = Some(game.clone());
        }
    }
}

impl Player for NetworkPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, PlayerError> {
        let until = Instant::now() + within;
        if Arc::strong_count(&self.outstanding) > MAX_OUTSTANDING {
            return Err(PlayerError::Unanswered { seconds: within.as_secs_f64() });
        }
        self.follow(game);
        let (network, kept, seed) = (Arc::clone(&self.network), self.kept.take(), self.seed);
        // Where time is short, or visits are slow, an answer in time is worth more than a deep one.
        let in_time = SHARE_OF_LIMIT * within.as_secs_f64();
        let seconds = self.seconds.unwrap_or(in_time).min(in_time);
        let (game, visits) = (game.clone(), self.visits);
        let limited = self.limited.map(|limited| limited.shifted(self.shift));
        let (ours, ticket) = (StopFlag::new(), Arc::clone(&self.outstanding));
        let stop_of_search = ours.clone();
        let (sender, answer) = channel();
        let thread = std::thread::Builder::new().name("opponent-search".into());
        let started = thread.spawn(move || {
            let work = || {
                let ready = network().map_err(|message| PlayerError::NoNetwork { message })?;
                if let Some(limited) = limited {
                    let time = Duration::from_secs_f64(in_time);
                    let (chosen, search, lead) = limited.choose(&ready, &game, time, seed, &stop_of_search)?;
                    return Ok((chosen, search, ready.evaluator, lead));
                }
                let ReadyNetwork { evaluator, threads, human_style, .. } = ready;
                let search = prepared(kept, &evaluator, &game, human_style, seed)?;
                let began = Instant::now();
                let limits = SearchLimits {
                    max_visits: visits.unwrap_or(SearchLimits::default().max_visits),
                    time: Some(TimeLimit {
                        stopwatch: Arc::new(move || began.elapsed()),
                        max: Duration::from_secs_f64(seconds),
                    }),
                    threads,
                    leaves_per_thread: None,
                    include_ownership: false,
                    ..SearchLimits::default()
                };
                search.run(&limits, &stop_of_search)?;
                let chosen = search.choose_move().ok_or(PlayerError::NoMove)?;
                let chosen =
                    if chosen == Move::Pass { instead_of_pass(&search, &game).unwrap_or(chosen) } else { chosen };
                Ok((chosen, search, evaluator, 0.0))
            };
            let result = work();
            // Before the answer, as the next turn counts those that are still out.
            drop(ticket);
            let _ = sender.send(result); // Nobody waits any more for a search that was late.
        });
        if let Err(error) = started {
            return Err(PlayerError::NoNetwork { message: format!("no thread could be started: {error}") });
        }
        loop {
            match answer.recv_timeout(PATIENCE.min(until.saturating_duration_since(Instant::now()))) {
                Ok(Ok((chosen, search, evaluator, lead))) => {
                    if let Some(limited) = &self.limited {
                        self.shift = limited.shift_after(self.shift, lead);
                    }
                    self.kept = Some((search, evaluator));
                    return Ok(chosen);
                }
                Ok(Err(error)) => return Err(error),
                Err(RecvTimeoutError::Disconnected) => return Err(PlayerError::NoMove),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= until => {
                    ours.set();
                    return Err(PlayerError::Unanswered { seconds: within.as_secs_f64() });
                }
                Err(RecvTimeoutError::Timeout) if stop.is_set() => ours.set(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn resign_rule(&self, game: &Game) -> Option<ResignRule> {
        let weakness = self.limited.map_or(Some(0.0), |limited| limited.weakness())?;
        let area = game.board().size().area() as f64;
        Some(ResignRule {
            below: RESIGN_BELOW,
            turns: 3 + (5.0 * weakness).round() as usize,
            least_deficit: area * (0.06 + 0.09 * weakness),
            moves_per_point: RESIGN_MOVES_PER_POINT,
        })
    }

    fn last_report(&self, options: &ReportOptions) -> Option<SearchReport> {
        self.kept.as_ref()?.0.report(options)
    }
}

/// Whom a network of human style resembles at the levels that play as well as they can.
const STRONGEST_PROFILE: &str = "rank_9d";

/// How often somebody's wish to stop is looked for.
const PATIENCE: Duration = Duration::from_millis(20);

/// The search of the last turn brought to this game, or a new one.
fn prepared(
    kept: Option<(Search, Arc<dyn Evaluator>)>,
    evaluator: &Arc<dyn Evaluator>,
    game: &Game,
    human_style: bool,
    seed: u64,
) -> Result<Search, SearchError> {
    if let Some((search, asked)) = kept
        && Arc::ptr_eq(&asked, evaluator)
        && search.set_root(game.clone()).is_ok()
    {
        return Ok(search);
    }
    // A network of human style cannot answer without knowing who plays: the best.
    let profile = if human_style { STRONGEST_PROFILE.parse().ok() } else { None };
    Search::new(Arc::clone(evaluator), game.clone(), SearchParams { profile, ..SearchParams::play() }, seed)
}

/// After a pass of the other player, a second one would end the game: a move is played as long as one gains, so that
/// a game is not ended by accident.
fn instead_of_pass(search: &Search, game: &Game) -> Option<Move> {
    if game.turns().last()?.played != Move::Pass {
        return None;
    }
    let options = ReportOptions { perspective: Perspective::Mover, ..ReportOptions::default() };
    let candidates = search.report(&options)?.candidates;
    let pass = candidates.iter().find(|candidate| candidate.mv == Move::Pass)?;
    let most = candidates.iter().map(|candidate| candidate.edge_visits).max()?;
    candidates
        .iter()
        .filter(|candidate| candidate.mv != Move::Pass && candidate.edge_visits > 1)
        .filter(|candidate| candidate.edge_visits as f64 >= BELIEVED * most as f64)
        .filter(|candidate| candidate.score_lead > pass.score_lead + WORTH_A_MOVE)
        .max_by(|a, b| a.score_lead.total_cmp(&b.score_lead))
        .map(|candidate| candidate.mv)
}
