//! Games of the library that are reviewed in the background, one after the other, whatever ends the program meanwhile.
//!
//! The list is the library's. What is found of a position is in the evaluation store before its game is taken off the
//! list, and what is there is not asked for again: a game that was broken off goes on where it was.

pub(crate) mod handlers;
mod list;
mod newcomers;
pub(crate) mod types;

use crate::analysis::AnalysisRoom;
use crate::analysis::engine::AfterSweep;
use crate::analysis::review::{ReviewError, ReviewOptions};
use crate::games::session::Session;
use crate::library::LibraryRoom;
use crate::play::PlayRoom;
use crate::settings::SettingsRoom;
use crate::{ApiError, Event, Finite, Host, OpenGameId, QueueReviews, QueueState, RestReason, ReviewQueue, Settings};

use honinbo_evaluator::StopFlag;
use honinbo_library::{ENOUGH_VISITS, GameId, ReviewCounts, ReviewOrder};
use honinbo_record::{GameTree, ReplayOptions, read_sgf_text};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How often it is looked whether the reason to rest is gone.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// How often windows are told how far a game is.
const REPORT_EVERY: Duration = Duration::from_millis(500);
/// Positions that say how long the rest takes.
const MIN_POSITIONS: u32 = 10;

/// The list, and the thread that works through it.
pub(crate) struct ReviewsRoom {
    reviewer: Arc<Reviewer>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

struct Reviewer {
    host: Arc<dyn Host>,
    settings: Arc<SettingsRoom>,
    library: Arc<LibraryRoom>,
    analysis: Arc<AnalysisRoom>,
    play: Arc<PlayRoom>,
    work: Mutex<Work>,
    /// Signalled when games are added and at the end.
    changed: Condvar,
}

#[derive(Default)]
struct Work {
    ended: bool,
    /// Games were added since it was looked last.
    news: bool,
    state: Option<QueueState>,
    /// Ends the game under review; it goes on later.
    stop: StopFlag,
    /// Somebody asked how far the list is, so that it is worked through in this run.
    wanted: bool,
    /// Own games that came in together, of which it is asked whether they are to be reviewed.
    offered: Vec<GameId>,
    /// Positions that were searched in this run, and how long that took.
    searched: (u32, Duration),
    told: Duration,
}

impl ReviewsRoom {
    pub(crate) fn new(
        host: Arc<dyn Host>,
        settings: Arc<SettingsRoom>,
        library: Arc<LibraryRoom>,
        analysis: Arc<AnalysisRoom>,
        play: Arc<PlayRoom>,
    ) -> Self {
        let reviewer =
            Reviewer { host, settings, library, analysis, play, work: Mutex::default(), changed: Condvar::new() };
        Self { reviewer: Arc::new(reviewer), worker: Mutex::default() }
    }

    /// Puts games on the list.
    pub(crate) fn add(&self, wanted: &QueueReviews) -> Result<ReviewQueue, ApiError> {
        self.put(&wanted.ids, if wanted.first { ReviewOrder::AskedFirst } else { ReviewOrder::Asked })
    }

    fn put(&self, ids: &[String], order: ReviewOrder) -> Result<ReviewQueue, ApiError> {
        self.reviewer.library.add_reviews(ids, order, self.reviewer.host.unix_ms())?;
        self.view()
    }

    /// What follows a review in a window, if it is not broken off: it counts as one of the list does, for the game of the
    /// library that is open there or is known again by its moves.
    pub(crate) fn after_sweep(self: &Arc<Self>, game_id: &OpenGameId) -> AfterSweep {
        let (this, game_id) = (Arc::clone(self), game_id.clone());
        Box::new(move || this.look_at_open(&game_id))
    }

    /// As [`ReviewsRoom::look_at`], of the game of the library that is open there or is known again by its moves.
    pub(crate) fn look_at_open(&self, game_id: &OpenGameId) {
        let shown = |session: &mut Session| Ok((session.record_id.clone(), session.record().into_owned()));
        // Closed meanwhile, or in no library.
        let Ok((record, tree)) = self.reviewer.analysis.games.with_game(game_id, shown) else { return };
        let record = record.or_else(|| Some(self.reviewer.library.version_of(&tree).ok()??.to_string()));
        if let Some(record) = record {
            self.look_at(&record);
        }
    }

    /// A game of the library whose every position was found out in a window is put on the list, where it takes a moment,
    /// unless it counts already as deeply reviewed. So is, behind all others, a finished game of the person's own that
    /// counts not at all, where games are reviewed by themselves.
    pub(crate) fn look_at(&self, record: &str) {
        if let Err(error) = self.put_if_due(record) {
            tracing::warn!(%error, record, "it is not known whether a game is to be reviewed");
        }
    }

    fn put_if_due(&self, record: &str) -> Result<(), ApiError> {
        let Some(tree) = self.reviewer.record(record) else { return Ok(()) };
        let id = GameId::new(record);
        let order = match self.reviewer.counts(&id, &tree)? {
            Some(true) => return Ok(()),
            Some(false) => ReviewOrder::Known,
            None if self.reviewer.is_awaited(&id)? => ReviewOrder::Unasked,
            None => return Ok(()),
        };
        self.put(&[record.to_owned()], order).map(drop)
    }

    /// How far the list is. What waited when the program ended goes on when somebody asks for the first time, so that a
    /// terminal that wants something else has the machine to itself.
    pub(crate) fn view(&self) -> Result<ReviewQueue, ApiError> {
        self.reviewer.work.lock().wanted = true;
        let view = self.reviewer.view()?;
        if view.waiting > 0 {
            self.begin();
        }
        Ok(view)
    }

    /// Takes all games off the list.
    pub(crate) fn clear(&self) -> Result<ReviewQueue, ApiError> {
        self.reviewer.library.clear_reviews()?;
        self.reviewer.work.lock().stop.set();
        self.reviewer.changed.notify_all();
        self.view()
    }

    /// Ends the thread; what waits goes on with the next start.
    pub(crate) fn shut_down(&self) {
        {
            let mut work = self.reviewer.work.lock();
            work.ended = true;
            work.stop.set();
        }
        self.reviewer.changed.notify_all();
        if let Some(worker) = self.worker.lock().take() {
            let _ = worker.join();
        }
    }

    fn begin(&self) {
        self.reviewer.work.lock().news = true;
        self.reviewer.changed.notify_all();
        let mut worker = self.worker.lock();
        if worker.is_some() || self.reviewer.work.lock().ended {
            return;
        }
        let reviewer = Arc::clone(&self.reviewer);
        *worker = std::thread::Builder::new().name("review-library".into()).spawn(move || reviewer.work_on()).ok();
    }
}

impl Reviewer {
    fn view(&self) -> Result<ReviewQueue, ApiError> {
        let counts = self.library.review_counts()?;
        let work = self.work.lock();
        let state = work.state.clone().filter(|_| counts.waiting > 0).unwrap_or(QueueState::Idle);
        let known = if let QueueState::Working { done, .. } = &state { *done } else { 0 };
        let (positions, took) = work.searched;
        let left = (positions >= MIN_POSITIONS && counts.waiting > 0).then(|| {
            // Each game has a position more than moves.
            let left = (counts.moves + counts.waiting).saturating_sub(known);
            Finite::new(took.as_secs_f64() / f64::from(positions) * f64::from(left))
        });
        let ReviewCounts { waiting, done, failed, asked, .. } = counts;
        let offered = u32::try_from(work.offered.len()).unwrap_or(u32::MAX);
        Ok(ReviewQueue { waiting, done, failed, offered, asked, state, seconds_left: left })
    }

    /// Notes what is done, and tells the windows where that is news. While games are reviewed they are told now and then
    /// only: the list is counted for it, which takes the longer the longer it is.
    fn report(&self, state: QueueState) {
        let now = self.host.monotonic();
        let news = {
            let mut work = self.work.lock();
            let both_working =
                matches!((&work.state, &state), (Some(QueueState::Working { .. }), QueueState::Working { .. }));
            let due = !both_working || now.saturating_sub(work.told) >= REPORT_EVERY;
            let news = due && work.state.as_ref() != Some(&state);
            work.state = Some(state);
            if news {
                work.told = now;
            }
            news
        };
        if news && let Ok(view) = self.view() {
            self.host.emit(Event::Reviews(view));
        }
    }

    /// Why nothing should be reviewed now.
    fn rests(&self) -> Option<RestReason> {
        if self.host.on_battery() {
            Some(RestReason::Battery)
        } else if self.play.is_rated_game_on() {
            Some(RestReason::Rated)
        } else if self.analysis.engine.is_sweeping() {
            Some(RestReason::Busy)
        } else {
            None
        }
    }

    /// Works through the list until the program ends.
    fn work_on(&self) {
        loop {
            {
                let mut work = self.work.lock();
                if work.ended {
                    return;
                }
                work.news = false;
            }
            let reason = match (self.library.next_review(), self.rests()) {
                (Ok(None), _) => {
                    self.report(QueueState::Idle);
                    let mut work = self.work.lock();
                    while !work.ended && !work.news {
                        self.changed.wait(&mut work);
                    }
                    continue;
                }
                (Ok(Some(_)), Some(reason)) => reason,
                (Ok(Some(id)), None) => match self.review(&id) {
                    Ok(()) => continue,
                    Err(reason) => reason,
                },
                (Err(error), _) => {
                    tracing::warn!(%error, "the list of reviews cannot be read");
                    RestReason::Library
                }
            };
            self.report(QueueState::Resting { reason });
            let mut work = self.work.lock();
            if !work.ended {
                self.changed.wait_for(&mut work, LOOK_AGAIN);
            }
        }
    }

    fn record(&self, id: &str) -> Option<GameTree> {
        let sgf = self.library.sgf_of(id).ok()?;
        Some(read_sgf_text(&sgf).games.into_iter().next()?.tree)
    }

    /// Whether what is known of a game counts already; `None` where a review would have to find out more.
    fn counts(&self, id: &GameId, tree: &GameTree) -> Result<Option<bool>, ApiError> {
        let Some(known) = self.analysis.known_depth(tree) else { return Ok(None) };
        Ok(Some(self.library.judged_depth(id)?.is_some_and(|counts| counts.covers(&known))))
    }

    /// Whether a game is reviewed to the end although nobody asks: one's own, finished, and not judged yet.
    fn is_awaited(&self, id: &GameId) -> Result<bool, ApiError> {
        let Settings { review_by_itself, own_name, .. } = self.settings.get();
        Ok(review_by_itself
            && !own_name.is_empty()
            && self.library.judged_depth(id)?.is_none()
            && self.library.is_finished_game_of(id, &own_name)?)
    }

    /// Reviews a game; an error says why it waits on.
    fn review(&self, id: &GameId) -> Result<(), RestReason> {
        let stop = StopFlag::new();
        {
            let mut work = self.work.lock();
            if work.ended {
                return Ok(());
            }
            work.stop = stop.clone();
        }
        let working = |done, total| QueueState::Working { id: id.as_str().to_owned(), done, total };
        tracing::debug!(game = id.as_str(), "a game is being reviewed");
        // Told even where it takes no time: windows are to hear of its end.
        self.report(working(0, 0));
        let Some(tree) = self.record(id.as_str()) else {
            return self.ended(id, Some("its record cannot be read"));
        };
        if matches!(self.counts(id, &tree), Ok(Some(true))) {
            return self.ended(id, None);
        }
        let mut last = self.host.monotonic();
        let last_cell = Mutex::new(&mut last);
        let options = ReviewOptions { visits: ENOUGH_VISITS, replay: ReplayOptions::default() };
        let found = self.analysis.review_record(&tree, &options, &stop, &|progress| {
            let now = self.host.monotonic();
            {
                let mut last = last_cell.lock();
                let took = now.saturating_sub(**last);
                **last = now;
                let mut work = self.work.lock();
                work.searched.0 = work.searched.0.saturating_add(1);
                work.searched.1 += took;
            }
            if self.rests().is_some() {
                stop.set();
            } else {
                let count = |items| u32::try_from(items).unwrap_or(u32::MAX);
                self.report(working(count(progress.done), count(progress.total)));
            }
        });
        match found {
            Ok(review) => match crate::lessons::weak::judge_game(&self.analysis, &self.library, id, &review, &stop) {
                // Somebody changed it meanwhile: what it is now still waits.
                Ok(false) | Err(ReviewError::Other(ApiError::Cancelled)) => Ok(()),
                Err(ReviewError::Other(ApiError::EngineUnavailable { .. })) => Err(RestReason::NoEngine),
                judged => self.ended(id, judged.err().map(|error| error.to_string()).as_deref()),
            },
            Err(ReviewError::Other(ApiError::Cancelled)) => Ok(()),
            Err(ReviewError::Other(ApiError::EngineUnavailable { .. })) => Err(RestReason::NoEngine),
            // What the network cannot answer now it cannot answer later: the games behind this one go on.
            Err(error) => self.ended(id, Some(&error.to_string())),
        }
    }

    /// A game is off the list once what was found of it is on the disk.
    fn ended(&self, id: &GameId, failure: Option<&str>) -> Result<(), RestReason> {
        self.analysis.evaluations.flush().map_err(|error| {
            tracing::warn!(%error, "what a review found cannot be kept");
            RestReason::Library
        })?;
        self.library.end_review(id, failure, self.host.unix_ms()).map_err(|error| {
            tracing::warn!(%error, "a review cannot be taken off the list");
            RestReason::Library
        })?;
        tracing::debug!(game = id.as_str(), failure, "a game was reviewed");
        Ok(())
    }
}
