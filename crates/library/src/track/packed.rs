//! The stored form of a track, and reading it piece by piece.
//!
//! Layout of the stored form, integers as LEB128 unless bits are named:
//! version 1, width, height, topology, numbers of set-up stones, of moves and of removed stones; then, in one stream of bits with
//! `b = ceil(log2(area + 1))` bits a point (a pass is `area`): set-up stones as colour bit and point; one bit that
//! says whether colours alternate, and the first colour; moves as points, each with a colour bit when they do not
//! alternate; then for each capturing move: 6 bits distance from the last capturing move (63 adds 63 and goes on),
//! then either a bit 0 and 2 bits that say on which side of the move the one captured stone stood, or a bit 1, 9 bits
//! number of stones and their points.

use honinbo_rules::{BoardSize, Color, Topology};

use super::{MAX_MOVES, Track, narrow};

impl Track {
    /// The stored form.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(16 + self.moves.len() * 2);
        let topology = Topology::ALL.iter().position(|t| *t == self.topology).unwrap_or(0);
        out.push(1);
        let (setup, moves, removals) = (self.setup.len(), self.moves.len(), self.removals.len());
        for number in [self.size.width(), self.size.height(), topology, setup, moves, removals] {
            push_varint(&mut out, number as u64);
        }
        let width = point_bits(self.size);
        let mut bits = BitWriter { out, pending: 0, n_pending: 0 };
        for &(color, at) in &self.setup {
            bits.push(color.index() as u32, 1);
            bits.push(at.into(), width);
        }
        let first = self.moves.first().map_or(Color::Black, |(color, _)| *color);
        let alternating = self
            .moves
            .iter()
            .enumerate()
            .all(|(n, (color, _))| *color == if n % 2 == 0 { first } else { first.opponent() });
        bits.push(u32::from(alternating), 1);
        bits.push(first.index() as u32, 1);
        for &(color, at) in &self.moves {
            if !alternating {
                bits.push(color.index() as u32, 1);
            }
            bits.push(at.into(), width);
        }
        let mut last = 0u16;
        for group in self.removals.chunk_by(|a, b| a.0 == b.0) {
            let mut distance = u32::from(group[0].0 - last);
            last = group[0].0;
            while distance >= 63 {
                bits.push(63, 6);
                distance -= 63;
            }
            bits.push(distance, 6);
            let played = self.moves[usize::from(last)].1;
            let direction = (0..4).find(|&side| beside(self.size, self.topology, played, side) == Some(group[0].1));
            if let (&[_], Some(direction)) = (group, direction) {
                bits.push(0, 1);
                bits.push(direction, 2);
                continue;
            }
            for (n, part) in group.chunks(511).enumerate() {
                // More stones than 9 bits count are written as two removals by one move.
                if n > 0 {
                    bits.push(0, 6);
                }
                bits.push(1, 1);
                bits.push(part.len() as u32, 9);
                for &(_, at) in part {
                    bits.push(at.into(), width);
                }
            }
        }
        bits.finish()
    }

    /// Reads the stored form; `None` when it is damaged.
    pub(crate) fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut reader = TrackReader::new(bytes)?;
        let (size, topology) = (reader.size, reader.topology);
        let area = size.area();
        let on_board = |stone: &(Color, u16)| usize::from(stone.1) < area;
        let setup = (0..reader.n_setup).map(|_| reader.next_setup().filter(on_board)).collect::<Option<_>>()?;
        let known = |stone: &(Color, u16)| usize::from(stone.1) <= area;
        let moves: Vec<_> = (0..reader.n_moves).map(|_| reader.next_move().filter(known)).collect::<Option<_>>()?;
        let mut removals = Vec::new();
        while let Some((number, at)) = reader.next_removal() {
            if usize::from(at) >= area || usize::from(number) >= moves.len() {
                return None;
            }
            removals.push((number, at));
        }
        Some(Self { size, topology, setup, moves, removals })
    }
}

/// The point left of, right of, above or below a point.
fn beside(size: BoardSize, topology: Topology, at: u16, direction: u32) -> Option<u16> {
    let (width, height) = (size.width(), size.height());
    let (x, y) = (usize::from(at) % width, usize::from(at) / width);
    let (wraps_x, wraps_y) = (topology.wraps_x(), topology.wraps_y());
    let step = |from: usize, side: usize, wraps: bool, forward: bool| match forward {
        true if from + 1 < side => Some(from + 1),
        true => wraps.then_some(0),
        false if from > 0 => Some(from - 1),
        false => wraps.then_some(side - 1),
    };
    let (x, y) = match direction {
        0 => (step(x, width, wraps_x, false)?, y),
        1 => (step(x, width, wraps_x, true)?, y),
        2 => (x, step(y, height, wraps_y, false)?),
        _ => (x, step(y, height, wraps_y, true)?),
    };
    (y < height).then(|| narrow(y * width + x))
}

/// Reads a packed track piece by piece, in the order of its layout: set-up stones, moves, removals.
///
/// Asking for removals skips the moves that were not asked for. Bytes behind the track may be anything: its header
/// says how many stones and moves there are, and the number of removals is the first thing in their part.
pub(crate) struct TrackReader<'b> {
    pub(crate) size: BoardSize,
    pub(crate) topology: Topology,
    pub(crate) n_setup: usize,
    pub(crate) n_moves: usize,
    /// Stones that moves removed, in all.
    pub(crate) n_removals: usize,
    bytes: &'b [u8],
    at: usize,
    /// Bits from `at` on that were read already, the next one lowest, and their number: most pieces cost no look into
    /// memory.
    ahead: u64,
    n_ahead: u32,
    width: u32,
    alternating: bool,
    mover: Color,
    /// Bit at which the moves begin.
    moves_at: usize,
    removals: RemovalsAt,
}

/// Where the reading of removals stands.
#[derive(Default)]
struct RemovalsAt {
    bit: usize,
    number: u32,
    left: usize,
    left_in_group: u32,
}

impl<'b> TrackReader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Option<Self> {
        let (&1, mut rest) = bytes.split_first()? else { return None };
        let mut next = || take_varint(&mut rest).and_then(|number| usize::try_from(number).ok());
        let (columns, rows, topology, n_setup, n_moves, n_removals) =
            (next()?, next()?, next()?, next()?, next()?, next()?);
        let size = BoardSize::new(columns, rows).ok()?;
        let topology = *Topology::ALL.get(topology)?;
        if n_setup > size.area() || n_moves > MAX_MOVES || n_removals > size.area() * 2 + MAX_MOVES {
            return None;
        }
        let width = point_bits(size);
        let setup_bits = n_setup * (width as usize + 1);
        let mut reader = Self {
            size,
            topology,
            n_setup,
            n_moves,
            n_removals,
            bytes: rest,
            at: setup_bits,
            ahead: 0,
            n_ahead: 0,
            width,
            alternating: false,
            mover: Color::Black,
            moves_at: setup_bits + 2,
            removals: RemovalsAt::default(),
        };
        reader.alternating = reader.take(1)? == 1;
        reader.mover = color(reader.take(1)?);
        let move_bits = n_moves * (width as usize + usize::from(!reader.alternating));
        reader.removals =
            RemovalsAt { bit: reader.moves_at + move_bits, number: 0, left: n_removals, left_in_group: 0 };
        if reader.removals.bit > rest.len() * 8 {
            return None;
        }
        if n_setup > 0 {
            reader.seek(0);
        }
        Some(reader)
    }

    /// Up to 24 bits from where it stands.
    #[inline]
    fn take(&mut self, bits: u32) -> Option<u32> {
        if self.n_ahead < bits {
            self.read_ahead();
            if self.n_ahead < bits {
                return None;
            }
        }
        let value = self.ahead as u32 & ((1 << bits) - 1);
        self.ahead >>= bits;
        self.n_ahead -= bits;
        self.at += bits as usize;
        Some(value)
    }

    fn read_ahead(&mut self) {
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        let (word, n_bytes) = match rest.first_chunk::<8>() {
            Some(bytes) => (u64::from_le_bytes(*bytes), 8),
            None => {
                let word = rest.iter().enumerate().fold(0, |word, (n, &byte)| word | u64::from(byte) << (8 * n));
                (word, rest.len() as u32)
            }
        };
        let skipped = (self.at % 8) as u32;
        self.ahead = word >> skipped;
        self.n_ahead = (8 * n_bytes).saturating_sub(skipped);
    }

    fn seek(&mut self, at: usize) {
        self.at = at;
        self.n_ahead = 0;
    }

    /// The next set-up stone.
    pub(crate) fn next_setup(&mut self) -> Option<(Color, u16)> {
        let stone = (color(self.take(1)?), self.take(self.width)? as u16);
        if self.at + 2 == self.moves_at {
            self.seek(self.moves_at);
        }
        Some(stone)
    }

    /// The next move: a point number, or the area for a pass. Nothing is checked.
    #[inline]
    pub(crate) fn next_move(&mut self) -> Option<(Color, u16)> {
        if !self.alternating {
            self.mover = color(self.take(1)?);
        }
        let found = (self.mover, self.take(self.width)? as u16);
        self.mover = match self.mover {
            Color::Black => Color::White,
            Color::White => Color::Black,
        };
        Some(found)
    }

    /// A second reader that stands at the same move.
    pub(crate) fn clone_moves(&self) -> Self {
        Self { removals: RemovalsAt::default(), ..*self }
    }

    /// The number of a move, from 0, and a point it removed a stone from.
    pub(crate) fn next_removal(&mut self) -> Option<(u16, u16)> {
        let mut at = RemovalsAt { ..std::mem::take(&mut self.removals) };
        let found = self.removal(&mut at);
        self.removals = at;
        found
    }

    fn removal(&self, at: &mut RemovalsAt) -> Option<(u16, u16)> {
        if at.left == 0 {
            return None;
        }
        let mut take = |bits: u32| {
            let value = bits_at(self.bytes, at.bit, bits);
            at.bit += bits as usize;
            value
        };
        if at.left_in_group == 0 {
            loop {
                let distance = take(6)?;
                at.number += distance;
                if distance < 63 {
                    break;
                }
            }
            if at.number as usize >= self.n_moves {
                at.left = 0;
                return None;
            }
            if take(1)? == 0 {
                let direction = take(2)?;
                let step = self.width as usize + usize::from(!self.alternating);
                let played_at = self.moves_at + at.number as usize * step + usize::from(!self.alternating);
                let played = bits_at(self.bytes, played_at, self.width)? as u16;
                at.left -= 1;
                return Some((at.number as u16, beside(self.size, self.topology, played, direction)?));
            }
            at.left_in_group = take(9)?.max(1);
        }
        at.left_in_group -= 1;
        at.left -= 1;
        Some((at.number as u16, take(self.width)? as u16))
    }
}

#[inline]
fn color(bit: u32) -> Color {
    if bit == 0 { Color::Black } else { Color::White }
}

/// Up to 24 bits from any place.
#[inline]
fn bits_at(bytes: &[u8], at: usize, bits: u32) -> Option<u32> {
    let first = at / 8;
    let window = match bytes.get(first..first + 4) {
        Some(window) => u32::from_le_bytes([window[0], window[1], window[2], window[3]]),
        None => {
            let rest = bytes.get(first..)?;
            if rest.len() * 8 < at % 8 + bits as usize {
                return None;
            }
            rest.iter().enumerate().fold(0, |window, (n, &byte)| window | u32::from(byte) << (8 * n))
        }
    };
    Some((window >> (at % 8)) & ((1 << bits) - 1))
}

fn point_bits(size: BoardSize) -> u32 {
    usize::BITS - size.area().leading_zeros()
}

pub(crate) fn push_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number as u8) | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(crate) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

struct BitWriter {
    out: Vec<u8>,
    pending: u64,
    n_pending: u32,
}

impl BitWriter {
    fn push(&mut self, value: u32, bits: u32) {
        self.pending |= u64::from(value) << self.n_pending;
        self.n_pending += bits;
        while self.n_pending >= 8 {
            self.out.push(self.pending as u8);
            self.pending >>= 8;
            self.n_pending -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.n_pending > 0 {
            self.out.push(self.pending as u8);
        }
        self.out
    }
}
