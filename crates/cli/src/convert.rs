//! `honinbo convert`: records written in another format.

use crate::args::ConvertRecordsArgs;
use crate::failure::Failure;
use crate::new_file::new_files;
use crate::notes::note;
use crate::output::Output;
use crate::records::{files_of, games_of, name_of, read, remark, remarks};
use honinbo_record::{FoundGame, ReadLimits, RecordFormat, write_record};
use std::path::Path;

/// Writes every game of every file in the format that was asked for.
pub(crate) fn convert(args: &ConvertRecordsArgs, output: &mut Output) -> Result<(), Failure> {
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(format!("the folder {} cannot be made: {error}", folder.display()), "name another one")
        })?;
    }
    let files = files_of(&args.files)?;
    let limits = ReadLimits { charset: args.charset, ..ReadLimits::default() };
    let format = args.to;
    let (mut written, mut failures) = (0, Vec::new());
    for path in &files {
        let name = name_of(path);
        let found = read(path, &name).and_then(|bytes| games_of(bytes, &name, limits, &mut |problem| note(problem)));
        let found = found.map_err(Failure::from);
        let found = match found {
            Ok(found) => found,
            Err(failure) => {
                failures.push(failure);
                continue;
            }
        };
        let count = found.len();
        if args.out.is_none() && format != RecordFormat::Sgf && (count > 1 || files.len() > 1) {
            let hint = "name a folder with --out; one file of this format holds one game";
            return Err(Failure::new("there are several games to write", hint));
        }
        for (place, game) in found.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| &found[before]);
            remark(remarks(game, before), &name);
            let source = if count > 1 { format!("{name}, game {}", place + 1) } else { name.clone() };
            match one(game, format, &source, args.out.as_deref(), path, output) {
                Ok(()) => written += 1,
                Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
                Err(failure) => failures.push(failure),
            }
        }
    }
    if args.out.is_some() {
        output.line(format!("{written} games written"))?;
    }
    match failures.len() {
        0 => Ok(()),
        1 => Err(failures.remove(0)),
        failed => {
            failures.iter().for_each(crate::notes::failed);
            Err(Failure::new(
                format!("{failed} could not be converted"),
                "the lines above say why; the others are done",
            ))
        }
    }
}

fn one(
    game: &FoundGame,
    format: RecordFormat,
    source: &str,
    folder: Option<&Path>,
    from: &Path,
    output: &mut Output,
) -> Result<(), Failure> {
    let record = write_record(&game.game.tree, format)
        .map_err(|error| Failure::new(format!("{source}: {error}"), "SGF (--to sgf) holds every game"))?;
    if !record.left_out.is_empty() {
        let parts: Vec<String> = record.left_out.iter().map(ToString::to_string).collect();
        note(&format!("{source}: left out, as the format has no place for it: {}", parts.join(", ")));
    }
    let Some(folder) = folder else {
        output.line(record.text.trim_end())?;
        return Ok(());
    };
    let stem =
        from.file_stem().filter(|_| from.as_os_str() != "-").map_or("game".into(), |stem| stem.to_string_lossy());
    let written = new_files(folder, &stem, &[(format.extension(), record.text.as_bytes())]).map_err(|error| {
        Failure::new(format!("{source} cannot be written into {}: {error}", folder.display()), "name another folder")
    })?;
    for path in written {
        tracing::info!(path = %path.display(), "written");
    }
    Ok(())
}
