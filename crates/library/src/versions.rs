//! Versions of one game: which says more, and what one of them knows of the game that another one does not.

use honinbo_record::{GameDate, GameInfo, GameResult, GameTree, Rank, komi_to_write};
use honinbo_rules::Komi;

use crate::error::LibraryError;

/// A property of the root, and what it has to say so that a record has this fact.
type Fact = (&'static str, fn(&GameInfo) -> String);

const FACTS: [Fact; 17] = [
    ("PB", |info| info.black.name.clone()),
    ("BR", |info| info.black.rank.clone()),
    ("BT", |info| info.black.team.clone()),
    ("PW", |info| info.white.name.clone()),
    ("WR", |info| info.white.rank.clone()),
    ("WT", |info| info.white.team.clone()),
    ("GN", |info| info.name.clone()),
    ("EV", |info| info.event.clone()),
    ("RO", |info| info.round.clone()),
    ("PC", |info| info.place.clone()),
    ("DT", |info| info.date_text.clone()),
    ("RE", |info| info.result_text.clone()),
    ("RU", |info| info.rules_text.clone()),
    ("HA", |info| if info.handicap > 0 { info.handicap.to_string() } else { String::new() }),
    ("KM", |info| info.komi.map(komi_text).unwrap_or_default()),
    ("TM", |info| info.main_time_s.map(|seconds| seconds.to_string()).unwrap_or_default()),
    ("OT", |info| info.overtime.clone()),
];

/// A fact that is given to several games at once, as it is written.
pub(crate) fn fact_to_write(ident: &str, text: &str) -> Result<String, LibraryError> {
    let bad = |reason| LibraryError::BadFact { fact: format!("{ident}[{text}]").chars().take(40).collect(), reason };
    if !FACTS.iter().any(|(known, _)| *known == ident) || matches!(ident, "HA" | "TM" | "OT") {
        return Err(bad("only facts such as EV, PC, DT, RE, KM, RU, PB and PW are given to several games"));
    }
    if text.chars().count() > MAX_FACT || text.contains(char::is_control) {
        return Err(bad("it is longer than one line of 400 characters"));
    }
    let written = match ident {
        _ if text.is_empty() => Some(String::new()),
        "DT" => GameDate::parse(text).map(|_| text.to_owned()),
        "RE" => (GameResult::parse(text) != GameResult::Unknown).then(|| text.to_owned()),
        "KM" => text.parse().ok().and_then(|points| Komi::from_points(points).ok()).map(komi_text),
        _ => Some(text.to_owned()),
    };
    written.ok_or_else(|| bad("it is no date, result or komi that records have"))
}

/// A mere 0 would be the usual komi in a record of Fox.
fn komi_text(komi: Komi) -> String {
    if komi == Komi::ZERO { "0.0".to_owned() } else { komi_to_write(komi) }
}

/// Longest fact that is given, in characters.
const MAX_FACT: usize = 400;

/// Gives one of two versions of a game, as its root, the facts that either knows. Of two that contradict each other the
/// first one's stay.
pub(crate) fn join_facts(kept: &mut GameTree, first: &GameTree, second: &GameTree) {
    let (first, second, own) = (GameInfo::of(first), GameInfo::of(second), GameInfo::of(kept));
    let root = kept.root();
    for (ident, text_of) in FACTS {
        let text = text_of(if is_better_known(ident, text_of, &first, &second) { &second } else { &first });
        if text.is_empty() || text == text_of(&own) {
            continue;
        }
        kept.set_text(root, ident, &text);
    }
    // Rules may be called after a board: this one stays what it is.
    if GameInfo::of(kept).topology != own.topology {
        kept.set_text(root, "TOPO", own.topology.name());
    }
}

/// Whether the second says more of a fact than the first, and nothing else.
fn is_better_known(ident: &str, text_of: fn(&GameInfo) -> String, first: &GameInfo, second: &GameInfo) -> bool {
    let (text, other) = (text_of(first), text_of(second));
    match ident {
        "BR" | "WR" => Rank::parse(&text).is_none() && (text.is_empty() || Rank::parse(&other).is_some()),
        "DT" => match (first.date, second.date) {
            (Some(date), Some(other)) if date == other => first.last_date.is_none() && second.last_date.is_some(),
            (Some(date), Some(other)) => is_within(other, date),
            (None, date) => text.is_empty() || date.is_some(),
            (Some(_), None) => false,
        },
        "RE" => match (first.result, second.result) {
            (GameResult::Unknown, result) => text.is_empty() || result != GameResult::Unknown,
            (GameResult::Win(winner), result) => {
                result.winner() == Some(winner) && !matches!(result, GameResult::Win(_))
            }
            _ => false,
        },
        _ => text.is_empty(),
    }
}

/// A day or month that is one of the year or month that a less exact date names.
fn is_within(date: GameDate, whole: GameDate) -> bool {
    date.year == whole.year
        && (whole.month == 0 || date.month == whole.month && (whole.day == 0 || date.day == whole.day))
}

/// Days that two records of one game may be apart: clocks of other countries, and games of several days.
const MAX_DAYS_APART: u32 = 4;

/// Whether the first and last dates of two records are those of two games.
pub(crate) fn are_two_times(one: (GameDate, GameDate), two: (GameDate, GameDate)) -> bool {
    let overlap = one.0 <= two.1 && two.0 <= one.1;
    !overlap && are_two_dates(one.0, two.0) && are_two_dates(one.1, two.0) && are_two_dates(one.0, two.1)
}

/// Whether two dates are those of two games.
fn are_two_dates(one: GameDate, two: GameDate) -> bool {
    let days = |date: GameDate| u32::from(date.year) * 372 + u32::from(date.month) * 31 + u32::from(date.day);
    match (one.day.min(two.day), one.month.min(two.month)) {
        (1.., _) => days(one).abs_diff(days(two)) > MAX_DAYS_APART,
        (0, 1..) => (one.year, one.month) != (two.year, two.month),
        (0, 0) => one.year != two.year,
    }
}

/// Marks and judgements of positions.
const MARKUP: [&str; 22] = [
    "LB", "TR", "SQ", "CR", "MA", "SL", "L", "M", "AR", "LN", "DD", "TB", "TW", "TE", "BM", "DO", "IT", "GB", "GW",
    "DM", "UC", "HO",
];

/// How much somebody wrote beside the moves of the game, in bytes: comments, marks and variations.
pub(crate) fn remarks(tree: &GameTree) -> usize {
    let mut main_line = tree.line_from(tree.root()).peekable();
    let mut bytes = 0;
    for node in tree.subtree(tree.root()) {
        // The first child comes first: the main line is the beginning of the tree's order.
        let is_variation = main_line.next_if_eq(&node).is_none();
        for property in tree.properties(node) {
            let ident = &*property.ident();
            let counts = matches!(ident, "C" | "N" | "GC")
                || MARKUP.contains(&ident)
                || is_variation && matches!(ident, "B" | "W" | "AB" | "AW" | "AE");
            if counts {
                bytes += property.raw_values().map(|value| ident.len() + value.len()).sum::<usize>();
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tree_of;

    fn joined(kept: &str, first: &str, second: &str) -> String {
        let mut kept = tree_of(kept).unwrap();
        join_facts(&mut kept, &tree_of(first).unwrap(), &tree_of(second).unwrap());
        kept.to_sgf()
    }

    #[test]
    fn the_facts_of_both_stand_in_the_one_that_is_kept() {
        let bare = "(;SZ[19]C[read];B[pd])";
        let full = "(;PB[Aya]PW[Ben]BR[5d]DT[2003-05]RE[B+]KM[0]RU[Japanese]TM[1800];B[pd])";
        let facts = "PB[Aya]BR[5d]PW[Ben]DT[2003-05]RE[B+]RU[Japanese]KM[0.0]TM[1800]";
        assert_eq!(joined(bare, full, bare), format!("(;SZ[19]C[read]{facts};B[pd])"));
        assert_eq!(joined(bare, bare, full), format!("(;SZ[19]C[read]{facts};B[pd])"));
        assert_eq!(joined(full, full, bare), full);
    }

    #[test]
    fn a_fact_gives_way_only_to_one_that_says_more_of_the_same() {
        for (first, second, expected) in [
            ("PB[Aya]", "PB[Somebody]", "PB[Aya]"),
            ("DT[2003]", "DT[2003-05-01]", "DT[2003-05-01]"),
            ("DT[2003]", "DT[2004-05-01]", "DT[2003]"),
            ("DT[long ago]", "DT[1846]", "DT[1846]"),
            ("DT[2003-05-01]", "DT[2003-05-01,02]", "DT[2003-05-01,02]"),
            ("DT[2003-05-01,02]", "DT[2003-05-01,02,03]", "DT[2003-05-01,02]"),
            ("DT[2003-05-01,02]", "DT[2003-05-01]", "DT[2003-05-01,02]"),
            ("DT[2003-05-01]", "DT[2003]", "DT[2003-05-01]"),
            ("RE[?]", "RE[W+R]", "RE[W+R]"),
            ("RE[W+]", "RE[W+3.5]", "RE[W+3.5]"),
            ("RE[W+]", "RE[B+3.5]", "RE[W+]"),
            ("RE[0]", "RE[B+R]", "RE[0]"),
            ("BR[strong]", "BR[9p]", "BR[9p]"),
            ("BR[9p]", "BR[9d]", "BR[9p]"),
            ("KM[6.5]", "KM[0.5]", "KM[6.5]"),
        ] {
            let sgf = |facts: &str| format!("(;{facts};B[pd])");
            assert_eq!(joined(&sgf(first), &sgf(first), &sgf(second)), sgf(expected));
        }
        // Whichever is kept.
        assert_eq!(joined("(;KM[0.5];B[pd])", "(;KM[6.5];B[pd])", "(;KM[0.5];B[pd])"), "(;KM[6.5];B[pd])");
    }

    #[test]
    fn the_board_stays_what_it_is_whatever_the_rules_are_called() {
        let tree = tree_of(&joined("(;B[pd])", "(;B[pd])", "(;RU[Daoqi]TOPO[plane];B[pd])")).unwrap();
        assert_eq!(GameInfo::of(&tree).topology, honinbo_rules::Topology::Plane);
    }

    #[test]
    fn dates_are_two_where_no_clock_and_no_pause_explains_them() {
        let date = |text: &str| GameDate::parse(text).unwrap();
        for (one, two, are_two) in [
            ("2003-05-01", "2003-05-01", false),
            ("2003-05-31", "2003-06-01", false),
            ("2003-02-28", "2003-03-01", false),
            ("2003-05-01", "2003-05-06", true),
            ("2003-05-01", "2003-05", false),
            ("2003-05-01", "2003-06", true),
            ("2003-05-01", "2003", false),
            ("2003", "2004", true),
        ] {
            assert_eq!(are_two_dates(date(one), date(two)), are_two, "{one} and {two}");
            assert_eq!(are_two_dates(date(two), date(one)), are_two, "{two} and {one}");
        }
    }

    #[test]
    fn a_game_of_many_days_is_the_one_that_was_played_on_any_of_them() {
        let time = |text: &str| {
            let dates = GameDate::parse_all(text);
            (*dates.first().unwrap(), *dates.last().unwrap())
        };
        for (one, two, are_two) in [
            ("1938-06-26,12-04", "1938-12-04", false),
            ("1938-06-26,12-04", "1938-12-06", false),
            ("1938-06-26,12-04", "1938-09-01", false),
            ("1938-06-26,12-04", "1938-12-24", true),
            ("1938-06,07", "1938-07-03", false),
        ] {
            assert_eq!(are_two_times(time(one), time(two)), are_two, "{one} and {two}");
            assert_eq!(are_two_times(time(two), time(one)), are_two, "{two} and {one}");
        }
    }

    #[test]
    fn variations_marks_and_words_are_remarks_and_the_game_itself_is_none() {
        let remarks = |sgf: &str| remarks(&tree_of(sgf).unwrap());
        assert_eq!(remarks("(;PB[Aya]KM[6.5]AB[dd];W[pd]BL[30];B[dp])"), 0);
        assert!(remarks("(;B[pd](;W[dd])(;W[dp];B[pp]))") > 0);
        assert!(remarks("(;B[pd]LB[dd:a]TR[dp])") > remarks("(;B[pd]TR[dp])"));
        assert!(remarks("(;B[pd]C[why])") > remarks("(;B[pd])"));
    }
}
