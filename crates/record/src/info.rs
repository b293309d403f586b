//! What a record says about its game: players, event, date, result, size, komi, rules.

use std::borrow::Cow;

use honinbo_rules::{BoardSize, Color, Komi, Preset, Ruleset, Scoring, Topology};

use crate::date::GameDate;
use crate::diagnostic::Problem;
use crate::result::{GameResult, WrittenPoints};
use crate::tree::{GameTree, NodeId};
use crate::value::shorten;

/// A player as a record names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerInfo {
    /// `PB` or `PW`, trimmed.
    pub name: String,
    /// `BR` or `WR`, as written.
    pub rank: String,
    /// `BT` or `WT`.
    pub team: String,
}

/// The facts about a game, read from its first nodes, with the quirks of servers repaired.
#[derive(Debug, Clone, PartialEq)]
pub struct GameInfo {
    /// Black.
    pub black: PlayerInfo,
    /// White.
    pub white: PlayerInfo,
    /// `GN`, the name of the game.
    pub name: String,
    /// `EV`, else a text in the root's `TE`.
    pub event: String,
    /// `RO`.
    pub round: String,
    /// `PC`.
    pub place: String,
    /// `DT`, else `RD`, as written.
    pub date_text: String,
    /// The same, understood; the first of several dates.
    pub date: Option<GameDate>,
    /// The last of several dates.
    pub last_date: Option<GameDate>,
    /// `RE` as written.
    pub result_text: String,
    /// `RE`, understood.
    pub result: GameResult,
    /// `SZ`; 19x19 when it is missing or unusable.
    pub size: BoardSize,
    /// Private property `TOPO`, q5Go's `TO`, or the torus of Daoqi rules; else the plane.
    pub topology: Topology,
    /// `KM` in points, repaired, or the root's `KO`, or what KataGo's form of `RU` says; `None` when it is missing or no number.
    pub komi: Option<Komi>,
    /// `RU` as written.
    pub rules_text: String,
    /// `RU`, understood: the preset that it names, or that has the rules which it spells out.
    pub rules: Option<Preset>,
    /// The rules of `RU`, in KataGo's compact or JSON form whatever they are.
    pub ruleset: Option<Ruleset>,
    /// `HA`; 0 when missing.
    pub handicap: u32,
    /// `TM` in seconds.
    pub main_time_s: Option<f64>,
    /// `OT`.
    pub overtime: String,
    /// `SO`.
    pub source: String,
    /// `AN`.
    pub annotator: String,
    /// `AP`.
    pub application: String,
    /// `GC`.
    pub comment: String,
    /// Repairs and doubts.
    pub problems: Vec<Problem>,
}

impl GameInfo {
    /// Reads the facts. Properties are looked for in the root and, as old files have them there, in the next nodes.
    #[must_use]
    pub fn of(tree: &GameTree) -> Self {
        let mut found = InfoTexts::default();
        found.collect(tree);
        let mut problems = Vec::new();
        let q5go = q5go_topology(tree, found.get("GM").unwrap_or_default().trim());
        if let Some(gm) = found.get("GM")
            && gm.trim() != "1"
            && !gm.trim().is_empty()
            && q5go.is_none()
        {
            problems.push(Problem::NotGo { gm: shorten(gm) });
        }
        let text = |ident: &str| found.get(ident).map(|text| text.trim().to_owned()).unwrap_or_default();
        let size = parse_size(found.get("SZ").unwrap_or_default(), &mut problems);
        let rules_text = text("RU");
        let rules = Preset::from_sgf(&rules_text);
        let read = Ruleset::from_sgf(&rules_text);
        if read.is_none() && !rules_text.is_empty() {
            problems.push(Problem::UnknownRuleset { name: shorten(&rules_text) });
        }
        let topology = Topology::parse(&text("TOPO")).or(q5go).unwrap_or(match rules {
            Some(Preset::Daoqi) => Topology::Torus,
            _ => Topology::Plane,
        });
        // Chinese and Korean sites have names of their own in the root; elsewhere KO is a ko and TE a good move.
        let or_own = |usual: String, own: &str, is_meant: fn(&str) -> bool| {
            let own = tree.text_value(NodeId::ROOT, own).filter(|text| usual.is_empty() && is_meant(text.trim()));
            own.map_or(usual, |text| text.trim().to_owned())
        };
        let event = or_own(text("EV"), "TE", |text| !matches!(text, "1" | "2"));
        let komi_text = or_own(text("KM"), "KO", |text| text.starts_with(|c: char| c.is_ascii_digit()));
        let date_text = or_own(text("DT"), "RD", |_| true);
        let result_text = text("RE");
        let is_of_fox = is_of_fox(tree);
        let hundredths_from = if is_of_fox { FOX_HUNDREDTHS_FROM } else { HUNDREDTHS_FROM };
        let mut info = Self {
            black: PlayerInfo { name: text("PB"), rank: text("BR"), team: text("BT") },
            white: PlayerInfo { name: text("PW"), rank: text("WR"), team: text("WT") },
            name: text("GN"),
            event,
            round: text("RO"),
            place: text("PC"),
            date: GameDate::parse(&date_text),
            last_date: last_of(&GameDate::parse_all(&date_text)),
            date_text,
            result: GameResult::parse(&result_text),
            result_text,
            size,
            topology,
            komi: parse_komi(&komi_text, hundredths_from, &mut problems)
                .or(read.filter(|read| read.komi_given).map(|read| read.komi)),
            rules_text,
            rules,
            ruleset: read.map(|read| read.ruleset),
            handicap: text("HA").parse().ok().filter(|stones| *stones <= 361).unwrap_or(0),
            main_time_s: text("TM").parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0),
            overtime: text("OT"),
            source: text("SO"),
            annotator: text("AN"),
            application: text("AP"),
            comment: text("GC"),
            problems,
        };
        let placed = if is_of_fox && info.handicap == 0 { stones_placed_by_moves(tree, size) } else { 0 };
        if placed > 1 {
            info.take_placed_handicap(placed, &text("KM"));
        } else if is_of_fox && text("HA") == "0" && text("KM") == "0" {
            info.take_usual_komi();
        }
        info
    }

    /// Fox counts no handicap that Black placed by moves, and leaves the komi of even games with it.
    fn take_placed_handicap(&mut self, stones: u32, komi: &str) {
        self.handicap = stones;
        let is_server_komi = |problem: &Problem| matches!(problem, Problem::ServerKomi { .. });
        if komi.is_empty() {
            self.komi = Some(Komi::ZERO);
        } else if self.problems.iter().any(is_server_komi) {
            self.komi = Some(Komi::ZERO);
            self.problems.retain(|problem| !is_server_komi(problem));
            self.problems.push(Problem::ServerKomi { komi: shorten(komi), half_points: 0 });
        }
    }

    /// Fox writes `KM[0]HA[0]` for even games with the usual komi; games without any have `HA[1]`.
    fn take_usual_komi(&mut self) {
        self.komi = None;
        let half_points = self.komi_or_guess().half_points();
        self.problems.push(Problem::ServerKomi { komi: "0".into(), half_points });
    }

    /// The ruleset by name: the named one, the usual one that counts as the spelled-out rules do, else the one whose
    /// usual komi the game has.
    #[must_use]
    pub fn preset_or_guess(&self) -> Preset {
        self.rules.unwrap_or(match (self.ruleset.map(|ruleset| ruleset.scoring), self.komi.map(Komi::half_points)) {
            (Some(Scoring::Area), _) | (None, Some(15 | 16)) => Preset::Chinese,
            (Some(Scoring::Territory), _) | (None, Some(_)) => Preset::Japanese,
            (None, None) if self.topology == Topology::Torus => Preset::Daoqi,
            (None, None) => Preset::Chinese,
        })
    }

    /// The rules to play by: those of `RU`, whatever they are, else those of [`GameInfo::preset_or_guess`].
    #[must_use]
    pub fn ruleset_or_guess(&self) -> Ruleset {
        self.ruleset.unwrap_or_else(|| self.preset_or_guess().ruleset())
    }

    /// The komi to count with: the named one, else none for handicap games and games from before komi was usual,
    /// else the ruleset's own.
    #[must_use]
    pub fn komi_or_guess(&self) -> Komi {
        // Komi came into tournament play around 1939.
        let old = self.date.is_some_and(|date| date.year < 1939);
        self.komi.unwrap_or_else(|| match (self.handicap > 1, old) {
            (true, _) => Komi::from_half_points(1),
            (_, true) => Komi::ZERO,
            _ => self.preset_or_guess().komi(),
        })
    }

    /// The player of a colour.
    #[must_use]
    pub fn player(&self, color: Color) -> &PlayerInfo {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }
}

/// What `TOPO` has to say in a record whose `RU` names these rules, so that [`GameInfo::topology`] is this; `None` where
/// nothing has to be said.
///
/// ```
/// # use honinbo_record::topology_to_write;
/// # use honinbo_rules::{Preset, Topology};
/// assert_eq!(topology_to_write(Topology::Plane, Some(Preset::Chinese)), None);
/// assert_eq!(topology_to_write(Topology::Torus, Some(Preset::Chinese)), Some("torus"));
/// // Daoqi is played on a torus unless a record says otherwise.
/// assert_eq!(topology_to_write(Topology::Plane, Some(Preset::Daoqi)), Some("plane"));
/// ```
#[must_use]
pub fn topology_to_write(topology: Topology, rules: Option<Preset>) -> Option<&'static str> {
    (topology != Topology::Plane || rules == Some(Preset::Daoqi)).then(|| topology.name())
}

/// The edges that q5Go says are joined in `TO` of a game that it calls a variant of its own: left and right (1), or both
/// pairs (3). Top and bottom alone (2) are joined on no board of ours. Source: q5Go, `src/sgf2board.cc`.
fn q5go_topology(tree: &GameTree, gm: &str) -> Option<Topology> {
    if gm != "q5go-1" {
        return None;
    }
    match tree.text_value(NodeId::ROOT, "TO").as_deref().map(str::trim) {
        Some("1") => Some(Topology::Cylinder),
        Some("3") => Some(Topology::Torus),
        None | Some("0") => Some(Topology::Plane),
        Some(_) => None,
    }
}

/// Whether Fox wrote the record: it names itself in one of the values of `AP`, or leaves its byo-yomi in `TC` and `TT`,
/// as no other server does.
fn is_of_fox(tree: &GameTree) -> bool {
    tree.line_from(NodeId::ROOT).take(MAX_INFO_NODES).any(|node| {
        let has = |ident: &str| tree.property(node, ident).is_some();
        let mut programs = tree.properties(node).filter(|property| property.ident() == "AP");
        programs.any(|property| property.texts().any(|name| name.trim() == "foxwq")) || has("TC") && has("TT")
    })
}

/// Moves of Black before White's first, on a board that nothing is set up on.
fn stones_placed_by_moves(tree: &GameTree, size: BoardSize) -> u32 {
    let mut stones = 0;
    for node in tree.line_from(NodeId::ROOT).take(MAX_INFO_NODES + MAX_HANDICAP_MOVES) {
        if !tree.setup_at(node, size).is_empty() {
            return 0;
        }
        match tree.move_at(node, size).map(|found| found.color) {
            Some(Color::Black) => stones += 1,
            Some(Color::White) => return stones,
            None => {}
        }
    }
    0
}

/// What `KM` has to say, so that [`GameInfo::komi`] is this. From 100 on it has a decimal point: a whole number of that
/// size is read as the hundredths that Fox writes.
///
/// ```
/// # use honinbo_record::komi_to_write;
/// # use honinbo_rules::Komi;
/// assert_eq!(komi_to_write(Komi::from_half_points(13)), "6.5");
/// assert_eq!(komi_to_write(Komi::from_half_points(300)), "150.0");
/// ```
#[must_use]
pub fn komi_to_write(komi: Komi) -> String {
    points_to_write(komi.points())
}

/// [`komi_to_write`] for what other formats give as points, which may be no komi.
pub(crate) fn points_to_write(points: f64) -> String {
    if points.abs() >= HUNDREDTHS_FROM && points.fract() == 0.0 { format!("{points:.1}") } else { points.to_string() }
}

/// A whole number in `KM` of this size is in hundredths.
const HUNDREDTHS_FROM: f64 = 100.0;
/// In a record of Fox already one of this size: half a point, of handicap games.
const FOX_HUNDREDTHS_FROM: f64 = 50.0;

/// Facts that stand in a record's first nodes, gathered in one walk.
#[derive(Default)]
struct InfoTexts<'t> {
    found: Vec<(Cow<'t, str>, Cow<'t, str>)>,
}

/// Properties of which a record has at least one, beside those about the game: moves, stones, comments, and what every
/// writer puts into the root.
const RECORD_IDENTS: [&str; 12] = ["B", "W", "AB", "AW", "AE", "PL", "C", "N", "FF", "CA", "US", "CP"];

impl GameTree {
    /// Whether there is anything of a game of Go in it. The reader makes a tree of whatever is in parentheses; this
    /// tells those apart that hold no property of a record, and records of other games.
    ///
    /// ```
    /// # use honinbo_record::read_sgf;
    /// let is_record = |sgf: &str| read_sgf(sgf.as_bytes()).games[0].tree.is_go_record();
    /// assert!(is_record("(;GM[1]SZ[9])") && is_record("(;B[ee])"));
    /// assert!(!is_record("(;)") && !is_record("(;FOO[bar])") && !is_record("(;GM[2]B[aa])"));
    /// ```
    #[must_use]
    pub fn is_go_record(&self) -> bool {
        let info = GameInfo::of(self);
        if info.problems.iter().any(|problem| matches!(problem, Problem::NotGo { .. })) {
            return false;
        }
        let is_known = |ident: &str| RECORD_IDENTS.contains(&ident) || is_info(ident);
        self.subtree(self.root()).any(|node| self.properties(node).any(|property| is_known(&property.ident())))
    }
}

/// Nodes searched for facts: FF3 allowed them anywhere, writers put them into the first ones.
const MAX_INFO_NODES: usize = 3;

/// Moves of Black that can be handicap stones.
const MAX_HANDICAP_MOVES: usize = 25;

/// Whether a property says something about the game as a whole.
fn is_info(ident: &str) -> bool {
    matches!(
        ident,
        "GM" | "SZ"
            | "TOPO"
            | "PB"
            | "PW"
            | "BR"
            | "WR"
            | "BT"
            | "WT"
            | "GN"
            | "EV"
            | "RO"
            | "PC"
            | "DT"
            | "RE"
            | "KM"
            | "RU"
            | "HA"
            | "TM"
            | "OT"
            | "SO"
            | "AN"
            | "AP"
            | "GC"
    )
}

impl<'t> InfoTexts<'t> {
    fn collect(&mut self, tree: &'t GameTree) {
        for node in tree.line_from(NodeId::ROOT).take(MAX_INFO_NODES) {
            for property in tree.properties(node) {
                let ident = property.ident();
                if is_info(&ident) && self.get(&ident).is_none_or(|text| text.trim().is_empty()) {
                    let text = property.texts().next().unwrap_or_default();
                    self.found.push((ident, text));
                }
            }
        }
    }

    /// The last one counts: an earlier one was empty.
    fn get(&self, ident: &str) -> Option<&str> {
        self.found.iter().rev().find(|(name, _)| name == ident).map(|(_, text)| &**text)
    }
}

fn parse_size(text: &str, problems: &mut Vec<Problem>) -> BoardSize {
    let text = text.trim();
    if text.is_empty() {
        return BoardSize::NINETEEN;
    }
    let mut sides = text.split([':', 'x', 'X']).map(|side| side.trim().parse::<usize>());
    let size = match (sides.next(), sides.next(), sides.next()) {
        (Some(Ok(side)), None, _) => BoardSize::square(side).ok(),
        (Some(Ok(width)), Some(Ok(height)), None) => BoardSize::new(width, height).ok(),
        _ => None,
    };
    size.unwrap_or_else(|| {
        problems.push(Problem::BadSize { size: shorten(text) });
        BoardSize::NINETEEN
    })
}

/// Points of `KM`. Fox writes hundredths (`650`, `750`) and, for games counted in Chinese stones, hundredths of
/// stones (`375` is 3.75 stones, 7.5 points), never with a decimal point; others write the stones (`3.75`, `3又3/4子`).
fn parse_komi(text: &str, hundredths_from: f64, problems: &mut Vec<Problem>) -> Option<Komi> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let plain = half_width(text);
    let found = komi_points(&plain).and_then(|(value, written)| {
        let hundredths = value.abs() >= hundredths_from && !written.has_decimals;
        let points = if hundredths { value / 100.0 } else { value };
        // No komi in points ends in a quarter.
        let in_stones = !written.are_stones && (points * 4.0).fract() == 0.0 && (points * 2.0).fract() != 0.0;
        let komi = Komi::from_points(if in_stones { points * 2.0 } else { points }).ok()?;
        Some((komi, hundredths || in_stones || written.are_stones))
    });
    match found {
        Some((komi, other_unit)) => {
            if other_unit {
                problems.push(Problem::ServerKomi { komi: shorten(text), half_points: komi.half_points() });
            }
            Some(komi)
        }
        None => {
            problems.push(Problem::BadKomi { komi: shorten(text) });
            None
        }
    }
}

/// The points of a komi, stones counted double, and how they were written; `None` where that is not understood.
fn komi_points(text: &str) -> Option<(f64, WrittenPoints<'_>)> {
    const WORDS: [&str; 8] = ["コミ", "黑贴", "黑貼", "贴", "貼", "덤", "komi", "km"];
    let text = WORDS.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text).trim_start_matches([' ', ':']);
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => (-1.0, text),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let found = WrittenPoints::begin(text)?;
    // `6.5 (Japanese)` and `6.5 points` say nothing that changes it; more digits would.
    let is_harmless = found.rest.is_ascii() && !found.rest.contains(|c: char| c.is_ascii_digit());
    is_harmless.then(|| (sign * found.in_points(), found))
}

/// Full-width digits and letters as the usual ones, in lower case.
fn half_width(text: &str) -> String {
    let usual = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xff01 + 0x21).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    };
    text.chars().map(usual).flat_map(char::to_lowercase).collect()
}

/// The last date, where it is not the first as well.
fn last_of(dates: &[GameDate]) -> Option<GameDate> {
    let last = dates.iter().copied().max()?;
    (last > *dates.first()?).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_sgf;
    use honinbo_rules::{KoRule, Tax};

    #[test]
    fn a_game_of_several_days_has_a_last_one() {
        let days = |date: &str| {
            let info = info(&format!("(;SZ[9]DT[{date}])"));
            [info.date, info.last_date].map(|date| date.map(|date| date.to_string()).unwrap_or_default())
        };
        assert_eq!(days("1846-09-11,14,15"), ["1846-09-11", "1846-09-15"]);
        assert_eq!(days("1996-05,06"), ["1996-05", "1996-06"]);
        assert_eq!(days("1996-05-06"), ["1996-05-06", ""]);
        assert_eq!(days("1996-05-06,06"), ["1996-05-06", ""]);
        assert_eq!(days(""), ["", ""]);
    }

    fn info(sgf: &str) -> GameInfo {
        GameInfo::of(&read_sgf(sgf.as_bytes()).games[0].tree)
    }

    #[test]
    fn komi_of_servers_is_repaired() {
        for (written, points, repaired) in [
            ("6.5", 6.5, false),
            ("7.50", 7.5, false),
            ("375", 7.5, true),
            ("325", 6.5, true),
            ("750", 7.5, true),
            ("650", 6.5, true),
            ("3.75", 7.5, true),
            ("6,5", 6.5, false),
            ("0", 0.0, false),
            ("-5", -5.0, false),
            ("6.5目", 6.5, false),
            ("150.0", 150.0, false),
            ("-120,0", -120.0, false),
            ("150.5", 150.5, false),
            ("6目半", 6.5, false),
            ("6半", 6.5, false),
            ("5目半", 5.5, false),
            ("6집반", 6.5, false),
            ("6 1/2", 6.5, false),
            ("6½", 6.5, false),
            ("６．５", 6.5, false),
            ("コミ6目半", 6.5, false),
            ("贴6.5目", 6.5, false),
            ("3又3/4子", 7.5, true),
            ("贴3又3/4子", 7.5, true),
            ("3 3/4", 7.5, true),
            ("6.5 points (Japanese)", 6.5, false),
        ] {
            let info = info(&format!("(;KM[{written}])"));
            assert_eq!(info.komi.map(Komi::points), Some(points), "{written}");
            assert_eq!(!info.problems.is_empty(), repaired, "{written}");
        }
        assert_eq!(info("(;KM[much])").komi, None);
        assert_eq!(info("(;KM[1e308])").komi, None);
        assert_eq!(info("(;KM[6.5 or 7.5])").komi, None);
        assert_eq!(info("(;)").komi_or_guess().points(), 7.5);
        assert_eq!(info("(;DT[1846-09-11])").komi_or_guess().points(), 0.0);
    }

    #[test]
    fn the_usual_komi_is_that_of_even_games_where_fox_writes_none() {
        for (written, points, repaired) in [
            ("AP[GNU Go:3.8]AP[foxwq]RU[Japanese]KM[0]HA[0]", 6.5, true),
            ("AP[YuanYu][foxwq]RU[Chinese]KM[0]HA[0]", 7.5, true),
            ("AP[YuanYu]RU[Japanese]KM[0]HA[0]TM[60]TC[3]TT[30]", 6.5, true),
            ("AP[foxwq]RU[Japanese]KM[0]HA[1]", 0.0, false),
            ("AP[foxwq]RU[Japanese]KM[0]HA[2]AB[dp][pd]", 0.0, false),
            ("AP[foxwq]RU[Japanese]KM[0.0]HA[0]", 0.0, false),
            ("AP[CGoban:3]RU[Japanese]KM[0]HA[0]", 0.0, false),
        ] {
            let info = info(&format!("(;GM[1]SZ[19]{written})"));
            assert_eq!(info.komi_or_guess().points(), points, "{written}");
            let said = info.problems.iter().any(|problem| matches!(problem, Problem::ServerKomi { .. }));
            assert_eq!(said, repaired, "{written}");
        }
    }

    #[test]
    fn handicaps_of_fox_are_counted_and_their_komi_is_small() {
        let facts = |sgf: &str| {
            let info = info(sgf);
            (info.handicap, info.komi_or_guess().points(), info.problems.len())
        };
        let fox = "(;GM[1]SZ[19]AP[GNU Go:3.8]AP[foxwq]RU[Chinese]";
        assert_eq!(facts(&format!("{fox}KM[375]HA[0];B[pd];B[pq];B[dd];W[qo];B[qp])")), (3, 0.0, 1));
        assert_eq!(facts(&format!("{fox}KM[0]HA[0];B[pd];B[pq];W[qo])")), (2, 0.0, 0));
        // As the person wrote it.
        assert_eq!(facts(&format!("{fox}KM[5.5]HA[0];B[pd];B[pq];W[qo])")), (2, 5.5, 0));
        assert_eq!(facts(&format!("{fox}KM[375]HA[0];B[pd];W[pq];B[qo])")), (0, 7.5, 1));
        assert_eq!(facts("(;SZ[19]KM[7.5]HA[0];B[pd];B[pq];W[qo])"), (0, 7.5, 0));
        assert_eq!(facts("(;SZ[19]AP[foxwq]RU[Japanese]KM[50]HA[2]AB[dp][pd];W[qo])"), (2, 0.5, 1));
        assert_eq!(facts("(;SZ[19]RU[Japanese]KM[50]HA[2]AB[dp][pd];W[qo])"), (2, 50.0, 0));
    }

    #[test]
    fn every_komi_is_read_back_as_it_is_written() {
        let limit = 2 * Komi::LIMIT_POINTS;
        for komi in (-limit..=limit).map(Komi::from_half_points) {
            let written = komi_to_write(komi);
            let info = info(&format!("(;KM[{written}])"));
            assert_eq!((info.komi, info.problems.len()), (Some(komi), 0), "{written}");
        }
    }

    #[test]
    fn sizes_are_square_rectangular_or_19() {
        for (written, expected, fine) in [
            ("9", "9x9", true),
            ("19:13", "19x13", true),
            ("7x11", "7x11", true),
            ("52", "52x52", true),
            ("53", "19x19", false),
            ("1", "19x19", false),
            ("nineteen", "19x19", false),
            ("9:9:9", "19x19", false),
        ] {
            let info = info(&format!("(;SZ[{written}])"));
            assert_eq!(info.size.to_string(), expected, "{written}");
            assert_eq!(info.problems.is_empty(), fine, "{written}");
        }
    }

    #[test]
    fn the_joined_edges_of_q5go_are_known() {
        for (written, topology, is_go) in [
            ("GM[q5go-1]TO[3]", Topology::Torus, true),
            ("GM[q5go-1]TO[1]", Topology::Cylinder, true),
            ("GM[q5go-1]TO[2]", Topology::Plane, false),
            ("GM[1]TO[3]", Topology::Plane, true),
            ("GM[2]TO[3]", Topology::Plane, false),
        ] {
            let tree = read_sgf(format!("(;{written}SZ[9];B[aa])").as_bytes()).games.remove(0).tree;
            assert_eq!((GameInfo::of(&tree).topology, tree.is_go_record()), (topology, is_go), "{written}");
        }
    }

    #[test]
    fn rulesets_have_many_names() {
        for (written, expected) in [
            ("Japanese", Preset::Japanese),
            ("japan", Preset::Japanese),
            ("日本规则", Preset::Japanese),
            ("Chinese", Preset::Chinese),
            ("中国规则", Preset::Chinese),
            ("cn", Preset::Chinese),
            ("AGA", Preset::Aga),
            ("GOE", Preset::Ing),
            ("NZ", Preset::NewZealand),
            ("Korean", Preset::Korean),
            ("Tromp-Taylor", Preset::TrompTaylor),
        ] {
            assert_eq!(info(&format!("(;RU[{written}])")).rules, Some(expected), "{written}");
        }
        let unknown = info("(;RU[of the house])");
        assert_eq!(unknown.rules, None);
        assert_eq!(unknown.problems, [Problem::UnknownRuleset { name: "of the house".into() }]);
    }

    #[test]
    fn rules_that_are_spelled_out_are_taken_whole() {
        let compact = info("(;RU[koSITUATIONALscoreAREAtaxSEKIsui1komi5.5])");
        let ruleset = compact.ruleset_or_guess();
        assert_eq!((ruleset.ko, ruleset.tax, ruleset.multi_stone_suicide), (KoRule::Situational, Tax::Seki, true));
        assert_eq!((compact.rules, compact.preset_or_guess()), (None, Preset::Chinese));
        assert_eq!(compact.komi_or_guess().points(), 5.5);
        assert_eq!(info("(;RU[koPOSITIONALscoreAREAtaxNONEsui1komi5.5]KM[7])").komi_or_guess().points(), 7.0);
        assert!(compact.problems.is_empty());
        // As earlier versions of `honinbo match` wrote them.
        let json = ruleset.to_json().to_string().replace(']', "\\]");
        let read = info(&format!("(;RU[{json}]KM[6.5])"));
        assert_eq!((read.ruleset_or_guess(), read.preset_or_guess()), (ruleset, Preset::Chinese));
        let territory = info("(;RU[koPOSITIONALscoreTERRITORYtaxALLsui0])");
        assert_eq!(territory.preset_or_guess(), Preset::Japanese);
    }

    #[test]
    fn names_of_chinese_and_korean_sites_are_known_in_the_root() {
        let found = info("(;TE[第9届LG杯]RD[2004-06-14]KO[6.5]PB[a];B[pd]TE[1];W[dd]KO[])");
        assert_eq!((found.event.as_str(), found.date_text.as_str()), ("第9届LG杯", "2004-06-14"));
        assert_eq!((found.date.map(|date| date.year), found.komi.map(Komi::points)), (Some(2004), Some(6.5)));
        let usual = info("(;EV[a]TE[b]DT[2001]RD[2002]KM[5.5]KO[6.5])");
        assert_eq!((usual.event.as_str(), usual.date_text.as_str()), ("a", "2001"));
        assert_eq!(usual.komi.map(Komi::points), Some(5.5));
        let marks = info("(;TE[1]KO[])");
        assert_eq!((marks.event.as_str(), marks.komi, marks.problems.len()), ("", None, 0));
        assert_eq!(info("(;EV[1])").event, "1");
        assert_eq!(info("(;PB[a];B[pd]TE[2]KO[7])").komi, None);
    }

    #[test]
    fn facts_in_the_second_node_and_old_spellings_are_found() {
        let info = info("(;GaMe[1]SiZe[13];PlayerBlack[Dosaku]PlayerWhite[Inseki]WhiteRank[meijin];Black[aa])");
        assert_eq!((info.black.name.as_str(), info.white.name.as_str()), ("Dosaku", "Inseki"));
        assert_eq!(info.white.rank, "meijin");
    }
}
