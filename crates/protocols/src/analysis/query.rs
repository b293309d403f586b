//! A query, read and checked before anything is searched.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use honinbo_rules::{
    BoardSize, Color, Game, HandicapBonus, HandicapCount, Komi, Move, Point, Ruleset, Setup, Topology,
};
use honinbo_search::{MoveLists, RootFocus, RootTargets};
use serde_json::{Map, Value};

use super::fields::{FieldError, Fields, shortened};
use super::settings::Settings;
use crate::katago::explained;

/// Fields that a query may have.
pub(crate) const FIELDS: [&str; 38] = [
    "action",
    "allowMoves",
    "analysisPVLen",
    "analyzeTurns",
    "avoidMoves",
    "boardXSize",
    "boardYSize",
    "firstReportDuringSearchAfter",
    "focusMoves",
    "focusProb",
    "focusWeights",
    "id",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includeNoResultValue",
    "includeOwnership",
    "includeOwnershipStdev",
    "includePVVisits",
    "includePolicy",
    "initialPlayer",
    "initialStones",
    "komi",
    "maxVisits",
    "moves",
    "overrideSettings",
    "priorities",
    "priority",
    "reportDuringSearchEvery",
    "rootFpuReductionMax",
    "rootPolicyTemperature",
    "rules",
    "targetId",
    "targetMoves",
    "targetVisits",
    "terminateId",
    "topology",
    "turnNumbers",
    "whiteHandicapBonus",
];
/// Priorities beyond this either way are refused.
const MAX_PRIORITY: i64 = 1 << 62;

/// What a query asks about some turns of a game.
#[derive(Debug)]
pub(crate) struct Query {
    pub(crate) id: String,
    /// Before the first move.
    start: Game,
    moves: Vec<(Color, Move)>,
    /// Turns to analyse, each with its priority, in the order of the game.
    pub(crate) turns: Vec<(usize, i64)>,
    pub(crate) settings: Settings,
    pub(crate) lists: Option<MoveLists>,
    pub(crate) wants: Wants,
    /// Root moves that go first.
    pub(crate) targets: Option<RootTargets>,
    /// Root moves that are looked at more closely from the beginning.
    pub(crate) focus: Option<RootFocus>,
}

/// What the answers are to contain.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wants {
    pub(crate) ownership: bool,
    pub(crate) ownership_stdev: bool,
    pub(crate) moves_ownership: bool,
    pub(crate) moves_ownership_stdev: bool,
    pub(crate) policy: bool,
    pub(crate) pv_visits: bool,
    pub(crate) no_result: bool,
    /// Time until the first report during the search, and between the others.
    pub(crate) reports: Option<(Duration, Duration)>,
}

impl Wants {
    /// Whether evaluations must include ownership.
    pub(crate) fn any_ownership(&self) -> bool {
        self.ownership || self.ownership_stdev || self.moves_ownership || self.moves_ownership_stdev
    }
}

impl Query {
    /// The board of its game.
    pub(crate) fn size(&self) -> BoardSize {
        self.start.board().size()
    }

    /// Reads a query. What does not keep it from being answered is added to the warnings.
    pub(crate) fn read(
        id: &str,
        object: &Map<String, Value>,
        defaults: &Settings,
        warnings: &mut Vec<FieldError>,
    ) -> Result<Self, FieldError> {
        let fields = Fields(object);
        let size = board_size(&fields)?;
        let moves = fields
            .turns("moves", size)?
            .ok_or_else(|| FieldError::new("moves", "expected a list of pairs such as [\"b\", \"D4\"]"))?;
        let turns = turns(&fields, moves.len())?;
        let settings = settings(&fields, defaults, warnings)?;
        let mut start = start(&fields, size, moves.first().map(|(color, _)| *color), settings.counts_opening_moves)?;
        start.set_prevent_clean_up(settings.prevents_clean_up);
        let query = Self {
            id: id.to_owned(),
            start,
            moves,
            turns,
            settings,
            lists: move_lists(&fields, size)?,
            wants: wants(&fields)?,
            targets: targets(&fields, size)?,
            focus: focus(&fields, size)?,
        };
        query.replay()?;
        if query.settings.warn_unused_fields {
            let unused = object.keys().filter(|name| !FIELDS.contains(&name.as_str()));
            warnings.extend(unused.map(|name| FieldError::new(name, "this field means nothing here and is left out")));
        }
        Ok(query)
    }

    /// The position before the move of this number.
    pub(crate) fn position(&self, turn: usize) -> Result<Game, FieldError> {
        let mut game = self.start.clone();
        for number in 0..turn.min(self.moves.len()) {
            self.play(&mut game, number)?;
        }
        Ok(game)
    }

    /// Whether all moves can be played.
    fn replay(&self) -> Result<(), FieldError> {
        self.position(self.moves.len()).map(drop)
    }

    /// A player who is not on turn plays in the position without its history.
    fn play(&self, game: &mut Game, number: usize) -> Result<(), FieldError> {
        let (color, mv) = self.moves[number];
        let size = game.board().size();
        let illegal = || FieldError::new("moves", format!("Illegal move {number}: {}", mv.to_gtp(size)));
        if game.to_play() != color {
            *game = game.for_player(color).map_err(|_| illegal())?;
        }
        game.play_tolerant(color, mv).map_err(|_| illegal())
    }
}

fn board_size(fields: &Fields<'_>) -> Result<BoardSize, FieldError> {
    let side = |name: &str| {
        let (low, high) = (BoardSize::MIN as i64, BoardSize::MAX as i64);
        let side = fields.integer(name, low, high)?;
        side.ok_or_else(|| FieldError::new(name, format!("expected a whole number from {low} to {high}")))
    };
    let (width, height) = (side("boardXSize")?, side("boardYSize")?);
    BoardSize::new(width as usize, height as usize).map_err(|error| FieldError::new("boardXSize", error.to_string()))
}

/// Turns with their priorities.
fn turns(fields: &Fields<'_>, last: usize) -> Result<Vec<(usize, i64)>, FieldError> {
    let limits = -MAX_PRIORITY..=MAX_PRIORITY;
    let priority = fields.integer("priority", *limits.start(), *limits.end())?;
    let asked = fields.integers("analyzeTurns")?;
    let priorities = fields.integers("priorities")?;
    if let Some(priorities) = &priorities {
        let wrong = |message: &str| Err(FieldError::new("priorities", message));
        if priority.is_some() {
            return Err(FieldError::new("priority", "expected either priority or priorities"));
        }
        match &asked {
            None => return wrong("expected analyzeTurns beside it"),
            Some(asked) if asked.len() != priorities.len() => {
                return wrong("expected as many as there are analyzeTurns");
            }
            Some(_) if !priorities.iter().all(|priority| limits.contains(priority)) => {
                return wrong("a priority is out of range");
            }
            Some(_) => {}
        }
    }
    let mut turns = BTreeMap::new();
    for (index, turn) in asked.unwrap_or_else(|| vec![last as i64]).into_iter().enumerate() {
        let Some(turn) = usize::try_from(turn).ok().filter(|turn| *turn <= last) else {
            return Err(FieldError::new("analyzeTurns", format!("Invalid turn number: {turn}")));
        };
        let own = priorities.as_ref().map(|priorities| priorities[index]);
        turns.insert(turn, own.or(priority).unwrap_or(0));
    }
    Ok(turns.into_iter().collect())
}

fn rules(fields: &Fields<'_>) -> Result<(Ruleset, Komi), FieldError> {
    let missing = || FieldError::new("rules", "expected a ruleset such as \"chinese\", or an object with its parts");
    let (parsed, text) = match fields.get("rules") {
        // A string may hold an object, too.
        Some(Value::String(text)) => (Ruleset::parse(text), text.clone()),
        Some(value @ Value::Object(_)) => (Ruleset::from_json(value), value.to_string()),
        _ => return Err(missing()),
    };
    let parsed = parsed.map_err(|error| {
        FieldError::new("rules", format!("could not parse rules: {}: {error}; {}", shortened(&text), error.hint()))
    })?;
    let mut ruleset = parsed.ruleset;
    if let Some(value) = fields.get("whiteHandicapBonus") {
        let name = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        ruleset.white_handicap_bonus = HandicapBonus::ALL
            .into_iter()
            .find(|bonus| bonus.name() == name)
            .ok_or_else(|| FieldError::new("whiteHandicapBonus", "expected \"0\", \"N\" or \"N-1\""))?;
    }
    let limit = f64::from(Komi::LIMIT_POINTS);
    let komi = match fields.number("komi", -limit, limit)? {
        Some(points) => Komi::from_points(points).map_err(|error| FieldError::new("komi", error.to_string()))?,
        None => parsed.komi,
    };
    Ok((ruleset, komi))
}

/// The game before its first move.
fn start(
    fields: &Fields<'_>,
    size: BoardSize,
    first_mover: Option<Color>,
    counts_opening_moves: bool,
) -> Result<Game, FieldError> {
    let (ruleset, komi) = rules(fields)?;
    let topology = match fields.get("topology") {
        None => Topology::Plane,
        Some(value) => value
            .as_str()
            .and_then(Topology::parse)
            .ok_or_else(|| FieldError::new("topology", "expected \"plane\", \"cylinder\" or \"torus\""))?,
    };
    let mut stones: BTreeMap<usize, (Point, Color)> = BTreeMap::new();
    for (color, mv) in fields.turns("initialStones", size)?.unwrap_or_default() {
        let Move::Place(point) = mv else { return Err(FieldError::new("initialStones", "a pass is no stone")) };
        stones.insert(point.index(size), (point, color));
    }
    let handicap = if counts_opening_moves { HandicapCount::StonesAndOpeningMoves } else { HandicapCount::Stones };
    let stones = stones.into_values().collect();
    let setup = Setup { stones, handicap, ..Setup::new(size, topology, ruleset, komi) };
    let game = |first_player| {
        Game::new(Setup { first_player, ..setup.clone() })
            .map_err(|error| FieldError::new("initialStones", error.on_board(size)))
    };
    let asked = fields.player("initialPlayer")?.or(first_mover);
    let black_first = game(asked.unwrap_or(Color::Black))?;
    // After handicap stones White begins.
    if asked.is_none() && black_first.handicap_stones() > 0 { game(Color::White) } else { Ok(black_first) }
}

fn settings(fields: &Fields<'_>, defaults: &Settings, warnings: &mut Vec<FieldError>) -> Result<Settings, FieldError> {
    let mut settings = defaults.clone();
    if let Some(value) = fields.get("overrideSettings") {
        let refused = |message: String| FieldError::new("overrideSettings", message);
        let object = value.as_object().ok_or_else(|| refused("expected an object".into()))?;
        let mut unknown = Vec::new();
        for (name, value) in object {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if !settings.set(name, &text).map_err(|error| refused(format!("could not set settings: {error}")))? {
                unknown.push(explained(&shortened(name)));
            }
        }
        settings.check().map_err(|error| refused(format!("could not set settings: {error}")))?;
        if !unknown.is_empty() {
            warnings.push(refused(unknown.join("; ")));
        }
    }
    if let Some(visits) = fields.integer("maxVisits", 1, 1 << 50)? {
        settings.max_visits = visits as u64;
    }
    if let Some(length) = fields.integer("analysisPVLen", 1, 1000)? {
        settings.pv_len = length as usize;
    }
    if let Some(reduction) = fields.number("rootFpuReductionMax", 0.0, 2.0)? {
        settings.params.root_fpu_reduction_max = reduction;
    }
    if let Some(temperature) = fields.number("rootPolicyTemperature", 0.01, 100.0)? {
        settings.params.root_policy_temperature = temperature;
        settings.params.root_policy_temperature_early = temperature;
    }
    Ok(settings)
}

fn wants(fields: &Fields<'_>) -> Result<Wants, FieldError> {
    let seconds = |name: &str| fields.number(name, 0.001, 1e6).map(|seconds| seconds.map(Duration::from_secs_f64));
    let every = seconds("reportDuringSearchEvery")?;
    let first = seconds("firstReportDuringSearchAfter")?;
    // With a first report alone there are no others.
    let reports = first.or(every).map(|first| (first, every.unwrap_or(Duration::from_secs(1_000_000))));
    Ok(Wants {
        ownership: fields.flag("includeOwnership")?,
        ownership_stdev: fields.flag("includeOwnershipStdev")?,
        moves_ownership: fields.flag("includeMovesOwnership")?,
        moves_ownership_stdev: fields.flag("includeMovesOwnershipStdev")?,
        policy: fields.flag("includePolicy")?,
        pv_visits: fields.flag("includePVVisits")?,
        no_result: fields.flag("includeNoResultValue")?,
        reports,
    })
}

fn move_lists(fields: &Fields<'_>, size: BoardSize) -> Result<Option<MoveLists>, FieldError> {
    let (name, allows) = match (fields.get("allowMoves"), fields.get("avoidMoves")) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => return Err(FieldError::new("allowMoves", "expected either allowMoves or avoidMoves")),
        (Some(_), None) => ("allowMoves", true),
        (None, Some(_)) => ("avoidMoves", false),
    };
    let form = || FieldError::new(name, "expected a list of objects with player, moves and untilDepth");
    let mut lists = MoveLists::new(size);
    let mut players = BTreeSet::new();
    for entry in fields.get(name).and_then(Value::as_array).ok_or_else(form)? {
        let entry = Fields(entry.as_object().ok_or_else(form)?);
        let within = |problem: FieldError| FieldError::new(name, format!("{}: {}", problem.field, problem.message));
        let player = entry.player("player").map_err(within)?.ok_or_else(form)?;
        let moves = entry.moves("moves", size).map_err(within)?.ok_or_else(form)?;
        let depth = entry.integer("untilDepth", 1, 1_000_000_000).map_err(within)?.ok_or_else(form)? as u32;
        let is_first = players.insert(player.index());
        if !allows {
            lists.avoid(player, &moves, depth);
        } else if is_first {
            lists.allow_only(player, &moves, depth);
        } else {
            return Err(FieldError::new(name, "expected at most one entry for each player"));
        }
    }
    Ok(Some(lists))
}

/// `focusMoves` get a share of the playouts, half of them where `focusProb` says no other, each as much as `focusWeights`
/// say.
///
/// Source: KataGo v1.18.2 (commit 47aadc0), `analysis.cpp`.
pub(crate) fn focus(fields: &Fields<'_>, size: BoardSize) -> Result<Option<RootFocus>, FieldError> {
    let moves = fields.moves("focusMoves", size)?.unwrap_or_default();
    let share = fields.number("focusProb", 0.0, 1.0)?.unwrap_or(0.5);
    let weights = match fields.get("focusWeights") {
        None => vec![1.0; moves.len()],
        Some(list) => {
            let form = || FieldError::new("focusWeights", "expected a number above 0 for each of focusMoves");
            let numbers = list.as_array().filter(|list| list.len() == moves.len()).ok_or_else(form)?;
            let positive = |number: &f64| number.is_finite() && *number > 0.0;
            let weight = |number: &Value| number.as_f64().filter(positive).ok_or_else(form);
            numbers.iter().map(weight).collect::<Result<_, _>>()?
        }
    };
    Ok((!moves.is_empty()).then(|| RootFocus { moves: moves.into_iter().zip(weights).collect(), share }))
}

/// Our own addition: `targetVisits` gives every root move, or those of `targetMoves`, so many visits.
fn targets(fields: &Fields<'_>, size: BoardSize) -> Result<Option<RootTargets>, FieldError> {
    let moves = fields.moves("targetMoves", size)?;
    match fields.integer("targetVisits", 1, 1 << 30)? {
        Some(visits) => Ok(Some(RootTargets { moves, visits: visits as u32 })),
        None if moves.is_some() => Err(FieldError::new("targetMoves", "expected targetVisits beside it")),
        None => Ok(None),
    }
}
