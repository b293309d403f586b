//! Random play, copies and lists of legal points touch no allocator.
#![allow(clippy::unwrap_used, reason = "tests stop")]

use honinbo_rules::{Board, BoardSize, Color, Point, Random, Topology};

#[test]
fn playing_copying_and_listing_allocate_nothing() {
    for size in [BoardSize::NINE, BoardSize::NINETEEN, BoardSize::square(BoardSize::MAX).unwrap()] {
        for topology in Topology::ALL {
            let empty = Board::new(size, topology);
            let mut board = empty.clone();
            let mut list: Vec<Point> = Vec::with_capacity(size.area());
            let mut random = Random::new(3);
            let mut moves = 0;
            let counted = allocation_counter::measure(|| {
                for first in Color::ALL {
                    board.clone_from(&empty);
                    moves += board.play_out(first, size.area() / 2, &mut random);
                    list.clear();
                    list.extend(board.legal_points(first, false));
                    moves += board.play_out(first, 3 * size.area(), &mut random);
                }
            });
            assert!(moves > size.area() && !list.is_empty());
            assert_eq!(counted.count_total, 0, "{size} {topology}");
        }
    }
    // The counter counts.
    assert!(allocation_counter::measure(|| drop(Board::new(BoardSize::NINE, Topology::Plane))).count_total > 0);
}
