//! What is true of a card's moves.

use crate::{CardRef, Finite, LineView, Side, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks what is true of a card's moves.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactsOf {
    /// The card.
    pub card: CardRef,
    /// The rank, such as `5k`, of those whose moves are told of; null for that of the player in the record.
    #[serde(default)]
    pub rank: Option<String>,
}

/// What searches and readings found about the move of the game and the better one.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CardFacts {
    /// Most telling first; empty where nothing was borne out.
    pub facts: Vec<FactView>,
}

/// Something that is true of a card, and moves that show it.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactView {
    /// What is true.
    pub fact: Fact,
    /// Moves from the position of the card on that show it.
    pub line: LineView,
    /// Points that it is about.
    pub points: Vec<u16>,
}

/// What is true of a card. Points and colours are as the card is turned.
///
/// Each was borne out twice: what searches say by a second one with more visits and other chances, what can be read by
/// playing it, what a network of human style expects by showing it the position mirrored. The library is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Fact {
    /// After the move of the game the other side can take stones, which it cannot after the better move.
    Taken {
        /// Whose stones.
        side: Side,
        /// How many.
        stones: u16,
        /// One of them.
        at: Vertex,
        /// The move that takes them.
        by: Vertex,
    },
    /// After the move of the game these stones are caught in a ladder; after the better one they are not.
    Ladder {
        /// Whose stones.
        side: Side,
        /// One of them.
        at: Vertex,
        /// The first move of the ladder.
        by: Vertex,
    },
    /// After the move of the game these stones are lost; after the better one they live.
    Lost {
        /// Whose stones.
        side: Side,
        /// How many.
        stones: u16,
        /// One of them.
        at: Vertex,
    },
    /// After the better move the opponent's stones are lost; after the one of the game they live.
    Spared {
        /// Whose stones.
        side: Side,
        /// How many.
        stones: u16,
        /// One of them.
        at: Vertex,
    },
    /// The opponent's best reply to the move of the game cuts two chains from each other.
    Cut {
        /// Whose chains.
        side: Side,
        /// The reply.
        by: Vertex,
        /// A stone of one.
        one: Vertex,
        /// A stone of the other.
        other: Vertex,
    },
    /// Empty points that are the player's after the better move are the opponent's after the one of the game.
    Area {
        /// Who has them after the move of the game.
        to: Side,
        /// How many at least.
        points: u16,
        /// Where most of them are.
        region: Region,
    },
    /// The better move is sente: a pass after it would lose much more than a pass before it.
    Sente {
        /// What a pass after it would lose, in points.
        threat: Finite,
    },
    /// The best reply to the move of the game is elsewhere.
    Elsewhere {
        /// The reply.
        reply: Vertex,
    },
    /// Who was ahead before the move of the game, and who is after it.
    Lead {
        /// Before it, if the better move is played.
        before: LeadView,
        /// After it.
        after: LeadView,
    },
    /// How many of a rank play the move of the game and the better one, as a network of human style has it.
    ByRank {
        /// The rank, such as `5k`.
        rank: String,
        /// The share that plays the move of the game, 0 to 1.
        played: Finite,
        /// The share that plays the better one, 0 to 1.
        better: Finite,
    },
    /// How other games of the library went on from the position, whatever the komi, turned or mirrored.
    InLibrary {
        /// Games that had it.
        games: u32,
        /// The move that most of them went on with: the one of the game, if it is equivalent.
        most: Vertex,
        /// Games that went on with it.
        count: u32,
        /// Won by Black of these.
        black_wins: u32,
        /// Won by White of these.
        white_wins: u32,
        /// Games that went on with the move of the game.
        played: u32,
    },
}

/// Who is ahead, and how surely.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LeadView {
    /// Who; null where the position is about even.
    pub side: Option<Side>,
    /// By how many points, 0 or more.
    pub points: Finite,
    /// The chance to win of who is ahead, of Black where nobody is, 0 to 1.
    pub chance: Finite,
}

/// A ninth of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Region {
    /// The corner.
    UpperLeft,
    /// The side.
    Upper,
    /// The corner.
    UpperRight,
    /// The side.
    Left,
    /// The middle.
    Centre,
    /// The side.
    Right,
    /// The corner.
    LowerLeft,
    /// The side.
    Lower,
    /// The corner.
    LowerRight,
}
