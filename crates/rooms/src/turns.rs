//! The game of a room with everything it takes to play it again.

use honinbo_players::RecordedTime;
use honinbo_rules::{BoardSize, Game, IllegalMove, Move, Point, Setup, SetupError};

/// Something that brought the game on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Turn(Move),
    /// After both passed the players went on.
    Resume,
}

/// A game that can be written as text, read again, and taken back step by step.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    setup: Setup,
    game: Game,
    steps: Vec<Step>,
    /// What the player of each turn had left after it; `None` without a clock.
    time_left: Vec<Option<RecordedTime>>,
}

const PASS: &str = "--";
const RESUME: &str = "++";

impl Turns {
    pub(crate) fn new(setup: Setup) -> Result<Self, SetupError> {
        let game = Game::new(setup.clone())?;
        Ok(Self { setup, game, steps: Vec::new(), time_left: Vec::new() })
    }

    /// Plays a game again that was written by [`Turns::to_text`]; `None` for anything else.
    pub(crate) fn from_text(setup: Setup, text: &str) -> Option<Self> {
        let mut turns = Self::new(setup).ok()?;
        let size = turns.size();
        let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
        for pair in pairs {
            match pair? {
                RESUME if turns.game.is_over() => turns.resume(),
                PASS => turns.play(Move::Pass, None).ok()?,
                point => turns.play(Move::Place(Point::from_sgf(point, size)?), None).ok()?,
            }
        }
        Some(turns)
    }

    /// Two characters a step: a point as SGF writes it, a pass, or going on after passes.
    pub(crate) fn to_text(&self) -> String {
        let step = |step: &Step| match step {
            Step::Turn(Move::Place(point)) => point.to_sgf(),
            Step::Turn(_) => PASS.into(),
            Step::Resume => RESUME.into(),
        };
        self.steps.iter().map(step).collect()
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn size(&self) -> BoardSize {
        self.game.board().size()
    }

    /// Number of turns taken.
    pub(crate) fn len(&self) -> usize {
        self.game.turns().len()
    }

    /// For each turn what its player had left after it.
    pub(crate) fn time_left(&self) -> &[Option<RecordedTime>] {
        &self.time_left
    }

    /// Takes what was kept beside [`Turns::to_text`]. Of a game that another version of the program took on meanwhile it
    /// may be too short.
    pub(crate) fn set_time_left(&mut self, mut time_left: Vec<Option<RecordedTime>>) {
        time_left.resize(self.len(), None);
        self.time_left = time_left;
    }

    /// A stone or a pass by the player to move, who has so much time left.
    pub(crate) fn play(&mut self, played: Move, left: Option<RecordedTime>) -> Result<(), IllegalMove> {
        self.game.play(self.game.to_play(), played)?;
        self.steps.push(Step::Turn(played));
        self.time_left.push(left);
        Ok(())
    }

    /// The game goes on after its end, with whoever passed first.
    pub(crate) fn resume(&mut self) {
        self.game.resume(self.game.to_play());
        self.steps.push(Step::Resume);
    }

    /// Goes back to the position before turn number `turn`, counted from 0.
    pub(crate) fn take_back_to(&mut self, turn: usize) {
        let nth = self.steps.iter().enumerate().filter(|(_, step)| matches!(step, Step::Turn(_))).nth(turn);
        let Some((at, _)) = nth else { return };
        let text: String = self.to_text().chars().take(2 * at).collect();
        if let Some(mut earlier) = Self::from_text(self.setup.clone(), &text) {
            earlier.set_time_left(std::mem::take(&mut self.time_left));
            *self = earlier;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{Color, Preset, Topology};

    fn nine() -> Turns {
        let setup = Setup::new(BoardSize::NINE, Topology::Plane, Preset::Japanese.ruleset(), Preset::Japanese.komi());
        Turns::new(setup).unwrap()
    }

    #[test]
    fn a_game_with_resumed_play_is_written_read_and_taken_back() {
        let mut turns = nine();
        for played in [Move::Place(Point::new(2, 2)), Move::Pass, Move::Pass] {
            turns.play(played, None).unwrap();
        }
        assert!(turns.game().is_over());
        turns.resume();
        assert_eq!(turns.game().to_play(), Color::White, "who passed first moves first");
        turns.play(Move::Place(Point::new(6, 6)), None).unwrap();
        turns.play(Move::Place(Point::new(8, 8)), None).unwrap();
        assert_eq!(turns.to_text(), "cc----++ggii");

        let read = Turns::from_text(nine().setup, &turns.to_text()).unwrap();
        assert_eq!(read.game(), turns.game());
        turns.take_back_to(3);
        assert_eq!((turns.to_text().as_str(), turns.game().is_over()), ("cc----++", false));
        turns.take_back_to(1);
        assert_eq!(turns.to_text(), "cc");
    }

    #[test]
    fn what_is_no_game_is_not_read() {
        for wrong in ["c", "cccc", "zz", "++", "cc++", "柯"] {
            assert!(Turns::from_text(nine().setup, wrong).is_none(), "{wrong}");
        }
    }
}
