//! The stored form of a record's text: every byte of it, in about a hundred bytes beside the moves.
//!
//! Nodes of the main line that are nothing but a move are left out, since the [`Track`] has them: in their place
//! stands the byte 1 and their number. The rest is compressed with a dictionary of what headers of records look like.
//! A text that contains the byte 1 itself is compressed whole.

use honinbo_record::{GameTree, read_sgf_text};
use rusqlite::{Connection, OptionalExtension};

use crate::error::LibraryError;
use crate::track::{Track, push_varint, take_varint};

const PLAIN: u8 = 1;
const WITHOUT_MOVES: u8 = 2;
const MARK: u8 = 1;

/// Every frame of the compressor begins with these bytes, which are not stored.
const FRAME_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Largest text that is unpacked: what the reader accepts, so that a damaged length cannot ask for all memory.
const MAX_TEXT: usize = 3 << 30;

/// Part of the format: texts stored with it need it. The most usual pieces stand last, where they are cheapest.
const DICTIONARY: &[u8] = b"LB[ba:A]TR[pd]SQ[dd]CR[pp]MA[qq]AR[dd:pp]DM[1]GB[1]GW[1]HO[1]UC[1]BM[1]TE[1]DO[]IT[]KO[]\
N[Variation]V[0.5]US[]AN[]CP[]SO[http://www.]GC[GameType: GameCategory: ]ON[]RO[1]RO[Final]RO[Game 1]TB[aa][ba][ca]\
TW[aa][ba]BT[Japan]WT[China]WT[Korea]ST[2]AP[CGoban:3]AP[Sabaki:0.52.2]AP[MultiGo:4.4.4]AP[YuanYu]AP[foxwq]AP[Tygem]\
AP[GOWrite:3]AP[SmartGo]AP[MyGoGrinder]EV[Honinbo]EV[Kisei]EV[Meijin]EV[LG Cup]EV[Samsung Cup]EV[Nongshim Cup]\
PC[Tokyo]PC[Seoul]PC[Beijing]PC[KGS: The KGS Go Server at http://www.gokgs.com/]PC[OGS: https://online-go.com/game/]\
PC[Tom]OT[3x60 byo-yomi]OT[5x30 byo-yomi]OT[30/3 5m]OT[3x30 byo-yomi]TM[7200]TM[1800]TM[3600]TM[600]TC[3]TT[60]TT[30]\
HA[2]AB[dp][pd]HA[3]AB[dp][pd][dd]HA[4]AB[dp][pd][dd][pp]PL[W]BL[1799.5]WL[1799.5]OB[3]OW[3]RL[0]KM[0.5]KM[5.5]KM[0]\
KM[650]KM[375]KM[750]RU[AGA]RU[Korean]RU[Chinese]RU[Japanese]RE[B+T]RE[W+T]RE[B+0.5]RE[W+0.5]RE[B+1.5]RE[W+2.5]RE[B+3.5]\
RE[W+4.5]RE[W+Resign]RE[B+Resign]RE[B+R]RE[W+R]C[\xe7\x99\xbd\xe4\xb8\xad\xe7\x9b\x98\xe8\x83\x9c]\
C[\xe9\xbb\x91\xe4\xb8\xad\xe7\x9b\x98\xe8\x83\x9c]BR[1p]WR[1p]BR[9p]WR[9p]BR[9\xe6\xae\xb5]\nPW[\xe7\xbb\x9d\xe8\x89\xba]\
WR[9\xe6\xae\xb5]\nKM[750]HA[0]RU[Japanese]RE[W+R]TM[60]TC[3]TT[30]\n(;CA[UTF-8]AP[YuanYu]GM[1]FF[4]\nSZ[19]\nGN[]\n\
DT[2016-09-23]\nDT[2007-11-18]DT[2005-07-31]DT[2009-02-26]DT[2018-08-13]PB[\xe9\xbb\x91]BR[9d]PW[\xe7\x99\xbd]WR[9d]\
(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]ST[2]SZ[19]GN[Tom 35]DT[2004-06-08]PW[]WR[9d]PB[]BR[9d]KM[6.5]RE[B+R]RU[Japanese]\
OT[30/3 5m]PC[Tom]KM[7.5])\n";

/// Packs and unpacks texts. Making one costs about a millisecond, so importers keep theirs.
pub(crate) struct TextCodec {
    compressor: zstd::bulk::Compressor<'static>,
    decompressor: zstd::bulk::Decompressor<'static>,
}

impl TextCodec {
    pub(crate) fn new() -> Result<Self, LibraryError> {
        let make = || -> std::io::Result<Self> {
            let mut compressor = zstd::bulk::Compressor::with_dictionary(6, DICTIONARY)?;
            compressor.include_contentsize(false)?;
            compressor.include_checksum(false)?;
            compressor.include_dictid(false)?;
            let decompressor = zstd::bulk::Decompressor::with_dictionary(DICTIONARY)?;
            Ok(Self { compressor, decompressor })
        };
        make().map_err(|error| LibraryError::Damaged { detail: format!("the compressor cannot start: {error}") })
    }

    /// Packs a text; the same track is needed to unpack it.
    pub(crate) fn pack(&mut self, text: &str, track: Option<&Track>) -> Result<Vec<u8>, LibraryError> {
        let without_moves =
            track.filter(|_| !text.as_bytes().contains(&MARK)).map(|track| strip(text.as_bytes(), track));
        let (kind, rest) = match &without_moves {
            Some(rest) => (WITHOUT_MOVES, rest.as_slice()),
            None => (PLAIN, text.as_bytes()),
        };
        let mut out = vec![kind];
        push_varint(&mut out, rest.len() as u64);
        let packed = self.compressor.compress(rest);
        let packed =
            packed.map_err(|error| LibraryError::Damaged { detail: format!("cannot pack a record: {error}") })?;
        out.extend_from_slice(&packed[FRAME_MAGIC.len()..]);
        Ok(out)
    }

    /// The text again.
    pub(crate) fn unpack(&mut self, packed: &[u8], track: Option<&Track>) -> Result<String, LibraryError> {
        self.unpack_checked(packed, track)
            .ok_or_else(|| LibraryError::Damaged { detail: "the text of a game cannot be unpacked".into() })
    }

    fn unpack_checked(&mut self, packed: &[u8], track: Option<&Track>) -> Option<String> {
        let bytes = self.unpack_without_moves(packed)?;
        let bytes = match *packed.first()? {
            PLAIN => bytes,
            WITHOUT_MOVES => fill(&bytes, track?)?,
            _ => return None,
        };
        String::from_utf8(bytes).ok()
    }

    /// What is stored of a text beside the moves of the track, with marks where those stand.
    pub(crate) fn unpack_without_moves(&mut self, packed: &[u8]) -> Option<Vec<u8>> {
        let mut rest = packed.get(1..)?;
        let length = usize::try_from(take_varint(&mut rest)?).ok().filter(|length| *length <= MAX_TEXT)?;
        let frame = [&FRAME_MAGIC[..], rest].concat();
        self.decompressor.decompress(&frame, length).ok()
    }
}

/// The text of a stored game.
pub(crate) fn text_of(connection: &Connection, row: i64, codec: &mut TextCodec) -> Result<String, LibraryError> {
    let (track, text): (Vec<u8>, Vec<u8>) = connection
        .prepare_cached("SELECT track, text FROM records WHERE game = ?1")?
        .query_row([row], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(|| LibraryError::Damaged { detail: format!("game {row} has no record") })?;
    let track = Track::unpack(&track).ok_or_else(|| damaged(row))?;
    codec.unpack(&text, Some(&track))
}

/// The record of a text.
pub(crate) fn tree_of(text: &str) -> Option<GameTree> {
    Some(read_sgf_text(text).games.into_iter().next()?.tree)
}

pub(crate) fn damaged(id: i64) -> LibraryError {
    LibraryError::Damaged { detail: format!("the moves of game {id} cannot be read") }
}

/// Leaves the nodes of the track out.
fn strip(text: &[u8], track: &Track) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    let mut nodes = track.nodes().peekable();
    let mut run = 0u64;
    let mut at = 0;
    while at < text.len() {
        if nodes.next_if(|node| text[at..].starts_with(node)).is_some() {
            run += 1;
            at += 6;
            continue;
        }
        if run > 0 {
            out.push(MARK);
            push_varint(&mut out, run);
            run = 0;
        }
        out.push(text[at]);
        at += 1;
    }
    if run > 0 {
        out.push(MARK);
        push_varint(&mut out, run);
    }
    out
}

fn fill(stripped: &[u8], track: &Track) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(stripped.len() + track.len() * 6);
    let mut nodes = track.nodes();
    let mut rest = stripped;
    while let Some(mark) = rest.iter().position(|&byte| byte == MARK) {
        out.extend_from_slice(&rest[..mark]);
        rest = &rest[mark + 1..];
        for _ in 0..take_varint(&mut rest)? {
            out.extend_from_slice(&nodes.next()?);
        }
    }
    out.extend_from_slice(rest);
    Some(out)
}
