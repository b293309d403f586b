//! The evaluation store: nothing is analysed twice.
//!
//! An evaluation is kept under the canonical hash of its position (equal under symmetry and exchange of colours), the
//! network, the rules and the komi. History beyond the ko point is not part of the key: a position reached in another
//! order of moves uses the same evaluation.
//!
//! Layout of the stored form, numbers little-endian: version 1; win probability in 65535ths, lead in 32nds of a point
//! (both of the player to move); flags (1: ownership); number of candidates; each with point (65535 a pass), visits
//! (LEB128), win probability, lead, prior in 65535ths, length of its line and the points of the line; ownership in
//! 127ths of the player to move. Points are those of the canonical board.

use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use honinbo_rules::{Board, Canonical, Color, Game, Komi, Move, Point, Terms, canonical};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::error::LibraryError;
use crate::open::Library;
use crate::store_size::StoreSize;
use crate::time::Timestamp;
use crate::track::{push_varint, take_varint};

const DAY_MS: i64 = 86_400_000;

/// Candidates kept for one position, the best ones.
const MAX_CANDIDATES: usize = 64;

/// Moves kept of a line.
const MAX_LINE: usize = 30;

/// What an evaluation was made with: other networks, rules or komi give others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EvaluationContext {
    /// Name or checksum of the network.
    pub network: String,
    /// Rules in a form that tells different ones apart, such as KataGo's compact string.
    pub rules: String,
    /// What White is given beside the board: the komi, the bonus for handicap stones and, where territory is counted,
    /// the prisoners.
    pub komi: Komi,
}

/// Bytes of an evaluation beside its stored form: position, context, visits and usefulness.
const ROW_BYTES: i64 = 28;

/// Percent of its limit that the store is shrunk to, so that it is not to be shrunk again at once.
const SHRUNK_TO_PERCENT: i64 = 95;

/// Evaluations removed in one transaction: others who write wait for no more.
const REMOVED_AT_ONCE: usize = 500;

/// An evaluation that may be removed.
struct Removable {
    position: Vec<u8>,
    context: i64,
    usefulness: i64,
    bytes: i64,
}

/// Stands in the rules where territory is counted.
const TERRITORY: &str = "scoreTERRITORY";

impl EvaluationContext {
    /// What evaluations of a game's present position are kept under; `None` where the position alone does not say what
    /// the network saw: after a pass, in the phases that settle a game, at its end, and where superko forbids moves.
    #[must_use]
    pub fn of(game: &Game, network: &str) -> Option<Self> {
        let Terms { rules, komi } = game.terms().filter(|_| !network.is_empty())?;
        Some(Self { network: network.to_owned(), rules, komi })
    }

    /// The context after a move that led from one board to the other.
    #[must_use]
    pub fn after(&self, before: &Board, after: &Board) -> Self {
        let halves = i64::from(self.komi.half_points()) + prisoners(&self.rules, before, after);
        let komi = Komi::from_half_points(i32::try_from(halves).unwrap_or(0));
        Self { komi, ..self.clone() }
    }
}

/// Half points that a move gave White by the stones it took off, where prisoners count.
pub(crate) fn prisoners(rules: &str, before: &Board, after: &Board) -> i64 {
    if !rules.contains(TERRITORY) {
        return 0;
    }
    let taken = |color| i64::from(after.captured_by(color)) - i64::from(before.captured_by(color));
    2 * (taken(Color::White) - taken(Color::Black))
}

impl Library {
    /// Keeps an evaluation, unless one with more visits is there, or it says nothing of the score; true when it was kept.
    /// Who evaluated is a part of the context.
    ///
    /// # Errors
    /// What the database says.
    pub fn store_evaluation(
        &self,
        board: &Board,
        to_play: Color,
        context: &EvaluationContext,
        evaluation: &PositionEvaluation,
        now: Timestamp,
    ) -> Result<bool, LibraryError> {
        self.store_evaluations(context, &[(board, to_play, evaluation)], now).map(|kept| kept == 1)
    }

    /// Keeps many evaluations in one transaction, as [`Library::store_evaluation`] does; returns how many were better than
    /// what was there.
    ///
    /// # Errors
    /// What the database says.
    pub fn store_evaluations(
        &self,
        context: &EvaluationContext,
        evaluations: &[(&Board, Color, &PositionEvaluation)],
        now: Timestamp,
    ) -> Result<u32, LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (mut kept, mut bytes) = (0, 0);
        for &(board, to_play, evaluation) in evaluations {
            let form = canonical(board, to_play);
            let Some(data) = pack(evaluation, &form, board) else { continue };
            let context = context_id(&transaction, context, form.colors_swapped, true)?.unwrap_or_default();
            let ownership_first = !evaluation.black_ownership.is_empty();
            let size = ROW_BYTES + i64::try_from(data.len()).unwrap_or(i64::MAX - ROW_BYTES);
            let changed = transaction
                .prepare_cached(
                    "INSERT INTO evaluations (position, context, visits, usefulness, data) VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT DO UPDATE SET visits = ?3, usefulness = max(usefulness, ?4), data = ?5
                     WHERE ?3 > visits OR (?3 = visits AND ?6)",
                )?
                .execute(params![
                    form.hash.to_bytes(),
                    context,
                    evaluation.visits,
                    usefulness(evaluation.visits, now),
                    data,
                    ownership_first,
                ])?;
            if changed > 0 {
                kept += changed;
                bytes += size;
            }
        }
        transaction.commit()?;
        self.store_size().added += bytes;
        Ok(u32::try_from(kept).unwrap_or(u32::MAX))
    }

    /// The evaluation of a position, turned to the board as it lies.
    ///
    /// # Errors
    /// What the database says.
    pub fn evaluation(
        &self,
        board: &Board,
        to_play: Color,
        context: &EvaluationContext,
    ) -> Result<Option<PositionEvaluation>, LibraryError> {
        self.read(|connection| evaluation_of(connection, board, to_play, context))
    }

    /// Notes that evaluations were of use, so that shrinking takes others first.
    ///
    /// # Errors
    /// What the database says.
    pub fn touch_evaluation(
        &self,
        board: &Board,
        to_play: Color,
        context: &EvaluationContext,
        now: Timestamp,
    ) -> Result<(), LibraryError> {
        let form = canonical(board, to_play);
        let writer = self.writer()?;
        let Some(context) = context_id(&writer, context, form.colors_swapped, false)? else { return Ok(()) };
        let visits: Option<u32> = writer
            .prepare_cached("SELECT visits FROM evaluations WHERE position = ?1 AND context = ?2")?
            .query_row(params![form.hash.to_bytes(), context], |row| row.get(0))
            .optional()?;
        if let Some(visits) = visits {
            writer
                .prepare_cached("UPDATE evaluations SET usefulness = ?3 WHERE position = ?1 AND context = ?2")?
                .execute(params![form.hash.to_bytes(), context, usefulness(visits, now)])?;
        }
        Ok(())
    }

    /// How many evaluations are kept, and their size in KiB.
    ///
    /// # Errors
    /// What the database says.
    pub fn evaluation_count(&self) -> Result<(u32, u32), LibraryError> {
        self.read(|connection| {
            let sql = "SELECT count(*), coalesce(sum(length(data) + ?1), 0) / 1024 FROM evaluations";
            Ok(connection.query_row(sql, [ROW_BYTES], |row| Ok((row.get(0)?, row.get(1)?)))?)
        })
    }

    /// Forgets all evaluations; returns how many there were.
    ///
    /// # Errors
    /// What the database says.
    pub fn clear_evaluations(&self) -> Result<u32, LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let removed = transaction.execute("DELETE FROM evaluations", [])?;
        transaction.execute("DELETE FROM contexts", [])?;
        transaction.commit()?;
        // It is counted anew when it is to be shrunk.
        *self.store_size() = StoreSize::default();
        Ok(u32::try_from(removed).unwrap_or(u32::MAX))
    }

    /// Where the evaluations take more than `max_kib`, removes the least useful ones (few visits, long not used) until the
    /// others take a little less than that; returns how many were removed.
    ///
    /// Cheap while there is room. Nobody who writes waits while the store is counted and sorted.
    ///
    /// # Errors
    /// What the database says.
    pub fn shrink_evaluations(&self, max_kib: u32) -> Result<u32, LibraryError> {
        let limit = i64::from(max_kib) * 1024;
        if self.store_size().at_most().is_some_and(|bytes| bytes <= limit) {
            return Ok(0);
        }
        let bytes = self.count_store()?;
        if bytes <= limit {
            return Ok(0);
        }
        let mut removed = 0;
        for batch in self.least_useful(bytes - limit * SHRUNK_TO_PERCENT / 100)?.chunks(REMOVED_AT_ONCE) {
            removed += self.remove(batch)?;
        }
        Ok(removed)
    }

    /// Counts the bytes of the store, and remembers them.
    fn count_store(&self) -> Result<i64, LibraryError> {
        // What is stored while it is counted may count twice: the size is known from above.
        let before = self.store_size().added;
        let bytes: i64 = self.read(|connection| {
            let sql = "SELECT coalesce(sum(length(data) + ?1), 0) FROM evaluations";
            Ok(connection.query_row(sql, [ROW_BYTES], |row| row.get(0))?)
        })?;
        let mut size = self.store_size();
        size.counted = Some(bytes);
        size.added -= before;
        Ok(bytes)
    }

    /// The least useful evaluations that take so many bytes together.
    fn least_useful(&self, bytes: i64) -> Result<Vec<Removable>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT position, context, usefulness, length(data) + ?1 FROM evaluations
                 ORDER BY usefulness, visits, position DESC, context DESC",
            )?;
            let mut rows = statement.query([ROW_BYTES])?;
            let (mut found, mut so_far) = (Vec::new(), 0);
            while so_far < bytes
                && let Some(row) = rows.next()?
            {
                let removable = Removable {
                    position: row.get(0)?,
                    context: row.get(1)?,
                    usefulness: row.get(2)?,
                    bytes: row.get(3)?,
                };
                so_far += removable.bytes;
                found.push(removable);
            }
            Ok(found)
        })
    }

    /// Removes evaluations in one transaction, but for those that were of use meanwhile; returns how many.
    fn remove(&self, evaluations: &[Removable]) -> Result<u32, LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (mut removed, mut bytes) = (0, 0);
        {
            let mut remove = transaction
                .prepare_cached("DELETE FROM evaluations WHERE position = ?1 AND context = ?2 AND usefulness <= ?3")?;
            for one in evaluations {
                if remove.execute(params![one.position, one.context, one.usefulness])? > 0 {
                    removed += 1;
                    bytes += one.bytes;
                }
            }
        }
        transaction.commit()?;
        self.store_size().added -= bytes;
        Ok(removed)
    }
}

pub(crate) fn evaluation_of(
    connection: &Connection,
    board: &Board,
    to_play: Color,
    context: &EvaluationContext,
) -> Result<Option<PositionEvaluation>, LibraryError> {
    let form = canonical(board, to_play);
    let Some(context) = context_id(connection, context, form.colors_swapped, false)? else { return Ok(None) };
    let mut statement =
        connection.prepare_cached("SELECT visits, data FROM evaluations WHERE position = ?1 AND context = ?2")?;
    let found: Option<(u32, Vec<u8>)> =
        statement.query_row(params![form.hash.to_bytes(), context], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    // A damaged entry is as good as none: it will be made again.
    Ok(found.and_then(|(visits, data)| unpack(&data, visits, &form, board)))
}

/// An evaluation of a position, and what it was made with.
pub(crate) struct Known {
    /// Network, rules and komi from Black's side, as one key.
    pub(crate) context: (String, String, i64),
    pub(crate) evaluation: PositionEvaluation,
}

/// All that is known of a position, whoever evaluated it.
pub(crate) fn evaluations_of(
    connection: &Connection,
    board: &Board,
    to_play: Color,
) -> Result<Vec<Known>, LibraryError> {
    let form = canonical(board, to_play);
    let mut statement = connection.prepare_cached(
        "SELECT c.network, c.rules, c.komi, e.visits, e.data FROM evaluations e JOIN contexts c ON c.id = e.context
         WHERE e.position = ?1",
    )?;
    let mut rows = statement.query([form.hash.to_bytes()])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let komi: i64 = row.get(2)?;
        let visits = row.get(3)?;
        let Some(evaluation) = unpack(row.get_ref(4)?.as_blob().unwrap_or_default(), visits, &form, board) else {
            continue;
        };
        let komi = if form.colors_swapped { -komi } else { komi };
        let context = (row.get(0)?, row.get(1)?, komi);
        found.push(Known { context, evaluation });
    }
    Ok(found)
}

/// The row of a context; komi is for the player who is not to move on the canonical board, where Black moves.
fn context_id(
    connection: &Connection,
    context: &EvaluationContext,
    swapped: bool,
    make: bool,
) -> Result<Option<i64>, LibraryError> {
    let komi = if swapped { -context.komi.half_points() } else { context.komi.half_points() };
    let key = params![context.network, context.rules, komi];
    let found: Option<i64> = connection
        .prepare_cached("SELECT id FROM contexts WHERE network = ?1 AND rules = ?2 AND komi = ?3")?
        .query_row(key, |row| row.get(0))
        .optional()?;
    if found.is_some() || !make {
        return Ok(found);
    }
    let mut statement = connection.prepare_cached("INSERT INTO contexts (network, rules, komi) VALUES (?1, ?2, ?3)")?;
    Ok(Some(statement.insert(params![context.network, context.rules, komi])?))
}

fn usefulness(visits: u32, now: Timestamp) -> i64 {
    now / DAY_MS + 30 * i64::from(visits.max(1).ilog2())
}

const PASS: u16 = u16::MAX;

/// Steps of a point in which leads are kept.
const LEAD_STEPS: f64 = 32.0;

/// The stored form; `None` without a lead, which it has no place to leave out.
fn pack(evaluation: &PositionEvaluation, form: &Canonical, board: &Board) -> Option<Vec<u8>> {
    let black_lead = evaluation.black_lead?;
    let swapped = form.colors_swapped;
    let mut out = Vec::with_capacity(64 + evaluation.black_ownership.len());
    let owned = evaluation.black_ownership.len() == board.size().area();
    out.push(1);
    push_part(&mut out, for_mover(evaluation.black_win_prob, swapped));
    push_lead(&mut out, black_lead, swapped);
    out.push(u8::from(owned));
    let candidates = &evaluation.candidates[..evaluation.candidates.len().min(MAX_CANDIDATES)];
    out.push(candidates.len() as u8);
    for candidate in candidates {
        push_move(&mut out, candidate.played, form);
        push_varint(&mut out, candidate.visits.into());
        push_part(&mut out, for_mover(candidate.black_win_prob, swapped));
        push_lead(&mut out, candidate.black_lead.unwrap_or(black_lead), swapped);
        push_part(&mut out, candidate.prior);
        let line = &candidate.line[..candidate.line.len().min(MAX_LINE)];
        out.push(line.len() as u8);
        line.iter().for_each(|&played| push_move(&mut out, played, form));
    }
    if owned {
        let mut points = vec![0u8; evaluation.black_ownership.len()];
        for (at, &owner) in evaluation.black_ownership.iter().enumerate() {
            let target = form.to_canonical(Point::from_index(at, board.size())).index(form.size());
            let owner = if swapped { -owner } else { owner };
            points[target] = ((owner.clamp(-1.0, 1.0) * 127.0).round() as i8) as u8;
        }
        out.extend(points);
    }
    Some(out)
}

fn for_mover(black_win_prob: f64, swapped: bool) -> f64 {
    if swapped { 1.0 - black_win_prob } else { black_win_prob }
}

fn push_part(out: &mut Vec<u8>, part: f64) {
    // NaN becomes 0 here, so nothing that is not a number ever leaves the store.
    out.extend(((part.clamp(0.0, 1.0) * 65535.0).round() as u16).to_le_bytes());
}

fn push_lead(out: &mut Vec<u8>, black_lead: f64, swapped: bool) {
    let lead = if swapped { -black_lead } else { black_lead };
    out.extend(lead_steps(lead).to_le_bytes());
}

/// 32nds of a point.
fn lead_steps(lead: f64) -> i16 {
    (lead * LEAD_STEPS).round().clamp(-32767.0, 32767.0) as i16
}

/// A lead in points as it will be read from the store, so that who reckons before and after agree.
pub(crate) fn kept_lead(lead: f64) -> f64 {
    f64::from(lead_steps(lead)) / LEAD_STEPS
}

fn push_move(out: &mut Vec<u8>, played: Move, form: &Canonical) {
    let at = match played {
        Move::Place(point) => form.to_canonical(point).index(form.size()) as u16,
        Move::Pass | Move::Resign => PASS,
    };
    out.extend(at.to_le_bytes());
}

fn unpack(data: &[u8], visits: u32, form: &Canonical, board: &Board) -> Option<PositionEvaluation> {
    let mut rest = data;
    let swapped = form.colors_swapped;
    if take_byte(&mut rest)? != 1 {
        return None;
    }
    let black_win_prob = for_mover(take_part(&mut rest)?, swapped);
    let black_lead = Some(take_lead(&mut rest, swapped)?);
    let owned = take_byte(&mut rest)? & 1 == 1;
    let mut candidates = Vec::new();
    for _ in 0..take_byte(&mut rest)? {
        let played = take_move(&mut rest, form)?;
        let visits = u32::try_from(take_varint(&mut rest)?).ok()?;
        let black_win_prob = for_mover(take_part(&mut rest)?, swapped);
        let black_lead = Some(take_lead(&mut rest, swapped)?);
        let prior = take_part(&mut rest)?;
        let line = (0..take_byte(&mut rest)?).map(|_| take_move(&mut rest, form)).collect::<Option<_>>()?;
        candidates.push(CandidateEvaluation { played, visits, black_win_prob, black_lead, prior, line });
    }
    let mut black_ownership = Vec::new();
    if owned {
        let points = rest.get(..board.size().area())?;
        black_ownership = Point::all(board.size())
            .map(|point| {
                let owner = f32::from(points[form.to_canonical(point).index(form.size())] as i8) / 127.0;
                if swapped { -owner } else { owner }
            })
            .collect();
    }
    Some(PositionEvaluation { visits, black_win_prob, black_lead, candidates, black_ownership, engine: None })
}

fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    let (&byte, tail) = rest.split_first()?;
    *rest = tail;
    Some(byte)
}

fn take_u16(rest: &mut &[u8]) -> Option<u16> {
    Some(u16::from_le_bytes([take_byte(rest)?, take_byte(rest)?]))
}

fn take_part(rest: &mut &[u8]) -> Option<f64> {
    Some(f64::from(take_u16(rest)?) / 65535.0)
}

fn take_lead(rest: &mut &[u8], swapped: bool) -> Option<f64> {
    let lead = f64::from(take_u16(rest)? as i16) / LEAD_STEPS;
    Some(if swapped { -lead } else { lead })
}

fn take_move(rest: &mut &[u8], form: &Canonical) -> Option<Move> {
    let at = usize::from(take_u16(rest)?);
    if at == usize::from(PASS) {
        return Some(Move::Pass);
    }
    let size = form.size();
    (at < size.area()).then(|| Move::Place(form.from_canonical(Point::from_index(at, size))))
}
