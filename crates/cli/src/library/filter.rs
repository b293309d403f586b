//! Which games a command is about.

use clap::{Args as ClapArgs, ValueEnum};
use honinbo_library::{GameFilter, SortBy};
use honinbo_record::{GameDate, Rank};
use honinbo_rules::BoardSize;

/// Conditions that a game must meet, all of them.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterArgs {
    /// Parts of a player's name in any order, of either colour
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Parts of Black's name
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Parts of White's name
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Parts of the other player's name, beside --player
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// Both players at least this strong: 5k, 3d, 1p
    #[arg(long, value_name = "RANK", value_parser = rank)]
    min_rank: Option<String>,
    /// Played on this day or later: 2003, 2003-09 or 2003-09-25
    #[arg(long, value_name = "DATE", value_parser = date)]
    from: Option<String>,
    /// Played on this day or earlier; a year or month counts to its end
    #[arg(long, value_name = "DATE", value_parser = date)]
    to: Option<String>,
    /// Who won
    #[arg(long, value_name = "COLOR", value_parser = ["black", "white"])]
    winner: Option<String>,
    /// How the game ended
    #[arg(long, value_name = "KIND", value_parser = ["score", "resignation", "time", "forfeit", "win", "draw", "void", "unknown"])]
    ended: Option<String>,
    /// Won by at least so many points
    #[arg(long, value_name = "POINTS")]
    min_margin: Option<f64>,
    /// Won by at most so many points
    #[arg(long, value_name = "POINTS")]
    max_margin: Option<f64>,
    /// Columns and rows of the board: 9, or 13x9
    #[arg(long, value_name = "WxH")]
    board: Option<BoardSize>,
    /// Part of the event's name
    #[arg(long, value_name = "EVENT")]
    event: Option<String>,
    /// Part of the place's name
    #[arg(long, value_name = "PLACE")]
    place: Option<String>,
    /// The ruleset, such as chinese or japanese
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// Points for White
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    komi: Option<f64>,
    /// At least so many handicap stones
    #[arg(long, value_name = "N")]
    min_handicap: Option<u32>,
    /// At most so many handicap stones
    #[arg(long, value_name = "N")]
    max_handicap: Option<u32>,
    /// At least so many moves
    #[arg(long, value_name = "N")]
    min_moves: Option<u32>,
    /// At most so many moves
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Part of the path of the file it was imported from
    #[arg(long, value_name = "PATH")]
    source: Option<String>,
    /// In this folder or one inside it
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    /// With this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// The deleted games instead of the others
    #[arg(long)]
    deleted: bool,
}

impl FilterArgs {
    /// The filter, with words that must all occur.
    pub(crate) fn with_words(&self, words: &[String]) -> GameFilter {
        let given = self.clone();
        let side = |side: usize| u32::try_from(side).ok();
        GameFilter {
            text: words.join(" "),
            player: given.player,
            black: given.black,
            white: given.white,
            opponent: given.opponent,
            min_rank: given.min_rank,
            date_from: given.from,
            date_to: given.to,
            winner: given.winner,
            result: given.ended,
            min_margin: given.min_margin,
            max_margin: given.max_margin,
            width: given.board.and_then(|board| side(board.width())),
            height: given.board.and_then(|board| side(board.height())),
            event: given.event,
            place: given.place,
            rules: given.rules,
            komi: given.komi,
            min_handicap: given.min_handicap,
            max_handicap: given.max_handicap,
            min_moves: given.min_moves,
            max_moves: given.max_moves,
            source: given.source,
            folder: given.folder,
            tag: given.tag,
            ids: Vec::new(),
            except: Vec::new(),
            deleted: given.deleted,
        }
    }
}

/// Order of a list.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SortArg {
    /// When it was added
    Added,
    /// When it was last changed
    Changed,
    /// When it was played
    Date,
    /// Black's name
    Black,
    /// White's name
    White,
    /// Number of moves
    Moves,
    /// Kind of result and winner
    Result,
}

impl From<SortArg> for SortBy {
    fn from(sort: SortArg) -> Self {
        match sort {
            SortArg::Added => Self::Added,
            SortArg::Changed => Self::Changed,
            SortArg::Date => Self::Date,
            SortArg::Black => Self::Black,
            SortArg::White => Self::White,
            SortArg::Moves => Self::Moves,
            SortArg::Result => Self::Result,
        }
    }
}

/// A date as conditions are given.
pub(crate) fn date(text: &str) -> Result<String, String> {
    GameDate::parse_exact(text).map(|_| text.to_owned()).ok_or_else(|| "a date is 2003, 2003-09 or 2003-09-25".into())
}

fn rank(text: &str) -> Result<String, String> {
    Rank::parse(text).map(|_| text.to_owned()).ok_or_else(|| "a rank is 5k, 3d or 1p".into())
}
