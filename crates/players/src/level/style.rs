//! Styles: what a player likes among moves that are about as good.

use std::fmt;
use std::str::FromStr;

use honinbo_rules::{Board, Color, Game, Move, Point};

use super::heuristic::around;

/// A preference, which reweighs the candidates of a search: a bad move stays a bad one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// The sides and corners: second and third line. On a torus what is close to its own stones.
    Territorial,
    /// The open board: fourth line and above. On a torus what is far from all stones.
    Influential,
    /// Answers near the last move.
    Local,
    /// Plays elsewhere.
    Tenuki,
    /// Connected shapes, no contact.
    Simple,
    /// Contact, cuts and stones with few liberties.
    Aggressive,
    /// An even game: a lead of half a point is as good as any.
    JigoSeeking,
    /// The centre, and what cannot be mirrored, once the other player mirrors.
    MirrorBreaking,
    /// Behind, as White in a handicap game: far from where the other is strong, and complicated; ahead: simple.
    Handicap,
}

impl Style {
    /// All of them.
    pub const ALL: [Style; 9] = [
        Style::Territorial,
        Style::Influential,
        Style::Local,
        Style::Tenuki,
        Style::Simple,
        Style::Aggressive,
        Style::JigoSeeking,
        Style::MirrorBreaking,
        Style::Handicap,
    ];

    /// Its name in files and on command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Style::Territorial => "territorial",
            Style::Influential => "influential",
            Style::Local => "local",
            Style::Tenuki => "tenuki",
            Style::Simple => "simple",
            Style::Aggressive => "aggressive",
            Style::JigoSeeking => "jigo-seeking",
            Style::MirrorBreaking => "mirror-breaking",
            Style::Handicap => "handicap",
        }
    }

    /// Visits below which the style has nothing to choose by.
    #[must_use]
    pub fn least_visits(self) -> u64 {
        if self == Style::JigoSeeking { 24 } else { 1 }
    }

    /// How much the style likes a move of the player to move: a factor of its weight, between `1 / 20` and 20. `lead`
    /// is the player's expected lead after the move, in points, where a search has looked at it.
    #[must_use]
    pub fn likes(self, game: &Game, point: Point, lead: Option<f64>) -> f64 {
        let (board, color) = (game.board(), game.to_play());
        let look = Look { board, color, point };
        let far_from_last =
            last_of(game, color.opponent()).map(|last| f64::from(look.steps_to(last).min(8)) / 4.0 - 1.0);
        let liking = match self {
            Style::Territorial => look.height().map_or_else(|| look.own_near(3) - 1.0, height_of_territory),
            Style::Influential => look.height().map_or_else(
                || if look.stones_within(3) == 0 { 1.0 } else { -0.5 },
                |height| if height >= 4 { 1.0 } else { -1.0 },
            ),
            Style::Local => far_from_last.map_or(0.0, |far| -far),
            Style::Tenuki => far_from_last.unwrap_or(0.0),
            Style::Simple => look.simplicity(),
            Style::Aggressive => look.aggression(),
            Style::JigoSeeking => match lead {
                // An even board leans to neither side: half a point is enough to win.
                Some(lead) => 1.5 - (lead - 0.5).abs() / 2.0,
                None => -1.5,
            },
            Style::MirrorBreaking if is_mirrored(game) => look.unmirrored(),
            Style::MirrorBreaking => 0.0,
            Style::Handicap => match lead {
                Some(lead) if lead < -3.0 => look.aggression() * 0.5 - look.opposing_near(3) * 0.5 + 0.5,
                Some(lead) if lead > 3.0 => look.simplicity(),
                _ => 0.0,
            },
        };
        (STRENGTH * liking.clamp(-1.5, 1.5)).exp()
    }
}

/// Natural logarithm of the weight that a full liking is worth: a factor of about 7.
const STRENGTH: f64 = 2.0;

fn height_of_territory(height: usize) -> f64 {
    match height {
        2 | 3 => 1.0,
        1 => 0.0,
        4 => -0.3,
        _ => -1.0,
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no style.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no style {0:?}")]
pub struct StyleError(String);

impl FromStr for Style {
    type Err = StyleError;

    fn from_str(text: &str) -> Result<Style, StyleError> {
        Style::ALL
            .into_iter()
            .find(|style| style.name() == text)
            .ok_or_else(|| StyleError(text.chars().take(40).collect()))
    }
}

/// A point as the player to move looks at it.
struct Look<'a> {
    board: &'a Board,
    color: Color,
    point: Point,
}

impl Look<'_> {
    /// The line that it is on, 1 at the edge; `None` where no edge is.
    fn height(&self) -> Option<usize> {
        let (size, topology) = (self.board.size(), self.board.topology());
        let from_edge = |at: usize, side: usize| at.min(side - 1 - at) + 1;
        let across = (!topology.wraps_x()).then(|| from_edge(self.point.x(), size.width()));
        let down = (!topology.wraps_y()).then(|| from_edge(self.point.y(), size.height()));
        match (across, down) {
            (Some(across), Some(down)) => Some(across.min(down)),
            (one, other) => one.or(other),
        }
    }

    /// Steps along the lines, over joined edges where that is shorter.
    fn steps_to(&self, other: Point) -> u32 {
        let (size, topology) = (self.board.size(), self.board.topology());
        let along = |a: usize, b: usize, side: usize, wraps: bool| {
            let straight = a.abs_diff(b);
            if wraps { straight.min(side - straight) } else { straight }
        };
        let across = along(self.point.x(), other.x(), size.width(), topology.wraps_x());
        let down = along(self.point.y(), other.y(), size.height(), topology.wraps_y());
        (across + down) as u32
    }

    fn stones_within(&self, reach: usize) -> usize {
        around(self.board, self.point, reach).filter(|&(near, _)| self.board.get(near).is_some()).count()
    }

    fn near(&self, color: Color, reach: usize) -> f64 {
        let count =
            around(self.board, self.point, reach).filter(|&(near, _)| self.board.get(near) == Some(color)).count();
        (count as f64 / 2.0).min(2.0)
    }

    /// Half the player's stones within so many steps, at most 2.
    fn own_near(&self, reach: usize) -> f64 {
        self.near(self.color, reach)
    }

    fn opposing_near(&self, reach: usize) -> f64 {
        self.near(self.color.opponent(), reach)
    }

    fn touching(&self, color: Color) -> f64 {
        self.board.neighbors(self.point).filter(|&near| self.board.get(near) == Some(color)).count() as f64
    }

    fn simplicity(&self) -> f64 {
        0.5 * self.own_near(2) - 0.7 * self.touching(self.color.opponent())
    }

    fn aggression(&self) -> f64 {
        let opponent = self.color.opponent();
        let pressed = self
            .board
            .chains()
            .filter(|chain| chain.color() == opponent && chain.liberties().any(|liberty| liberty == self.point))
            .map(|chain| if chain.liberties().count() <= 3 { 0.6 } else { 0.3 })
            .sum::<f64>();
        pressed + 0.2 * self.opposing_near(2) - 0.6
    }

    /// The middle point cannot be mirrored; near it a mirror runs into its own image.
    fn unmirrored(&self) -> f64 {
        let size = self.board.size();
        let image = Point::new(size.width() - 1 - self.point.x(), size.height() - 1 - self.point.y());
        match self.steps_to(image) {
            0 => 1.5,
            1..=4 => 1.0,
            _ => -0.3,
        }
    }
}

fn last_of(game: &Game, color: Color) -> Option<Point> {
    game.turns().iter().rev().find(|turn| turn.color == color)?.played.point()
}

/// Whether each of the other player's last four moves was the image of the move before it through the middle.
fn is_mirrored(game: &Game) -> bool {
    let (turns, size) = (game.turns(), game.board().size());
    if turns.len() < 8 {
        return false;
    }
    turns[turns.len() - 8..].chunks(2).all(|pair| match (pair[0].played, pair[1].played) {
        (Move::Place(first), Move::Place(answer)) => {
            answer == Point::new(size.width() - 1 - first.x(), size.height() - 1 - first.y())
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use honinbo_rules::{BoardSize, Komi, Ruleset, Setup, Topology};

    use super::*;

    fn game(topology: Topology, moves: &[(usize, usize)]) -> Game {
        let size = BoardSize::square(13).unwrap();
        let setup = Setup::new(size, topology, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15));
        let mut game = Game::new(setup).unwrap();
        for &(x, y) in moves {
            game.play(game.to_play(), Move::Place(Point::new(x, y))).unwrap();
        }
        game
    }

    #[test]
    fn names_are_read_back() {
        for style in Style::ALL {
            assert_eq!(style.name().parse(), Ok(style));
        }
        assert!("wild".parse::<Style>().is_err());
    }

    #[test]
    fn territory_is_low_and_influence_high() {
        let game = game(Topology::Plane, &[]);
        let (low, high) = (Point::new(2, 5), Point::new(6, 6));
        assert!(Style::Territorial.likes(&game, low, None) > Style::Territorial.likes(&game, high, None));
        assert!(Style::Influential.likes(&game, low, None) < Style::Influential.likes(&game, high, None));
    }

    #[test]
    fn local_stays_where_tenuki_leaves() {
        let game = game(Topology::Plane, &[(3, 3)]);
        let (near, far) = (Point::new(3, 5), Point::new(10, 10));
        assert!(Style::Local.likes(&game, near, None) > Style::Local.likes(&game, far, None));
        assert!(Style::Tenuki.likes(&game, near, None) < Style::Tenuki.likes(&game, far, None));
    }

    #[test]
    fn contact_is_liked_by_the_aggressive_alone() {
        let game = game(Topology::Plane, &[(6, 6), (3, 3), (9, 3), (3, 9)]);
        let (contact, quiet) = (Point::new(3, 4), Point::new(8, 4));
        assert!(Style::Aggressive.likes(&game, contact, None) > Style::Aggressive.likes(&game, quiet, None));
        assert!(Style::Simple.likes(&game, contact, None) < Style::Simple.likes(&game, quiet, None));
    }

    #[test]
    fn jigo_is_half_a_point() {
        let game = game(Topology::Plane, &[]);
        let likes = |lead| Style::JigoSeeking.likes(&game, Point::new(5, 5), lead);
        assert!(likes(Some(0.5)) > likes(Some(5.0)) && likes(Some(0.5)) > likes(Some(-4.0)));
        assert!(likes(Some(1.0)) > likes(None));
    }

    #[test]
    fn the_middle_is_taken_from_who_mirrors() {
        let image = |(x, y): (usize, usize)| (12 - x, 12 - y);
        let black = [(3, 3), (9, 3), (2, 6), (5, 4)];
        let mirrored: Vec<(usize, usize)> = black.iter().flat_map(|&at| [at, image(at)]).collect();
        let (middle, side) = (Point::new(6, 6), Point::new(2, 8));
        let game_of_mirror = game(Topology::Plane, &mirrored);
        let likes = |game: &Game, at| Style::MirrorBreaking.likes(game, at, None);
        assert!(likes(&game_of_mirror, middle) > 5.0 * likes(&game_of_mirror, side));
        let other = game(Topology::Plane, &[(3, 3), (9, 3)]);
        assert!((likes(&other, middle) - likes(&other, side)).abs() < 1e-9, "without a mirror it likes nothing");
    }

    #[test]
    fn who_gave_a_handicap_keeps_away_while_behind() {
        let game = game(Topology::Plane, &[(0, 0), (3, 3), (0, 12), (3, 4)]);
        let (into, away) = (Point::new(4, 6), Point::new(10, 10));
        let likes = |at, lead| Style::Handicap.likes(&game, at, Some(lead));
        assert!(likes(away, -20.0) > likes(into, -20.0));
        assert!((likes(away, 0.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn no_style_minds_a_torus_or_a_tiny_board() {
        for topology in [Topology::Plane, Topology::Torus] {
            let game = game(topology, &[(0, 0), (12, 12), (6, 6), (0, 12)]);
            for style in Style::ALL {
                for point in game.legal_points() {
                    for lead in [None, Some(-1e9), Some(0.0), Some(1e9)] {
                        let factor = style.likes(&game, point, lead);
                        assert!((0.04..=21.0).contains(&factor), "{style} {factor}");
                    }
                }
            }
        }
    }
}
