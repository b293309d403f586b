//! `Track`: the main line of a game as searches and the comparison of games read it.

mod packed;
mod same;

use honinbo_record::{GameInfo, GameTree, NodeId};
use honinbo_rules::{Board, BoardSize, Color, Move, Point, Topology};

pub(crate) use packed::{TrackReader, push_varint, take_varint};
pub(crate) use same::KEY_MOVES;

/// Moves kept; no real game comes near.
const MAX_MOVES: usize = 20_000;

/// The main line of a game, with what each move removed from the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Track {
    pub(crate) size: BoardSize,
    pub(crate) topology: Topology,
    pub(crate) setup: Vec<(Color, u16)>,
    /// Point number, or the board's area for a pass.
    pub(crate) moves: Vec<(Color, u16)>,
    /// Number of the move (from 0) and the point it removed a stone from, in order.
    pub(crate) removals: Vec<(u16, u16)>,
}

impl Track {
    /// Follows the main line. What cannot be played is left out; stones set up in mid-game end the track, since what
    /// follows is no longer the same game; then the answer's second part is true.
    pub(crate) fn of(tree: &GameTree, info: &GameInfo) -> (Self, bool) {
        let size = info.size;
        let area = size.area();
        let mut board = Board::new(size, info.topology);
        let mut stones: Vec<u8> = vec![0; area];
        let mut track =
            Self { size, topology: info.topology, setup: Vec::new(), moves: Vec::new(), removals: Vec::new() };
        let mut cut = false;
        for node in tree.line_from(NodeId::ROOT) {
            // Nodes of one property are moves, nearly always: only the others can set up stones.
            let plain = tree.move_at(node, size);
            if plain.is_none() || tree.properties(node).nth(1).is_some() {
                let setup = tree.setup_at(node, size);
                if !(setup.black.is_empty() && setup.white.is_empty() && setup.empty.is_empty()) {
                    if !track.moves.is_empty() {
                        cut = true;
                        break;
                    }
                    board = track.set_up(&setup, &mut stones);
                }
            }
            let Some(found) = plain else { continue };
            let Ok(played) = found.played else { continue };
            if track.moves.len() >= MAX_MOVES {
                break;
            }
            match played {
                Move::Place(point) => {
                    board.clear_ko();
                    let Ok(outcome) = board.play(found.color, point) else { continue };
                    let index = point.index(size);
                    let number = narrow(track.moves.len());
                    track.moves.push((found.color, narrow(index)));
                    stones[index] = content(Some(found.color));
                    if outcome.captured > 0 || outcome.suicided > 0 {
                        for (at, now) in board.points().enumerate() {
                            if stones[at] != content(now) {
                                stones[at] = content(now);
                                track.removals.push((number, narrow(at)));
                            }
                        }
                    }
                }
                Move::Pass => track.moves.push((found.color, narrow(area))),
                Move::Resign => {}
            }
        }
        (track, cut)
    }

    fn set_up(&mut self, setup: &honinbo_record::SetupStones, stones: &mut [u8]) -> Board {
        for (list, now) in
            [(&setup.empty, None), (&setup.black, Some(Color::Black)), (&setup.white, Some(Color::White))]
        {
            for point in list {
                stones[point.index(self.size)] = content(now);
            }
        }
        let mut placed: Vec<_> = stones
            .iter()
            .enumerate()
            .filter_map(|(at, &stone)| Some((Point::from_index(at, self.size), color_of(stone)?)))
            .collect();
        let board = loop {
            match Board::with_stones(self.size, self.topology, placed.iter().copied()) {
                Ok(board) => break board,
                Err(honinbo_rules::SetupError::NoLiberty(point)) => placed.retain(|(stone, _)| *stone != point),
                Err(_) => break Board::new(self.size, self.topology),
            }
        };
        stones.iter_mut().zip(board.points()).for_each(|(stone, now)| *stone = content(now));
        let setup = stones.iter().enumerate().filter_map(|(at, &stone)| Some((color_of(stone)?, narrow(at))));
        self.setup = setup.collect();
        board
    }

    /// Number of moves, passes included.
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Placed stones of the main line as SGF nodes, in order: what the packed text leaves out.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = [u8; 6]> + '_ {
        let area = self.size.area();
        self.moves.iter().filter(move |(_, at)| usize::from(*at) < area).map(|&(color, at)| {
            let point = Point::from_index(at.into(), self.size);
            let letter = |n: usize| if n < 26 { b'a' + n as u8 } else { b'A' + (n - 26) as u8 };
            [b';', color.letter() as u8, b'[', letter(point.x()), letter(point.y()), b']']
        })
    }
}

/// Points and move numbers are below 2^16: boards have at most 2704 points, tracks at most 20,000 moves.
#[inline]
fn narrow(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn content(stone: Option<Color>) -> u8 {
    stone.map_or(0, |color| color.index() as u8 + 1)
}

fn color_of(stone: u8) -> Option<Color> {
    match stone {
        1 => Some(Color::Black),
        2 => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_record::read_sgf;
    use honinbo_rules::Symmetry;
    use proptest::prelude::*;

    fn track(sgf: &str) -> Track {
        let tree = &read_sgf(sgf.as_bytes()).games[0].tree;
        Track::of(tree, &GameInfo::of(tree)).0
    }

    #[test]
    fn captures_are_noted_with_their_move() {
        let track = track("(;SZ[9]AW[ba][cb]AB[bb];B[ca];W[aa];B[da];W[ab];B[ee];W[ac];B[bc];W[];B[ab])");
        assert_eq!(Track::unpack(&track.pack()), Some(track.clone()));
        let removed: Vec<_> = track.removals.iter().map(|&(number, at)| (number, at)).collect();
        assert!(removed.is_empty() || removed.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        let ko = super::tests::track("(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])");
        assert_eq!(ko.removals, [(0, 10), (1, 11)]);
    }

    proptest! {
        /// Random games on random boards come back from their packed form, captures and all, and the board that the
        /// removals give is the board that the rules give.
        #[test]
        fn packed_tracks_come_back(
            width in 2usize..22, height in 2usize..22, torus: bool,
            points in proptest::collection::vec((any::<bool>(), 0usize..500), 0..400),
        ) {
            let size = BoardSize::new(width, height).expect("in range");
            let letter = |n: usize| char::from(b'a' + u8::try_from(n).expect("below 26"));
            let moves: String = points.iter().map(|&(black, at)| {
                let at = at % (size.area() + 1);
                let color = if black { 'B' } else { 'W' };
                if at == size.area() { format!(";{color}[]") } else {
                    format!(";{color}[{}{}]", letter(at % width), letter(at / width))
                }
            }).collect();
            let topology = if torus { "TOPO[torus]" } else { "" };
            let track = track(&format!("(;SZ[{width}:{height}]{topology}{moves})"));
            prop_assert_eq!(Track::unpack(&track.pack()), Some(track.clone()));

            let mut board = Board::new(size, track.topology);
            let mut stones = vec![0u8; size.area()];
            let mut removals = track.removals.iter().peekable();
            for (number, &(color, at)) in track.moves.iter().enumerate() {
                if usize::from(at) < size.area() {
                    board.clear_ko();
                    board.play(color, Point::from_index(at.into(), size)).expect("it was legal before");
                    stones[usize::from(at)] = content(Some(color));
                }
                while let Some((_, gone)) = removals.next_if(|(when, _)| usize::from(*when) == number) {
                    stones[usize::from(*gone)] = 0;
                }
            }
            prop_assert!(board.points().map(content).eq(stones));
        }

        /// Turning and mirroring a game changes neither its key nor what it has in common with itself.
        #[test]
        fn keys_are_the_same_under_symmetry(points in proptest::collection::vec(0usize..81, 0..100), which in 0usize..8) {
            let size = BoardSize::NINE;
            let sgf = |symmetry: Symmetry| -> String {
                let node = |(n, &at): (usize, &usize)| {
                    let point = symmetry.apply(Point::from_index(at, size), size);
                    format!(";{}[{}]", if n % 2 == 0 { 'B' } else { 'W' }, point.to_sgf())
                };
                format!("(;SZ[9]{})", points.iter().enumerate().map(node).collect::<String>())
            };
            let (plain, turned) = (track(&sgf(Symmetry::IDENTITY)), track(&sgf(Symmetry::ALL[which])));
            prop_assert_eq!(plain.key("x"), turned.key("x"));
            prop_assert_eq!(plain.common_moves(&turned), plain.len());
        }

        /// Damaged bytes are refused or read, never more.
        #[test]
        fn any_bytes_are_a_track_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            drop(Track::unpack(&[&[1u8][..], &bytes].concat()));
        }
    }
}
