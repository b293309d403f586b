//! How a game starts.

use crate::{Board, BoardSize, Color, Komi, Phase, Point, Preset, Ruleset, SetupError, Topology};

/// Everything that is settled before the first move. Fields not set keep the values of [`Setup::new`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Width and height.
    pub size: BoardSize,
    /// Which edges are joined.
    pub topology: Topology,
    /// The rules.
    pub ruleset: Ruleset,
    /// The komi.
    pub komi: Komi,
    /// Stones on the board before the first move, handicap stones included.
    pub stones: Vec<(Point, Color)>,
    /// Who moves first.
    pub first_player: Color,
    /// Stones captured by Black and by White before the start, for a position taken up in mid-game.
    pub captured_by: [u32; 2],
    /// The phase in which play starts: anything but `Main` needs territory scoring.
    pub phase: Phase,
    /// How handicap stones are counted for White's bonus.
    pub handicap: HandicapCount,
    /// Whether life is always judged as if suicide of several stones were legal, as networks with the header flag
    /// "pass alive under suicide" expect.
    pub pass_alive_under_suicide: bool,
}

/// How the stones that White is paid for are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HandicapCount {
    /// Black stones of a set-up without white stones.
    Stones,
    /// As `Stones`, and Black's moves before White's first: how free handicap looks in records. What KataGo's GTP
    /// and analysis engines do.
    #[default]
    StonesAndOpeningMoves,
    /// So many, whatever is on the board.
    Exactly(u16),
}

impl Setup {
    /// An empty board, Black to move.
    #[must_use]
    pub fn new(size: BoardSize, topology: Topology, ruleset: Ruleset, komi: Komi) -> Setup {
        Setup {
            size,
            topology,
            ruleset,
            komi,
            stones: Vec::new(),
            first_player: Color::Black,
            captured_by: [0; 2],
            phase: Phase::Main,
            handicap: HandicapCount::default(),
            pass_alive_under_suicide: false,
        }
    }

    /// A preset on the board that it is usually played on, with its komi.
    #[must_use]
    pub fn preset(preset: Preset) -> Setup {
        let (size, topology) = preset.board();
        Setup::new(size, topology, preset.ruleset(), preset.komi())
    }

    /// With so many handicap stones on the star points, White to move. 0 and 1 place none.
    ///
    /// # Errors
    /// When the board has no fixed places for so many: see [`fixed_handicap`].
    pub fn with_fixed_handicap(mut self, stones: usize) -> Result<Setup, SetupError> {
        if stones > 1 {
            let points = fixed_handicap(self.size, self.topology, stones)?;
            self.stones.extend(points.into_iter().map(|point| (point, Color::Black)));
            self.first_player = Color::White;
        }
        Ok(self)
    }

    /// The board before the first move.
    ///
    /// # Errors
    /// When the stones do not make a position.
    pub fn board(&self) -> Result<Board, SetupError> {
        let mut board = Board::with_stones(self.size, self.topology, self.stones.iter().copied())?;
        for color in Color::ALL {
            board.set_captured_by(color, self.captured_by[color.index()]);
        }
        Ok(board)
    }
}

/// As [`handicap_points`], on a board whose edges may meet: there no point is a corner's, and none is a star.
///
/// # Errors
/// When there are no places for so many.
pub fn fixed_handicap(size: BoardSize, topology: Topology, stones: usize) -> Result<Vec<Point>, SetupError> {
    if topology != Topology::Plane {
        return Err(SetupError::NoStarPoints(topology));
    }
    handicap_points(size, stones)
}

/// The fixed places of 2 to 9 handicap stones, in the order of GTP's `fixed_handicap`.
///
/// Sides below 7 have none. Even sides, and 7, take at most 4, as they have no middle or too little room around it.
///
/// # Errors
/// When there are no places for so many.
pub fn handicap_points(size: BoardSize, stones: usize) -> Result<Vec<Point>, SetupError> {
    let refused = || SetupError::Handicap { stones, size };
    let (width, height) = (size.width(), size.height());
    if width < 7 || height < 7 || !(2..=9).contains(&stones) {
        return Err(refused());
    }
    let has_middle = |side: usize| side % 2 == 1 && side > 7;
    if stones > 4 && !(has_middle(width) && has_middle(height)) {
        return Err(refused());
    }
    let near = |side: usize| if side < 13 { 2 } else { 3 };
    let (left, right, mid_x) = (near(width), width - 1 - near(width), width / 2);
    let (top, bottom, mid_y) = (near(height), height - 1 - near(height), height / 2);
    let corners = [(left, bottom), (right, top), (left, top), (right, bottom)];
    let sides = [(left, mid_y), (right, mid_y), (mid_x, bottom), (mid_x, top)];
    let middle = (mid_x, mid_y);
    let mut places = corners[..stones.min(4)].to_vec();
    if stones > 4 {
        places.extend(&sides[..(stones - 4) / 2 * 2]);
        if stones % 2 == 1 {
            places.push(middle);
        }
    }
    Ok(places.into_iter().map(|(x, y)| Point::new(x, y)).collect())
}
