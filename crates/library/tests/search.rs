//! Pattern and position search against a slow, obviously right search: every position of every game is put on a
//! board, and the pattern is laid on it everywhere.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use honinbo_library::{Anchor, Cell, GameFilter, GameId, Library, PatternQuery, SearchResult};
use honinbo_rules::{Board, BoardSize, Color, Point, Random, Symmetry, Topology};

const NOW: i64 = 1_790_000_000_000;

/// True so often in a hundred times.
fn chance(random: &mut Random, percent: usize) -> bool {
    random.below(100) < percent
}

/// A game as a list of boards: the position after each number of moves, and who moved.
struct Played {
    boards: Vec<Vec<Option<Color>>>,
    movers: Vec<Color>,
    sgf: String,
    /// Where the moves were played; `None`: passes.
    points: Vec<Option<usize>>,
}

fn random_game(random: &mut Random, size: BoardSize, topology: Topology, n_moves: usize) -> Played {
    let mut board = Board::new(size, topology);
    let mut sgf = format!("(;SZ[{}:{}]TOPO[{}]PB[p{}]", size.width(), size.height(), topology.name(), random.below(4));
    if chance(random, 20) {
        let point = Point::from_index(random.below(size.area()), size);
        board = Board::with_stones(size, topology, [(point, Color::Black)]).expect("one stone always stands");
        sgf.push_str(&format!("AB[{}]", point.to_sgf()));
    }
    let mut played = Played { boards: vec![board.points().collect()], movers: Vec::new(), points: Vec::new(), sgf };
    let mut color = Color::Black;
    for _ in 0..n_moves {
        let letter = color.letter();
        let free: Vec<Point> = board.empty_points().filter(|&point| board.is_legal(color, point, true)).collect();
        if free.is_empty() || chance(random, 3) {
            played.sgf.push_str(&format!(";{letter}[]"));
            board.clear_ko();
            played.points.push(None);
        } else {
            // Play near the beginning of the list often: corners fill up, and stones are captured.
            let point = free[random.below(free.len()).min(random.below(free.len()))];
            played.sgf.push_str(&format!(";{letter}[{}]", point.to_sgf()));
            board.play(color, point).expect("it was legal");
            played.points.push(Some(point.index(size)));
        }
        played.boards.push(board.points().collect());
        played.movers.push(color);
        if !chance(random, 5) {
            color = color.opponent();
        }
    }
    played.sgf.push(')');
    played
}

/// Every way to lay a pattern on a board: for each cell the point it falls on.
fn placements(query: &PatternQuery) -> Vec<(bool, Vec<usize>)> {
    let (size, topology) = (query.size, query.topology);
    let wraps = (topology.wraps_x(), topology.wraps_y());
    let corners: Vec<(usize, usize)> = match query.anchor {
        Anchor::Anywhere => Point::all(size).map(|point| (point.x(), point.y())).collect(),
        Anchor::Corner => vec![(0, 0)],
        Anchor::Side => (0..size.width()).map(|x| (x, 0)).collect(),
        Anchor::At { x, y } => vec![(x.into(), y.into())],
    };
    let mut found = Vec::new();
    for symmetry in Symmetry::ALL {
        let turned_board = symmetry.apply_size(size);
        let fits_board = turned_board == size && (wraps.0 == wraps.1 || !symmetry.transposes());
        if symmetry != Symmetry::IDENTITY && !query.any_symmetry {
            continue;
        }
        // A pattern that may lie anywhere turns by itself; one with a place on the board turns with the board.
        if !fits_board && (query.anchor != Anchor::Anywhere || wraps.0 != wraps.1) {
            continue;
        }
        for &(left, top) in &corners {
            let mut points = Vec::new();
            for n in 0..query.cells.len() {
                let (x, y) = (n % query.width, n / query.width);
                let (mut column, mut row) = if query.anchor == Anchor::Anywhere {
                    let (w, h) = (query.width, query.height);
                    let x = if symmetry.number() & 2 != 0 { w - 1 - x } else { x };
                    let y = if symmetry.number() & 1 != 0 { h - 1 - y } else { y };
                    let (x, y) = if symmetry.transposes() { (y, x) } else { (x, y) };
                    (left + x, top + y)
                } else {
                    (left + x, top + y)
                };
                if wraps.0 {
                    column %= size.width();
                }
                if wraps.1 {
                    row %= size.height();
                }
                if column >= size.width() || row >= size.height() {
                    break;
                }
                let mut point = Point::new(column, row);
                if query.anchor != Anchor::Anywhere {
                    point = symmetry.apply(point, size);
                }
                points.push(point.index(size));
            }
            if points.len() == query.cells.len() {
                found.push((false, points.clone()));
                if query.any_color {
                    found.push((true, points));
                }
            }
        }
    }
    found
}

fn swapped(cell: Cell) -> Cell {
    match cell {
        Cell::Black => Cell::White,
        Cell::White => Cell::Black,
        Cell::BlackOrEmpty => Cell::WhiteOrEmpty,
        Cell::WhiteOrEmpty => Cell::BlackOrEmpty,
        other => other,
    }
}

/// Game number and the earliest move after which the pattern stands.
fn slow_search(games: &[Played], query: &PatternQuery) -> BTreeMap<usize, u32> {
    let placements = placements(query);
    let mut found = BTreeMap::new();
    for (number, game) in games.iter().enumerate() {
        let stands = |time: &usize| {
            let board = &game.boards[*time];
            let mover = game.movers.get(*time).copied().or(game.movers.last().map(|color| color.opponent()));
            placements.iter().any(|(swap, points)| {
                let fits = query.cells.iter().zip(points).all(|(&cell, &at)| {
                    let cell = if *swap { swapped(cell) } else { cell };
                    cell.allows(board[at])
                });
                let wanted = query.next_player.map(|color| if *swap { color.opponent() } else { color });
                let sees_passes = points.len() == board.len();
                let mut inside = (*time..game.points.len()).filter(|&n| match game.points[n] {
                    Some(at) => points.contains(&at),
                    None => sees_passes,
                });
                let mut sequence = query.sequence.iter().map(|&(color, x, y)| {
                    let color = if *swap { color.opponent() } else { color };
                    (color, Some(points[usize::from(y) * query.width + usize::from(x)]))
                });
                let follows =
                    sequence.all(|step| inside.next().is_some_and(|n| (game.movers[n], game.points[n]) == step));
                fits && follows && (!query.sequence.is_empty() || wanted.is_none() || wanted == mover)
            })
        };
        let first = query.first_move as usize;
        let last = (query.last_move as usize).min(game.boards.len() - 1);
        if let Some(time) = (first..=last).find(stands) {
            found.insert(number, u32::try_from(time).expect("a short game"));
        }
    }
    found
}

fn fast_search(library: &Library, query: &PatternQuery) -> SearchResult {
    library.search(query, &mut |_| ControlFlow::Continue(())).expect("a search")
}

/// A pattern cut out of a position of a game, some points loosened, now and then one made wrong.
fn random_pattern(random: &mut Random, games: &[Played], size: BoardSize, topology: Topology) -> PatternQuery {
    let game = &games[random.below(games.len())];
    let board = &game.boards[random.below(game.boards.len())];
    let whole = chance(random, 15);
    let width = if whole { size.width() } else { 1 + random.below(size.width().min(5)) };
    let height = if whole { size.height() } else { 1 + random.below(size.height().min(5)) };
    let (left, top) =
        if whole { (0, 0) } else { (random.below(size.width() - width + 1), random.below(size.height() - height + 1)) };
    let loose = if chance(random, 30) { 0 } else { random.below(70) };
    let cells = (0..width * height)
        .map(|n| {
            let content = board[(top + n / width) * size.width() + left + n % width];
            let exact = match content {
                None => Cell::Empty,
                Some(Color::Black) => Cell::Black,
                Some(Color::White) => Cell::White,
            };
            if chance(random, loose) {
                const LOOSE: [Cell; 4] = [Cell::Any, Cell::BlackOrEmpty, Cell::WhiteOrEmpty, Cell::Stone];
                let cell = LOOSE[random.below(4)];
                if cell.allows(content) || chance(random, 20) { cell } else { Cell::Any }
            } else {
                exact
            }
        })
        .collect();
    let narrow = |n: usize| u8::try_from(n).expect("a small board");
    let anchor = match random.below(6) {
        0 => Anchor::Corner,
        1 => Anchor::Side,
        2 | 3 => Anchor::At { x: narrow(left), y: narrow(top) },
        _ => Anchor::Anywhere,
    };
    let first_move = if chance(random, 20) { random.below(30) as u32 } else { 0 };
    let mut sequence = Vec::new();
    if chance(random, 25) {
        // Moves that really came there, now and then one of another colour.
        let time = game.boards.iter().position(|other| std::ptr::eq(other, board)).expect("a position of the game");
        for n in (time..game.points.len()).take(60) {
            let Some(at) = game.points[n] else { continue };
            let (x, y) = (at % size.width(), at / size.width());
            if x >= left && y >= top && x < left + width && y < top + height && sequence.len() < 3 {
                let color = if chance(random, 10) { game.movers[n].opponent() } else { game.movers[n] };
                sequence.push((color, narrow(x - left), narrow(y - top)));
            }
        }
    }
    PatternQuery {
        sequence,
        tree_depth: 0,
        size,
        topology,
        width,
        height,
        cells,
        anchor,
        any_symmetry: chance(random, 60),
        any_color: chance(random, 40),
        next_player: [None, None, Some(Color::Black), Some(Color::White)][random.below(4)],
        first_move,
        last_move: if chance(random, 20) { first_move + random.below(30) as u32 } else { u32::MAX },
        filter: GameFilter::default(),
        max_hits: 1000,
    }
}

fn compare(size: BoardSize, topology: Topology, seed: u64, n_games: usize, n_moves: usize, n_patterns: usize) {
    let mut random = Random::new(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::open(folder.path().join("library.sqlite")).expect("a library");
    let mut games: Vec<Played> = Vec::new();
    let mut ids: Vec<GameId> = Vec::new();
    while games.len() < n_games {
        let length = 4 + random.below(n_moves);
        let game = random_game(&mut random, size, topology, length);
        let saved = library.save_record(&game.sgf, NOW).expect("saved");
        if saved.duplicate_of.is_none() {
            ids.push(saved.id);
            games.push(game);
        }
    }
    let mut n_found = 0;
    for number in 0..n_patterns {
        let query = random_pattern(&mut random, &games, size, topology);
        let slow = slow_search(&games, &query);
        let fast = fast_search(&library, &query);
        let hits: BTreeMap<usize, u32> = fast
            .hits
            .iter()
            .map(|hit| (ids.iter().position(|id| *id == hit.id).expect("a game of ours"), hit.move_number))
            .collect();
        assert_eq!(hits, slow, "pattern {number} of seed {seed} on {size} {topology}: {query:?}");
        n_found += hits.len();
        assert_eq!(fast.found as usize, slow.len());
    }
    assert!(n_found > n_patterns / 4, "only {n_found} hits: the patterns test nothing");
}

#[test]
fn patterns_are_found_as_by_the_slow_search() {
    let nine = BoardSize::NINE;
    compare(nine, Topology::Plane, 1, 60, 90, 400);
    compare(BoardSize::square(5).unwrap(), Topology::Plane, 2, 60, 80, 400);
    compare(BoardSize::new(7, 4).unwrap(), Topology::Plane, 3, 60, 60, 300);
    compare(BoardSize::NINETEEN, Topology::Plane, 4, 25, 150, 100);
    compare(BoardSize::square(6).unwrap(), Topology::Torus, 5, 40, 70, 200);
    compare(BoardSize::new(5, 7).unwrap(), Topology::Torus, 6, 40, 70, 150);
    compare(BoardSize::new(6, 5).unwrap(), Topology::Cylinder, 7, 40, 60, 200);
}

#[test]
fn many_more_patterns_are_found_as_by_the_slow_search() {
    if !honinbo_testkit::fixtures::slow_tests() {
        return;
    }
    for seed in 100..104 {
        compare(BoardSize::NINE, Topology::Plane, seed, 100, 120, 800);
        compare(BoardSize::square(4).unwrap(), Topology::Plane, seed, 100, 60, 800);
        compare(BoardSize::square(7).unwrap(), Topology::Torus, seed, 60, 90, 300);
    }
}

#[test]
fn continuations_are_counted_by_result_and_year_and_joined_by_symmetry() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    for (n, (moves, result, date)) in [
        (";B[pd];W[dp];B[qp]", "B+R", "2001"),
        (";B[dp];W[pd];B[cd]", "W+R", "2005-05"),
        (";B[pp];W[dd];B[dp]", "B+2", "1999"),
        (";B[jj];W[dd]", "W+T", ""),
    ]
    .iter()
    .enumerate()
    {
        library.save_record(&format!("(;PB[{n}]BR[{}d]RE[{result}]DT[{date}]{moves})", n + 1), NOW).unwrap();
    }
    let empty = PatternQuery::position(&Board::new(BoardSize::NINETEEN, Topology::Plane));
    let result = fast_search(&library, &empty);
    assert_eq!((result.found, result.black_wins, result.white_wins), (4, 2, 2));
    let first = &result.continuations[0];
    // All four star points are one.
    assert_eq!((first.color, first.point, first.games), ("black", Some((3, 3)), 3));
    assert_eq!((first.black_wins, first.white_wins, first.first_year, first.last_year), (2, 1, 1999, 2005));
    assert_eq!(first.strongest, 43);
    assert_eq!(result.continuations[1].point, Some((9, 9)));

    // Two stones on opposite stars: reached by two games, one of them turned.
    let mut board = Board::new(BoardSize::NINETEEN, Topology::Plane);
    board.play(Color::Black, Point::new(15, 3)).unwrap();
    board.play(Color::White, Point::new(3, 15)).unwrap();
    let result = fast_search(&library, &PatternQuery::position(&board));
    assert_eq!(result.found, 3);
    assert!(result.hits.iter().all(|hit| hit.move_number == 2));
    let filter = GameFilter { date_from: Some("2000".into()), ..GameFilter::default() };
    let result = fast_search(&library, &PatternQuery { filter, ..PatternQuery::position(&board) });
    assert_eq!(result.found, 2);
}

#[test]
fn searches_see_what_was_added_edited_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let query =
        PatternQuery::diagram(". . . .\n. . . .\n. X . .\n. . O .", BoardSize::NINE, Topology::Plane, Anchor::Corner)
            .unwrap();
    assert_eq!(fast_search(&library, &query).found, 0);
    let first = library.save_record("(;SZ[9]PB[a];B[bc];W[cd];B[ee])", NOW).unwrap().id;
    assert_eq!(fast_search(&library, &query).found, 1);
    let second = library.save_record("(;SZ[9]PB[b];B[hg];W[gf];B[ee])", NOW).unwrap().id;
    assert_eq!(fast_search(&library, &query).found, 2);
    library.delete(std::slice::from_ref(&first), NOW).unwrap();
    assert_eq!(fast_search(&library, &query).hits[0].id, second);
    library.restore(&[first]).unwrap();
    assert_eq!(fast_search(&library, &query).found, 2);
    let tree = honinbo_record::read_sgf(b"(;SZ[9]PB[b];B[aa])").games.remove(0).tree;
    library.update_record(&second, &tree, NOW).unwrap();
    assert_eq!(fast_search(&library, &query).found, 1);
    // Another program on the same file.
    let other = Library::open(library.path()).unwrap();
    other.save_record("(;SZ[9]PB[c];B[cb];W[dc];B[aa])", NOW).unwrap();
    assert_eq!(fast_search(&library, &query).found, 2);
}

#[test]
fn a_search_can_be_stopped_and_impossible_patterns_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    library.save_record("(;SZ[9];B[ee];W[cc])", NOW).unwrap();
    let query = PatternQuery::diagram("X", BoardSize::NINE, Topology::Plane, Anchor::Anywhere).unwrap();
    let mut told = 0;
    let result = library
        .search(&query, &mut |progress| {
            told += progress.new_hits.len();
            ControlFlow::Break(())
        })
        .unwrap();
    assert_eq!((told, result.found), (1, 1));
    let nine = BoardSize::NINE;
    for (text, expected) in [
        ("X.\n...", "a pattern of 3x2 cannot have 5 points"),
        ("", "a pattern of 0x0 cannot have 0 points"),
        ("X 7", "`7` means nothing in a pattern"),
        ("..........", "the pattern does not fit on the board"),
    ] {
        let error = PatternQuery::diagram(text, nine, Topology::Plane, Anchor::Corner).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let outside = PatternQuery { anchor: Anchor::At { x: 9, y: 0 }, ..query.clone() };
    assert!(library.search(&outside, &mut |_| ControlFlow::Continue(())).is_err());
}

#[test]
fn continuations_grow_into_a_tree_that_joins_mirrored_games() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    // The same three moves from different corners, a fourth that differs, and a game that begins elsewhere.
    for (name, moves) in [
        ("a", ";B[cc];W[gg];B[gc];W[cg]"),
        ("b", ";B[gg];W[cc];B[cg];W[gc]"),
        ("c", ";B[cg];W[gc];B[gg];W[ee]"),
        ("d", ";B[ee];W[cc]"),
    ] {
        library.save_record(&format!("(;SZ[9]PB[{name}]RE[B+R]{moves})"), NOW).unwrap();
    }
    let empty = Board::new(BoardSize::NINE, Topology::Plane);
    let query = PatternQuery { tree_depth: 4, ..PatternQuery::position(&empty) };
    let tree = fast_search(&library, &query).tree;
    let lines: Vec<String> = tree
        .iter()
        .map(|step| {
            let mut depth = 0;
            let mut at = step.parent;
            while let Some(parent) = at {
                depth += 1;
                at = tree[parent as usize].parent;
            }
            let (x, y) = step.continuation.point.unwrap();
            format!("{}{} {x},{y} {}", " ".repeat(depth), step.continuation.color, step.continuation.games)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "black 2,2 3",
            " white 6,6 3",
            "  black 6,2 3",
            "   white 2,6 2",
            "   white 4,4 1",
            "black 4,4 1",
            " white 2,2 1"
        ]
    );
}
