use honinbo_rules::*;
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    stat.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn main() {
    for (n, topology) in [(9, Topology::Plane), (19, Topology::Plane), (9, Topology::Torus), (19, Topology::Torus)] {
        let size = BoardSize::square(n).unwrap();
        let empty = Board::new(size, topology);
        let mut board = empty.clone();
        let mut random = PlayoutRandom::new(7);
        let t = cpu();
        let (mut games, mut moves) = (0, 0);
        let total = if n == 9 { 60000 } else { 12000 };
        while games < total {
            board.clone_from(&empty);
            moves += board.play_out(Color::Black, 3 * size.area(), &mut random);
            games += 1;
        }
        let s = cpu() - t;
        println!(
            "{n} {topology}: {:.0} playouts/s, {:.1} ns/move, {} moves/playout",
            games as f64 / s,
            s * 1e9 / moves as f64,
            moves / games
        );
    }
}
