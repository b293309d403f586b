//! The convolution over a position's planes, which are nearly empty.
//!
//! A point has one or two numbers among its planes that are not zero, besides that of the plane which says that it is on the
//! board. So each point sums up the weights of what lies around it, where a product would multiply every plane at every
//! tap. Sums are of 32 bits whatever the precision of the blocks.

use std::sync::Arc;

use super::simd::{Lanes, MAX_LANES, PANEL, vectorised};
use super::team::Member;
use super::trunk::Scratch;
use super::winograd::{Boards, on_board};
use crate::file::model::Conv;
use crate::onnx::Edges;
use crate::recent::Recent;
use crate::subnormal::flush;

/// Registers that are summed up together.
const WIDTH: usize = 6;
/// Numbers at a point that sharing the work between cores reckons with.
const USUAL: usize = 3;

/// A convolution of any odd kernel.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) planes: usize,
    pub(super) outputs: usize,
    /// Rows and columns from a point to what each tap reads.
    taps: Vec<(isize, isize)>,
    /// `[tap][plane][outputs, filled up to whole panels]`
    weights: Vec<f32>,
    /// What a first plane of ones adds to each point, by the columns, rows and edges of boards:
    /// `[point][outputs, filled up]`.
    of_ones: Recent<(usize, usize, Edges), Arc<Vec<f32>>>,
}

/// A number that is not zero.
#[derive(Debug, Clone, Copy, Default)]
struct Item {
    /// Where its plane's weights begin among those of a tap.
    plane: usize,
    value: f32,
}

/// The numbers of a position that are not zero, point by point.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// Where those of each point begin, and the end of all.
    starts: Vec<usize>,
    items: Vec<Item>,
    next: Vec<usize>,
}

/// What one tap reads at one point.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    weights: usize,
    from: usize,
    to: usize,
}

impl Items {
    /// Finds them in `[plane][point]`, from the plane `first` on.
    fn find(&mut self, spatial: &[f32], area: usize, first: usize, padded: usize) {
        let Self { starts, items, next } = self;
        starts.clear();
        starts.resize(area + 1, 0);
        let planes = || spatial.chunks_exact(area).enumerate().skip(first);
        for (_, plane) in planes() {
            for (count, value) in starts[1..].iter_mut().zip(plane) {
                *count += usize::from(*value != 0.0);
            }
        }
        for point in 0..area {
            starts[point + 1] += starts[point];
        }
        items.clear();
        items.resize(starts[area], Item::default());
        next.clear();
        next.extend_from_slice(&starts[..area]);
        for (number, plane) in planes() {
            for (value, next) in plane.iter().zip(next.iter_mut()) {
                if *value != 0.0 {
                    items[*next] = Item { plane: number * padded, value: *value };
                    *next += 1;
                }
            }
        }
    }
}

impl Entry {
    pub(super) fn new(conv: &Conv) -> Self {
        let &Conv { kernel: (rows, columns), inputs, outputs, dilation, .. } = conv;
        let padded = outputs.next_multiple_of(PANEL);
        let reach = |at: usize, length: usize, apart: usize| (at as isize - (length as isize - 1) / 2) * apart as isize;
        let tap = |tap| (reach(tap / columns, rows, dilation.0), reach(tap % columns, columns, dilation.1));
        let taps: Vec<(isize, isize)> = (0..rows * columns).map(tap).collect();
        let mut weights = vec![0.0; taps.len() * inputs * padded];
        let from = conv.weights.chunks_exact(outputs.max(1));
        for (to, from) in weights.chunks_exact_mut(padded.max(1)).zip(from) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = flush(*from));
        }
        Self { planes: inputs, outputs, taps, weights, of_ones: Recent::new() }
    }

    fn padded(&self) -> usize {
        self.outputs.next_multiple_of(PANEL)
    }

    /// `out = conv(spatial) + vector`: planes `[board][plane][point]`, a vector of channels for each board, rows of
    /// channels.
    pub(super) fn run(
        &self,
        spatial: &[f32],
        vectors: &[f32],
        boards: Boards,
        out: &mut [f32],
        member: &Member<'_>,
        scratch: &mut Scratch,
    ) {
        let (area, padded) = (boards.area(), self.padded());
        let of_ones = self.of_ones(boards);
        let mut found = std::mem::take(&mut scratch.items);
        let mut vector = scratch.take(padded);
        let each = spatial.chunks_exact(self.planes * area).zip(vectors.chunks_exact(self.outputs));
        for ((spatial, of_board), out) in each.zip(out.chunks_exact_mut(area * self.outputs)) {
            vector[..self.outputs].copy_from_slice(of_board);
            let is_whole = spatial[..area].iter().all(|&value| value == 1.0);
            found.find(spatial, area, usize::from(is_whole), padded);
            let base: &[f32] = if is_whole { &of_ones } else { &[] };
            let rows = member.share_of(area, self.taps.len() * USUAL * padded);
            let parts = out.chunks_mut(rows * self.outputs).enumerate().collect();
            member.share(parts, scratch, |(part, out): (usize, &mut [f32]), _| {
                sum_up(self, &found, base, &vector, boards, part * rows, out);
            });
        }
        scratch.give(vector);
        scratch.items = found;
    }

    fn of_ones(&self, boards: Boards) -> Arc<Vec<f32>> {
        self.of_ones.get((boards.width, boards.height, boards.edges), || {
            let (area, padded) = (boards.area(), self.padded());
            let mut found = Items::default();
            found.find(&vec![1.0; area], area, 0, padded);
            let mut rows = vec![0.0; area * padded];
            let mut row = vec![0.0; self.outputs];
            let nothing = vec![0.0; padded];
            for (point, to) in rows.chunks_exact_mut(padded).enumerate() {
                sum_up(self, &found, &[], &nothing, boards, point, &mut row);
                to[..self.outputs].copy_from_slice(&row);
            }
            Arc::new(rows)
        })
    }

    #[cfg(test)]
    pub(super) fn subnormal_weights(&self) -> usize {
        self.weights.iter().filter(|value| value.is_subnormal()).count()
    }
}

vectorised! {
    /// Rows of sums from the point `first` on; `base` has a row for each point of the board, or nothing.
    fn sum_up<V>(
        proof: _, entry: &Entry, found: &Items, base: &[f32], vector: &[f32], boards: Boards, first: usize,
        out: &mut [f32],
    ) {
        let padded = entry.padded();
        let mut runs = vec![Run::default(); entry.taps.len()];
        for (row, out) in out.chunks_exact_mut(entry.outputs).enumerate() {
            let point = first + row;
            let count = runs_of(entry, found, boards, point, &mut runs);
            let (runs, base) = (&runs[..count], base.get(point * padded..).unwrap_or_default());
            let mut column = 0;
            while column < padded {
                let left = (padded - column) / V::COUNT;
                macro_rules! wide {
                    ($($registers:literal)*) => {
                        match left.min(WIDTH) {
                            $($registers => {
                                let base = base.get(column..).unwrap_or_default();
                                let vector = &vector[column..];
                                let sums = sums_of::<V, $registers>(proof, entry, runs, &found.items, base, vector, column);
                                put::<V, $registers>(sums, &mut out[column..]);
                            })*
                            _ => unreachable!("a panel has whole registers"),
                        }
                    };
                }
                wide!(1 2 3 4 5 6);
                column += left.min(WIDTH) * V::COUNT;
            }
        }
    }
}

/// The taps that read something at a point, and how many there are.
#[inline(always)]
fn runs_of(entry: &Entry, found: &Items, boards: Boards, point: usize, runs: &mut [Run]) -> usize {
    let (row, column) = ((point / boards.width) as isize, (point % boards.width) as isize);
    let tap_weights = entry.planes * entry.padded();
    let mut count = 0;
    for (tap, (down, across)) in entry.taps.iter().enumerate() {
        let row = on_board(row + down, boards.height, boards.edges.wrap_y);
        let column = on_board(column + across, boards.width, boards.edges.wrap_x);
        if let (Some(row), Some(column)) = (row, column) {
            let at = row * boards.width + column;
            let (from, to) = (found.starts[at], found.starts[at + 1]);
            if from < to {
                runs[count] = Run { weights: tap * tap_weights, from, to };
                count += 1;
            }
        }
    }
    count
}

/// `M` registers of sums, from a column on.
#[inline(always)]
fn sums_of<V: Lanes, const M: usize>(
    proof: V::Proof,
    entry: &Entry,
    runs: &[Run],
    items: &[Item],
    base: &[f32],
    vector: &[f32],
    column: usize,
) -> [V; M] {
    let mut sums = [V::splat(proof, 0.0); M];
    // Registers are written out, as in the products: every sum stays in one.
    macro_rules! each {
        ($do:ident) => {
            $do!(0);
            $do!(1);
            $do!(2);
            $do!(3);
            $do!(4);
            $do!(5);
        };
    }
    macro_rules! begin {
        ($j:literal) => {
            if const { $j < M } {
                sums[$j] = V::load(proof, &vector[$j * V::COUNT..]);
                if !base.is_empty() {
                    sums[$j] = sums[$j].plus(V::load(proof, &base[$j * V::COUNT..]));
                }
            }
        };
    }
    each!(begin);
    for run in runs {
        for item in &items[run.from..run.to] {
            let weights = &entry.weights[run.weights + item.plane + column..][..M * V::COUNT];
            macro_rules! add {
                ($j:literal) => {
                    if const { $j < M } {
                        sums[$j] = V::load(proof, &weights[$j * V::COUNT..]).multiply_add_scalar(item.value, sums[$j]);
                    }
                };
            }
            each!(add);
        }
    }
    sums
}

/// Stores what of the sums the row has room for.
#[inline(always)]
fn put<V: Lanes, const M: usize>(sums: [V; M], out: &mut [f32]) {
    for (lanes, out) in sums.into_iter().zip(out.chunks_mut(V::COUNT)) {
        if out.len() == V::COUNT {
            lanes.store(out);
        } else {
            let mut values = [0.0; MAX_LANES];
            lanes.store(&mut values);
            out.copy_from_slice(&values[..out.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd::on_every_path;
    use super::super::team::Team;
    use super::super::winograd::tests::direct;
    use super::*;

    #[test]
    fn rows_of_boards_that_were_met_long_ago_are_let_go_of() {
        let conv = Conv {
            name: "test".into(),
            kernel: (3, 3),
            inputs: 2,
            outputs: 8,
            dilation: (1, 1),
            weights: vec![0.5; 9 * 2 * 8],
        };
        let entry = Entry::new(&conv);
        let rows_of = |width| {
            let boards = Boards { count: 1, width, height: 9, edges: Edges::default() };
            Arc::downgrade(&entry.of_ones(boards))
        };
        let rows: Vec<_> = (2..9).map(rows_of).collect();
        let kept: Vec<bool> = rows.iter().map(|rows| rows.upgrade().is_some()).collect();
        assert_eq!(kept, [false, false, false, false, true, true, true]);
    }

    #[test]
    fn every_board_gives_what_the_definition_gives() {
        let value = |i: usize| ((i * 7919) % 1013) as f32 / 500.0 - 1.0;
        let sizes = [(19, 19, 2, 96, 5), (2, 5, 3, 5, 1), (9, 7, 1, 40, 3), (13, 13, 1, 112, 3), (6, 9, 1, 200, 5)];
        for (width, height, count, outputs, kernel) in sizes {
            for (wrap_x, wrap_y, is_whole) in [(false, false, true), (true, true, true), (true, false, false)] {
                let boards = Boards { count, width, height, edges: Edges { wrap_x, wrap_y } };
                let inputs = 4;
                let conv = Conv {
                    name: "test".into(),
                    kernel: (kernel, 3),
                    inputs,
                    outputs,
                    dilation: (1, 1 + usize::from(width > 9)),
                    weights: (0..kernel * 3 * inputs * outputs).map(value).collect(),
                };
                // Some planes are empty, some full, and the first one says what is on the board.
                let spatial: Vec<f32> = (0..boards.rows() * inputs)
                    .map(|i| match i / boards.area() % inputs {
                        0 if is_whole || i % 3 > 0 => 1.0,
                        1 if i % 5 == 0 => value(i),
                        3 => value(i + 1),
                        _ => 0.0,
                    })
                    .collect();
                let vectors: Vec<f32> = (0..count * outputs).map(|i| value(i + 77)).collect();
                let area = boards.area();
                let at_point = |i: usize| {
                    let (point, plane) = (i / inputs, i % inputs);
                    spatial[(point / area * inputs + plane) * area + point % area]
                };
                let x: Vec<f32> = (0..spatial.len()).map(at_point).collect();
                let mut expected = direct(&conv, &x, boards);
                for (index, sum) in expected.iter_mut().enumerate() {
                    *sum += f64::from(vectors[index / (area * outputs) * outputs + index % outputs]);
                }
                let entry = Entry::new(&conv);
                let compute = |cores: usize| {
                    let mut out = vec![7.0; boards.rows() * outputs];
                    let team = Team::eager(cores);
                    entry.run(&spatial, &vectors, boards, &mut out, &team.join(), &mut Scratch::default());
                    out
                };
                let alone = compute(1);
                assert_eq!(alone, compute(3));
                for (path, out) in on_every_path(|| {
                    entry.of_ones.clear();
                    compute(1)
                }) {
                    for (value, expected) in out.iter().zip(&expected) {
                        assert!(
                            (f64::from(*value) - expected).abs() < 2e-5,
                            "{path:?} {width}x{height}: {value} {expected}"
                        );
                    }
                }
            }
        }
    }
}
