//! Accounts and rooms, from the outside: plain HTTP and an independent WebSocket client.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod boards;
mod club;
mod exercises;
mod games;
mod lessons;
mod oidc;
mod operator;
mod strangers;
mod tournaments;
