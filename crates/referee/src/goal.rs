//! What is to be proved, and when it is decided.

use crate::life::living;
use crate::position::{ATTACKER, Bits, DEFENDER, Ground, Made, Position};

/// What one side wants to force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// The attacker: every stone of the group is taken, and what takes the last of them is not taken at once.
    Take,
    /// The defender: no stone of the group is taken.
    Keep,
    /// The defender: something of the group stays, or what takes it is taken.
    Survive,
    /// The defender: the group has two eyes.
    Eyes,
    /// The attacker: it never gets them, or is taken.
    NoEyes,
}

impl Goal {
    /// Who wants it.
    pub(crate) const fn prover(self) -> usize {
        match self {
            Goal::Take | Goal::NoEyes => ATTACKER,
            Goal::Keep | Goal::Survive | Goal::Eyes => DEFENDER,
        }
    }

    /// What is decided after a move: whether the prover has reached the goal. The position is changed where what took the
    /// group is taken: that counts as its comeback.
    pub(crate) fn after(self, ground: &Ground, made: &mut Made, before: &Position, at: Bits) -> Option<bool> {
        let mover = before.mover();
        if mover == DEFENDER {
            let chain = || ground.flood(at, made.after.stones[DEFENDER]);
            if made.taken & before.taker(ground) != 0 {
                made.after.group = chain();
            }
            if ground.exits != 0 {
                let chain = chain();
                if chain & ground.exits != 0 && chain & made.after.group != 0 {
                    return Some(self.prover() == DEFENDER);
                }
            }
        } else if self == Goal::Keep && made.taken & before.group != 0 {
            return Some(false);
        }
        self.decided(ground, &made.after)
    }

    /// What is decided in a position.
    pub(crate) fn decided(self, ground: &Ground, position: &Position) -> Option<bool> {
        if position.group == 0 {
            // It may come back only by taking what took it.
            let gone = position.mover() == ATTACKER || !position.can_come_back(ground);
            return gone.then_some(self.prover() == ATTACKER);
        }
        let eyes_now = || position.group & !living(ground, position) == 0;
        if position.passes >= 2 {
            return Some(match self {
                Goal::Take => false,
                Goal::Keep | Goal::Survive => true,
                Goal::Eyes => eyes_now(),
                Goal::NoEyes => !eyes_now(),
            });
        }
        // Life is looked for after the defender's moves: what the attacker's make of it is seen one move later.
        if position.mover() == DEFENDER {
            return None;
        }
        let living = living(ground, position);
        let lives = match self {
            Goal::Take | Goal::Survive => living & position.group != 0,
            Goal::Keep | Goal::Eyes | Goal::NoEyes => position.group & !living == 0,
        };
        lives.then_some(self.prover() == DEFENDER)
    }
}
