//! A referee for life and death: whether a group is alive, dead, in seki or depends on a ko, by proof.
//!
//! It says nothing that it has not proved. A proof is a depth-first proof-number search over a region around the group;
//! regions grow from the narrowest to wider ones, and follow the group where it gets out. Each is seen in a view that
//! favours the attacker and in one that favours the defender, so that what is proved for either holds on the whole board
//! ([`Referee`]). Who wins where nobody has ko threats is asked first, then whether threats of the other player turn it:
//! never, or so many of them. A repetition counts against who has to prove something.
//!
//! Moves of suicide are not considered.
//! Chains of the attacker with two liberties outside of a region are taken to stand where no other stone of the defender's
//! is outside: that is the one thing which is assumed.
//!
//! No I/O, no clock, no thread, and no network: who knows likely moves says so through [`MoveOrder`].

mod appraisal;
mod fate;
mod goal;
mod group;
mod life;
mod order;
mod position;
mod proof;
mod referee;
mod region;
mod table;

pub use appraisal::{Answered, Appraisal, Held, appraise, appraise_answers};
pub use fate::{Fate, Reason, Role, Ruling, Verdict};
pub use group::{Surrounded, groups};
pub use order::{ByShape, MoveOrder};
pub use referee::{Limits, Referee};
