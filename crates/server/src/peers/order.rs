//! What servers of one store ask each other.

use crate::routes::Club;
use axum::Json;
use axum::extract::State;
use honinbo_rooms::{PairingResult, Terms};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// What another server is to do.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub(crate) enum Order {
    /// Say who and what is there.
    View,
    /// Give a room away in which nobody is: true where it is not there any more.
    GiveAway { room: String },
    /// Keep a seat in a room for somebody who is invited, if whoever invites may do that.
    Reserve { room: String, by: i64, person: i64, guest: bool },
    /// Somebody does not want the seat.
    Decline { room: String, person: i64, name: String },
    /// Say how far the game in a room is: its stage, and how many moves it has; nothing where it is not there any more.
    Progress { room: String },
    /// A tournament needs the game no more, if it has not begun.
    CallOff { room: String },
    /// A tournament has taken its game back: it is not played, also where both have just come.
    TakeAway { room: String },
    /// The operator closes a room.
    Close { room: String },
    /// An account is gone.
    Forfeit { person: i64 },
    /// A game or a lesson has ended; for the server that leads.
    Ended(GameEnd),
}

/// A game or a lesson that has ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct GameEnd {
    pub(crate) room: String,
    /// It is still to be counted for ratings.
    pub(crate) rated: bool,
    /// Of a game of a tournament.
    pub(crate) result: Option<PairingResult>,
    /// Accounts that played, or took part.
    pub(crate) people: Vec<i64>,
}

/// What became of an invitation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reservation {
    /// A seat is kept, in a game by these terms.
    Seat {
        terms: Terms,
    },
    /// It is a lesson, which has no seats.
    Lesson,
    NoSeat,
    /// A guest takes no seat in a rated game.
    NotRated,
    NotYours,
    Unknown,
}

/// Carries out what another server asks.
pub(crate) async fn take_order(State(club): State<Arc<Club>>, Json(order): Json<Order>) -> Json<Value> {
    Json(club.rooms.carry_out(order).await)
}
