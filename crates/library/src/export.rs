//! Export of games.

use std::io::{Seek, Write};
use std::path::Path;

use honinbo_record::{Charset, GameTree};

use crate::archive::ArchiveWriter;
use crate::error::LibraryError;
use crate::id::GameId;
use crate::list::{GameSummary, summary};
use crate::open::Library;
use crate::sqlite_file::with_end;
use crate::text::{TextCodec, text_of};

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// One collection with the records as they came in; where they came in several character sets, all are in UTF-8, as a
    /// file has one.
    Sgf,
    /// A zip archive with a file for each record, as it came in.
    Zip,
    /// A table with a line for each game, in UTF-8.
    Csv,
}

/// How records are exported: in which form, and what is done to each on its way.
#[derive(Clone, Copy)]
pub struct ExportOptions<'e> {
    /// What is written.
    pub format: ExportFormat,
    /// Changes each record before it is written, such as by what is known of its positions; the library keeps its own.
    /// A table does not ask for it.
    pub edit: Option<&'e dyn Fn(GameTree) -> GameTree>,
}

impl From<ExportFormat> for ExportOptions<'_> {
    /// Records as they came in.
    fn from(format: ExportFormat) -> Self {
        Self { format, edit: None }
    }
}

impl Library {
    /// Writes games into a file, whole or not at all; returns how many. A file that is there is replaced.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what writing says.
    pub fn export_file<'e>(
        &self,
        ids: &[GameId],
        options: impl Into<ExportOptions<'e>>,
        to: &Path,
    ) -> Result<u32, LibraryError> {
        let options = options.into();
        let failed = |source| LibraryError::File { path: to.to_owned(), source };
        let part = with_end(to, ".part");
        let written = (|| {
            let mut file = std::io::BufWriter::new(std::fs::File::create(&part).map_err(failed)?);
            let written = match options.format {
                ExportFormat::Zip => self.export_zip(ids, options, &mut file),
                _ => self.export(ids, options, &mut file),
            };
            let written = written.map_err(|error| match error {
                LibraryError::File { source, .. } => failed(source),
                other => other,
            })?;
            let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
            file.sync_all().map_err(failed)?;
            std::fs::rename(&part, to).map_err(failed)?;
            Ok(written)
        })();
        if written.is_err() {
            drop(std::fs::remove_file(&part));
        }
        written
    }

    /// Writes games as a zip archive, whatever the options say of the form.
    fn export_zip(
        &self,
        ids: &[GameId],
        options: ExportOptions<'_>,
        out: &mut (impl Write + Seek),
    ) -> Result<u32, LibraryError> {
        let failed = |source| LibraryError::File { path: "the export".into(), source };
        let mut codec = TextCodec::new()?;
        let mut archive = ArchiveWriter::new(out);
        let mut names = std::collections::HashSet::new();
        let mut written = 0;
        for id in ids {
            let (game, text) = self.to_export(id, &mut codec)?;
            let name = file_name(&game);
            let name = if names.insert(name.clone()) { format!("{name}.sgf") } else { format!("{name}-{id}.sgf") };
            archive.add(&name, &record_bytes(&text, options, false)).map_err(failed)?;
            written += 1;
        }
        archive.finish().map_err(failed)?.flush().map_err(failed)?;
        Ok(written)
    }

    /// Writes games one after the other; returns how many. An archive, which can only be written by going back in it, is
    /// collected in memory here.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what writing says.
    pub fn export<'e>(
        &self,
        ids: &[GameId],
        options: impl Into<ExportOptions<'e>>,
        out: &mut dyn Write,
    ) -> Result<u32, LibraryError> {
        let options = options.into();
        let failed = |source| LibraryError::File { path: "the export".into(), source };
        if options.format == ExportFormat::Zip {
            let mut archive = std::io::Cursor::new(Vec::new());
            let written = self.export_zip(ids, options, &mut archive)?;
            out.write_all(archive.get_ref()).map_err(failed)?;
            return Ok(written);
        }
        let mut codec = TextCodec::new()?;
        if options.format == ExportFormat::Csv {
            out.write_all(CSV_HEADER.as_bytes()).map_err(failed)?;
        }
        let in_utf8 = options.format == ExportFormat::Sgf && self.has_several_charsets(ids, &mut codec)?;
        let mut written = 0;
        for id in ids {
            let bytes = if options.format == ExportFormat::Csv {
                let row = id.row()?;
                csv_line(&self.read(|connection| summary(connection, row)?.ok_or_else(|| id.unknown()))?).into_bytes()
            } else {
                let mut bytes = record_bytes(&self.to_export(id, &mut codec)?.1, options, in_utf8);
                bytes.push(b'\n');
                bytes
            };
            out.write_all(&bytes).map_err(failed)?;
            written += 1;
        }
        out.flush().map_err(failed)?;
        Ok(written)
    }

    /// Whether records, written one after the other as they came in, would be in several character sets. One with letters
    /// that its own set lacks is written in UTF-8.
    fn has_several_charsets(&self, ids: &[GameId], codec: &mut TextCodec) -> Result<bool, LibraryError> {
        let mut shared = None;
        for id in ids {
            let text = self.to_export(id, codec)?.1;
            let charset = Charset::of_text(&text);
            if *shared.get_or_insert(charset) != charset || !charset.has_all_of(&text) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is known of a game, and its text.
    fn to_export(&self, id: &GameId, codec: &mut TextCodec) -> Result<(GameSummary, String), LibraryError> {
        let row = id.row()?;
        self.read(|connection| {
            let game = summary(connection, row)?.ok_or_else(|| id.unknown())?;
            Ok((game, text_of(connection, row, codec)?))
        })
    }
}

/// A record in its own character set, or in UTF-8.
fn record_bytes(text: &str, options: ExportOptions<'_>, in_utf8: bool) -> Vec<u8> {
    let mut collection = honinbo_record::read_sgf_text(text);
    if let Some(edit) = options.edit {
        for game in &mut collection.games {
            game.tree = edit(std::mem::take(&mut game.tree));
        }
    }
    if in_utf8 { collection.in_utf8() } else { collection }.to_bytes()
}

const CSV_HEADER: &str =
    "id,title,black,black rank,white,white rank,date,event,place,result,size,rules,komi,handicap,moves,source\r\n";

fn csv_line(game: &GameSummary) -> String {
    let size = format!("{}x{}", game.width, game.height);
    let komi = game.komi.map(|komi| komi.to_string()).unwrap_or_default();
    let (handicap, moves) = (game.handicap.to_string(), game.moves.to_string());
    let fields = [
        game.id.as_str(),
        game.title.as_deref().unwrap_or_default(),
        &game.black,
        &game.black_rank,
        &game.white,
        &game.white_rank,
        &game.date,
        &game.event,
        &game.place,
        &game.result,
        &size,
        &game.rules,
        &komi,
        &handicap,
        &moves,
        &game.source,
    ];
    let line: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
    line.join(",") + "\r\n"
}

/// A name that every file system takes: date and players.
fn file_name(game: &GameSummary) -> String {
    let parts = [game.date.as_str(), game.black.as_str(), game.white.as_str()];
    let plain = |part: &str| -> String {
        let keep = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
        part.trim().chars().take(40).map(keep).collect()
    };
    let parts: Vec<String> = parts.iter().map(|part| plain(part)).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { format!("game-{}", game.id) } else { parts.join("-") }
}

/// As RFC 4180 has it; a field that a spreadsheet would run as a formula gets an apostrophe.
fn csv_field(field: &str) -> String {
    let guarded = if field.starts_with(['=', '+', '-', '@', '\t']) { format!("'{field}") } else { field.to_owned() };
    if guarded.contains([',', '"', '\n', '\r']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}
