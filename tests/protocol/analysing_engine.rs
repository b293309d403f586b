//! An engine of KataGo's kind as somebody else's program: its analysis is understood.

use crate::support::engine;
use honinbo_evaluator::StopFlag;
use honinbo_players::{CommandLine, EngineLimits, GtpPlayer};
use honinbo_rules::{BoardSize, Color, Game, Move, Preset, Setup, Topology};
use std::time::Duration;

/// The real KataGo where `HONINBO_KATAGO` is the command line of `katago gtp`; otherwise this program, which speaks the
/// same.
#[test]
fn what_an_engine_of_katagos_kind_thinks_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let line = if let Ok(line) = std::env::var("HONINBO_KATAGO") {
        line
    } else {
        let Some(network) = engine() else { return };
        format!("\"{}\" gtp --data {} --net \"{network}\"", env!("CARGO_BIN_EXE_honinbo"), folder.path().display())
    };
    let limits = EngineLimits { start: Duration::from_secs(600), answer: Duration::from_secs(120) };
    let mut player = GtpPlayer::new(CommandLine::parse(&line).unwrap(), limits, Vec::new());
    let preset = Preset::Chinese;
    let mut game = Game::new(Setup::new(BoardSize::NINE, Topology::Plane, preset.ruleset(), preset.komi())).unwrap();
    for (color, at) in [(Color::Black, "E5"), (Color::White, "A1"), (Color::Black, "C4"), (Color::White, "A9")] {
        game.play(color, Move::from_gtp(at, BoardSize::NINE).unwrap()).unwrap();
    }
    for round in 0..2 {
        let mut last = None;
        player
            .analyse(&game, &[], Duration::from_millis(100), &StopFlag::new(), &mut |report| {
                let goes_on = report.visits < 50;
                last = Some(report);
                goes_on
            })
            .unwrap();
        let report = last.unwrap();
        // Two stones in the corners' last points are as good as none, whoever is to move.
        assert!(report.black_win_prob > 0.9 && report.black_lead.unwrap() > 5.0, "{round}: {report:?}");
        assert_eq!(report.black_ownership.len(), 81);
        assert!(report.black_ownership.iter().sum::<f32>() > 10.0);
        game.play(game.to_play(), Move::Pass).unwrap();
    }
}
