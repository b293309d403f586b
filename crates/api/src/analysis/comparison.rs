//! Two networks asked about one position.

use crate::analysis::AnalysisRoom;
use crate::analysis::engine::{Loaded, STRONGEST_PROFILE};
use crate::analysis::question::Question;
use crate::analysis::resources::{networks, resource_dirs};
use crate::analysis::views::candidate_view;
use crate::{ApiError, CompareNetworks, Host, NetworkComparison, NetworkOpinion};
use honinbo_evaluator::{PlayerProfile, StopFlag};
use honinbo_rules::Game;
use honinbo_search::{Perspective, ReportOptions, SearchParams};
use std::sync::Arc;

/// Most visits of each.
const MAX_VISITS: u32 = 100_000;
/// Candidates that are reported.
const CANDIDATES: usize = 12;

impl AnalysisRoom {
    pub(crate) fn compare_networks(
        &self,
        wanted: &CompareNetworks,
        stop: &StopFlag,
    ) -> Result<NetworkComparison, ApiError> {
        let profile = match wanted.profile.as_str() {
            "" => STRONGEST_PROFILE,
            some => some,
        };
        let profile: PlayerProfile = profile.parse().map_err(|error: honinbo_evaluator::ProfileError| {
            ApiError::InvalidRequest { message: format!("the profile {profile:?}: {error}") }
        })?;
        let host = &self.host;
        let at_hand = networks(&host.data_dir(), &resource_dirs(&host.resource_dirs()));
        if !self.engine.is_given() && at_hand.iter().all(|network| network.file_name != wanted.network) {
            return Err(ApiError::NotFound { message: format!("the network {:?} is not there", wanted.network) });
        }
        let (node_id, game) =
            self.games.with_game(&wanted.game_id, |session| Ok((session.current_id(), session.game().clone())))?;
        self.engine.begin_comparison(stop)?;
        let first = self.engine.load()?;
        let second = self.engine.second(&wanted.network, stop)?;
        let opinion = |loaded: &Loaded| opinion(host, loaded, &game, wanted.visits, profile, stop);
        Ok(NetworkComparison { node_id, first: opinion(&first)?, second: opinion(&second)? })
    }
}

fn opinion(
    host: &Arc<dyn Host>,
    loaded: &Loaded,
    game: &Game,
    visits: u32,
    profile: PlayerProfile,
    stop: &StopFlag,
) -> Result<NetworkOpinion, ApiError> {
    let params = SearchParams { profile: loaded.human_style.then_some(profile), ..SearchParams::analysis() };
    let question = Question { params, ..Question::of_visits(visits.clamp(1, MAX_VISITS).into()) };
    let search = question.ask(loaded, host, game.clone(), stop, None)?;
    let options = ReportOptions {
        perspective: Perspective::Black,
        max_candidates: CANDIDATES,
        min_candidates: if visits <= 1 { CANDIDATES } else { 0 },
        ..ReportOptions::default()
    };
    let report = search.report(&options).filter(|_| !stop.is_set()).ok_or(ApiError::Cancelled)?;
    let (best, size) = (report.candidates.first(), game.board().size());
    Ok(NetworkOpinion {
        network: loaded.network.clone(),
        human_style: loaded.human_style,
        visits: u32::try_from(report.root.visits).unwrap_or(u32::MAX),
        black_win_prob: report.root.win_rate.into(),
        black_score_lead: report.root.score_lead.into(),
        candidates: report
            .candidates
            .iter()
            .map(|one| candidate_view(one, best, false, report.to_play, size))
            .collect(),
    })
}
