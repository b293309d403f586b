//! What was found out of positions, within bounds.

use crate::position::Position;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// No proof needs, or finds, as much.
pub(crate) const INFINITE: u32 = 1 << 30;

/// How far a position is from being proved or refuted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Leaves that still have to be proved; 0: it is proved.
    pub(crate) proof: u32,
    /// Leaves that still have to be refuted; 0: it is refuted.
    pub(crate) refutation: u32,
    /// The refutation rests on a repetition of the position at this depth of the way here, the shallowest of several, so
    /// that by another way it may be none; [`FREE`] where it holds by any way.
    pub(crate) depends: u16,
}

/// Depends on no way.
pub(crate) const FREE: u16 = u16::MAX;

impl Numbers {
    pub(crate) const PROVED: Self = Self { proof: 0, refutation: INFINITE, depends: FREE };
    pub(crate) const REFUTED: Self = Self { proof: INFINITE, refutation: 0, depends: FREE };

    /// The position was there already, at this depth.
    pub(crate) const fn repeated(depth: u16) -> Self {
        Self { depends: depth, ..Self::REFUTED }
    }

    pub(crate) const fn open(proof: u32, refutation: u32) -> Self {
        Self { proof, refutation, depends: FREE }
    }

    pub(crate) fn decided(is_proved: bool) -> Self {
        if is_proved { Self::PROVED } else { Self::REFUTED }
    }
}

/// Numbers by position. The key is the whole position, so no two are ever taken for one.
#[derive(Debug, Default)]
pub(crate) struct Table {
    known: HashMap<Position, Numbers, BuildHasherDefault<Mixer>>,
    /// Refutations that depend on the way, by position and the way.
    by_way: HashMap<(Position, u64), Numbers, BuildHasherDefault<Mixer>>,
    limit: usize,
}

impl Table {
    pub(crate) fn new(limit: usize) -> Self {
        Self { known: HashMap::default(), by_way: HashMap::default(), limit }
    }

    /// What is known of a position that is reached by this way.
    pub(crate) fn get(&self, position: &Position, way: u64) -> Option<Numbers> {
        self.by_way.get(&(*position, way)).or_else(|| self.known.get(position)).copied()
    }

    pub(crate) fn put(&mut self, position: &Position, way: u64, numbers: Numbers) {
        if numbers.depends != FREE {
            if self.by_way.len() >= self.limit / 4 {
                self.by_way.clear();
            }
            self.by_way.insert((*position, way), numbers);
            return;
        }
        if self.known.len() >= self.limit {
            // What is settled costs most to find again.
            self.known.retain(|_, kept| kept.proof == 0 || kept.refutation == 0);
            if self.known.len() > self.limit / 2 {
                self.known.retain(|_, kept| kept.proof == 0);
            }
            if self.known.len() > self.limit / 2 {
                self.known.clear();
            }
        }
        self.known.insert(*position, numbers);
    }
}

/// A fast hash; equal keys are compared in full.
#[derive(Debug, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }

    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
