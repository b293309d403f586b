//! The part of a board that a proof is about, in bits, and the moves on it.

use honinbo_rules::Point;

/// A set of points.
pub(crate) type Bits = u128;

/// Who wants to take the group.
pub(crate) const ATTACKER: usize = 0;
/// Whose group it is.
pub(crate) const DEFENDER: usize = 1;
/// Ko threats of a player who is to win every ko.
pub(crate) const UNLIMITED: u8 = u8::MAX;
/// No point may be retaken.
const NO_BAN: u8 = u8::MAX;
/// Nothing has just taken the last of the group.
const NO_TAKER: u8 = u8::MAX;

/// What does not change while a proof is looked for.
///
/// Points are numbered row by row in the smallest rectangle that holds the region, with a column beside it that belongs to
/// nothing, so that a shift by one never leaves a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ground {
    /// Column and row of the rectangle's first point.
    pub(crate) corner: (usize, usize),
    /// Numbers from one row to the next.
    pub(crate) stride: usize,
    /// The points of the region.
    pub(crate) mask: Bits,
    /// Points beside stones of the attacker that nobody takes: what is joined to them is not taken either.
    pub(crate) anchor: Bits,
    /// Points beside something outside that is not surely the attacker's: a defender's stone there is not taken,
    /// and a group that is joined to it has escaped.
    pub(crate) exits: Bits,
    /// Points beside something outside, whatever it is.
    pub(crate) border: Bits,
}

impl Ground {
    /// The number of a point; `None` where the rectangle does not hold it.
    pub(crate) fn number(&self, point: Point) -> Option<usize> {
        let x = point.x().checked_sub(self.corner.0)?;
        let y = point.y().checked_sub(self.corner.1)?;
        let number = y * self.stride + x;
        (x + 1 < self.stride && number < 128).then_some(number)
    }

    /// The point of a number.
    pub(crate) fn point(&self, number: usize) -> Point {
        Point::new(self.corner.0 + number % self.stride, self.corner.1 + number / self.stride)
    }

    /// The points of the region beside these, and perhaps some of these.
    #[inline]
    pub(crate) fn beside(&self, set: Bits) -> Bits {
        (set << 1 | set >> 1 | set << self.stride | set >> self.stride) & self.mask
    }

    /// Everything in `within` that hangs together with `seed`.
    #[inline]
    pub(crate) fn flood(&self, seed: Bits, within: Bits) -> Bits {
        let mut found = seed & within;
        loop {
            let next = (found | self.beside(found)) & within;
            if next == found {
                return found;
            }
            found = next;
        }
    }

    /// Whether nobody takes a chain of this player, whatever its liberties within the region: it is joined to stones that
    /// stand, or has got out.
    #[inline]
    pub(crate) fn is_held(&self, color: usize, chain: Bits) -> bool {
        chain & if color == ATTACKER { self.anchor } else { self.exits } != 0
    }

    /// The connected parts of a set.
    pub(crate) fn parts(&self, set: Bits) -> impl Iterator<Item = Bits> + '_ {
        let mut rest = set;
        std::iter::from_fn(move || {
            let part = self.flood(lowest(rest), rest);
            rest &= !part;
            (part != 0).then_some(part)
        })
    }
}

/// The first point of a set, as a set.
#[inline]
pub(crate) fn lowest(set: Bits) -> Bits {
    set & set.wrapping_neg()
}

/// The numbers of the points of a set.
pub(crate) fn numbers(set: Bits) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let number = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (number < 128).then_some(number)
    })
}

/// A position within a region, exactly: two equal ones are the same question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// Stones of the attacker and of the defender.
    pub(crate) stones: [Bits; 2],
    /// What is left of the group that is asked about.
    pub(crate) group: Bits,
    /// Who is to move.
    pub(crate) mover: u8,
    /// The point that the mover may not retake.
    ban: u8,
    /// The first point of the chain that has just taken the last of the group: it comes back where that is taken at once.
    taker: u8,
    /// Passes in a row that gave nothing up.
    pub(crate) passes: u8,
    /// Ko threats left.
    pub(crate) threats: [u8; 2],
}

/// What a move did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    pub(crate) after: Position,
    pub(crate) taken: Bits,
}

impl Position {
    pub(crate) fn new(stones: [Bits; 2], group: Bits, mover: usize, threats: [u8; 2]) -> Self {
        Self { stones, group, mover: mover as u8, ban: NO_BAN, taker: NO_TAKER, passes: 0, threats }
    }

    /// Forbids the mover to retake at a point.
    pub(crate) fn with_ban(self, number: usize) -> Self {
        let ban = if self.threats[self.mover()] == UNLIMITED { NO_BAN } else { number as u8 };
        Self { ban, ..self }
    }

    /// The same with other ko threats.
    pub(crate) fn with_threats(self, threats: [u8; 2]) -> Self {
        Self { threats, ..self }
    }

    pub(crate) fn mover(&self) -> usize {
        usize::from(self.mover)
    }

    pub(crate) fn is_banned(&self) -> bool {
        self.ban != NO_BAN
    }

    #[inline]
    pub(crate) fn empty(&self, ground: &Ground) -> Bits {
        ground.mask & !(self.stones[0] | self.stones[1])
    }

    /// The position after a pass. One that lifts a ban is no offer to stop: who passed may retake next time.
    pub(crate) fn passed(&self) -> Self {
        let passes = if self.is_banned() { 0 } else { self.passes + 1 };
        Self { mover: 1 - self.mover, ban: NO_BAN, taker: NO_TAKER, passes, ..*self }
    }

    /// Whether stones of this player have a liberty, with these points empty.
    #[inline]
    fn breathes(ground: &Ground, color: usize, chain: Bits, empty: Bits) -> bool {
        ground.beside(chain) & empty != 0 || ground.is_held(color, chain)
    }

    /// Plays on an empty point; `None` where that is suicide or a ko that may not be retaken.
    #[inline]
    pub(crate) fn played(&self, ground: &Ground, number: usize) -> Option<Made> {
        let mover = self.mover();
        let mut threats = self.threats;
        if usize::from(self.ban) == number {
            // The threat and its answer are played elsewhere.
            threats[mover] = threats[mover].checked_sub(1)?;
        }
        let at = 1 << number;
        let opponent = 1 - mover;
        let own = self.stones[mover] | at;
        let mut other = self.stones[opponent];
        let empty = ground.mask & !(own | other);
        let mut taken = 0;
        let mut seeds = ground.beside(at) & other;
        while seeds != 0 {
            let chain = ground.flood(lowest(seeds), other);
            seeds &= !chain;
            if !Self::breathes(ground, opponent, chain, empty) {
                taken |= chain;
            }
        }
        other &= !taken;
        let empty = empty | taken;
        let chain = ground.flood(at, own);
        if taken == 0 && !Self::breathes(ground, mover, chain, empty) {
            return None;
        }
        let is_ko =
            taken.count_ones() == 1 && chain == at && ground.beside(at) & empty == taken && !ground.is_held(mover, at);
        let ban = if is_ko && threats[opponent] != UNLIMITED { taken.trailing_zeros() as u8 } else { NO_BAN };
        let stones = if mover == ATTACKER { [own, other] } else { [other, own] };
        let group = self.group & !taken;
        let taker = if self.group != 0 && group == 0 { chain.trailing_zeros() as u8 } else { NO_TAKER };
        let after = Self { stones, group, mover: opponent as u8, ban, taker, passes: 0, threats };
        Some(Made { after, taken })
    }

    /// The position without what no longer matters: parts that stones of the attacker which stand cut off from the group
    /// and from every stone that may be taken. No move there changes anything here, so one there is a pass here; they are
    /// filled up, and positions that differ by nothing else become one.
    pub(crate) fn reduced(&self, ground: &Ground) -> Self {
        if self.group == 0 {
            return *self;
        }
        let [attacker, defender] = self.stones;
        let stands = ground.flood(attacker & ground.anchor, attacker);
        let rest = ground.mask & !stands;
        let loose = attacker & !stands;
        let kept = ground.flood(self.group | loose, rest);
        if kept == rest {
            return *self;
        }
        Self { stones: [ground.mask & !kept | loose, defender & kept], ..*self }
    }

    /// The points by which the group gets out of the region at once, where the defender moves next.
    #[inline]
    pub(crate) fn ways_out(&self, ground: &Ground) -> Bits {
        if ground.exits == 0 {
            return 0;
        }
        let own = self.stones[DEFENDER];
        let mut empty = self.empty(ground);
        if self.is_banned() {
            empty &= !(1 << self.ban);
        }
        let out = ground.flood(own & ground.exits, own);
        let beyond = empty & (ground.exits | ground.beside(out));
        if beyond == 0 { 0 } else { beyond & ground.beside(ground.flood(self.group, own)) }
    }

    /// The exits that such points lead to: the points themselves, or else those where the defender has stones already.
    #[inline]
    pub(crate) fn exits_of(&self, ground: &Ground, ways: Bits) -> Bits {
        let own = ways & ground.exits;
        if own != 0 { own } else { ground.exits & self.stones[DEFENDER] }
    }

    /// The only liberty of the group, where it is one chain that the attacker, who moves next, may take.
    #[inline]
    pub(crate) fn last_liberty(&self, ground: &Ground) -> Option<usize> {
        let chain = ground.flood(lowest(self.group), self.stones[DEFENDER]);
        let liberties = ground.beside(chain) & self.empty(ground);
        let is_last = liberties.is_power_of_two() && self.group & !chain == 0 && !ground.is_held(DEFENDER, chain);
        is_last.then(|| liberties.trailing_zeros() as usize)
    }

    /// The chain that has just taken the last of the group; empty where nothing has.
    #[inline]
    pub(crate) fn taker(&self, ground: &Ground) -> Bits {
        if self.taker == NO_TAKER { 0 } else { ground.flood(1 << self.taker, self.stones[ATTACKER]) }
    }

    /// Whether the defender, who is to move, can take now what took the last of the group.
    pub(crate) fn can_come_back(&self, ground: &Ground) -> bool {
        let taker = self.taker(ground);
        let liberties = ground.beside(taker) & self.empty(ground);
        liberties.is_power_of_two()
            && !ground.is_held(ATTACKER, taker)
            && (liberties.trailing_zeros() as u8 != self.ban || self.threats[DEFENDER] > 0)
    }
}
