//! The main lines of real games, read by another reader too: `sgf-parse`, which shares nothing with this one.
#![expect(clippy::unwrap_used, reason = "helpers of tests end at the first surprise")]
#![expect(clippy::print_stdout, reason = "the figures are for who reads the log")]

#[path = "common/archives.rs"]
mod archives;

use archives::{gunzip, of_the_repository, untar};
use honinbo_record::{GameInfo, GameTree, ReadLimits, SgfText, read_sgf_text};
use honinbo_rules::{BoardSize, Color, Move};
use honinbo_testkit::fixtures;
use sgf_parse::{SgfNode, go};

/// A move as both readers can say it: `B pd`, `W` for a pass, `B ?` for what is neither.
fn ours(tree: &GameTree, size: BoardSize) -> Vec<String> {
    let root = tree.root();
    let nodes = std::iter::once(root).chain(tree.line_from(root));
    nodes
        .filter_map(|node| tree.move_at(node, size))
        .map(|played| {
            let color = if played.color == Color::Black { 'B' } else { 'W' };
            match played.played {
                Ok(Move::Place(point)) => format!("{color} {},{}", point.x(), point.y()),
                Ok(Move::Pass | Move::Resign) => format!("{color}"),
                Err(_) => format!("{color} ?"),
            }
        })
        .collect()
}

fn theirs(root: &SgfNode<go::Prop>, size: BoardSize) -> Vec<String> {
    let said = |color: char, played: &go::Move| match played {
        go::Move::Pass => format!("{color}"),
        go::Move::Move(point) if usize::from(point.x) < size.width() && usize::from(point.y) < size.height() => {
            format!("{color} {},{}", point.x, point.y)
        }
        // That reader knows no board: on those up to 19x19 this point is a pass.
        go::Move::Move(go::Point { x: 19, y: 19 }) if size.width() <= 19 && size.height() <= 19 => format!("{color}"),
        go::Move::Move(_) => format!("{color} ?"),
    };
    root.main_variation()
        .filter_map(|node| {
            node.properties().find_map(|property| match property {
                go::Prop::B(played) => Some(said('B', played)),
                go::Prop::W(played) => Some(said('W', played)),
                go::Prop::Invalid(name, _) if name == "B" || name == "W" => Some(format!("{name} ?")),
                _ => None,
            })
        })
        .collect()
}

/// What came of the comparison.
#[derive(Debug, Default)]
struct Compared {
    games: usize,
    moves: usize,
    /// Files that the other reader refuses.
    refused: Vec<String>,
    different: Vec<String>,
}

impl Compared {
    fn take_in(&mut self, name: &str, bytes: &[u8]) {
        let text = SgfText::decode(bytes, ReadLimits::default()).text;
        let roots = match go::parse(&text) {
            Ok(roots) => roots,
            Err(error) => return self.refused.push(format!("{name}: {error}")),
        };
        let games = read_sgf_text(&text).games;
        if games.len() != roots.len() {
            self.different.push(format!("{name}: {} games here, {} there", games.len(), roots.len()));
        }
        for (number, (game, root)) in games.iter().zip(&roots).enumerate() {
            let size = GameInfo::of(&game.tree).size;
            let (here, there) = (ours(&game.tree, size), theirs(root, size));
            self.games += 1;
            self.moves += here.len();
            if here != there {
                let at = here.iter().zip(&there).take_while(|(here, there)| here == there).count();
                self.different.push(format!(
                    "{name}, game {number}, move {at}: {:?} here, {:?} there",
                    here.get(at),
                    there.get(at)
                ));
            }
        }
    }

    #[track_caller]
    fn agree(&self) {
        let different = &self.different;
        assert!(
            different.is_empty(),
            "{} differ, the first {:#?}",
            different.len(),
            &different[..different.len().min(9)]
        );
        println!("{} games of {} moves, {} files refused", self.games, self.moves, self.refused.len());
    }
}

#[test]
fn two_readers_find_the_same_moves_in_real_games() {
    let mut compared = Compared::default();
    of_the_repository().for_each(|(name, bytes)| compared.take_in(&name, &bytes));
    let mut expected = 29;
    if let Some(path) = fixtures::shared("games/ai-games.tar.gz") {
        let archive = gunzip(&path);
        untar(&archive).into_iter().for_each(|(name, bytes)| compared.take_in(&name, bytes));
        expected += 7_259;
    }
    if let Some(path) = fixtures::shared("games/tom-9d-20k.sgf.gz") {
        compared.take_in("tom-9d-20k.sgf", &gunzip(&path));
        expected += 20_000;
    }
    compared.agree();
    assert_eq!((compared.games, compared.refused.len()), (expected, 0), "{:#?}", compared.refused);
    assert!(compared.moves > 2_000, "{}", compared.moves);
}
