//! `honinbo library sources`: accounts at game servers and folders, from which new games come.

use crate::app;
use crate::args::{SourceKindArg, SourcesCommand};
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::notes::note;
use crate::output::Output;
use crate::words::counted;
use honinbo_api::{
    ApiError, App, Caller, Event, NewSource, NoArgs, SourceKind, SourceRef, SourceSync, SourceView, SyncSources,
    SyncState, commands,
};
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Adds, lists, asks or removes.
pub(super) fn sources(
    command: SourcesCommand,
    json: bool,
    data: Option<PathBuf>,
    output: &mut Output,
) -> Result<(), Failure> {
    if matches!(command, SourcesCommand::List) && !app::data_dir(data.clone()).join(super::FILE).exists() {
        // Looking makes no library.
        return say(&[], json, output);
    }
    let (app, events) = app::open(data);
    let done = match command {
        SourcesCommand::Add { kind, name, person } => {
            let kind = match kind {
                SourceKindArg::Ogs => SourceKind::Ogs,
                SourceKindArg::Kgs => SourceKind::Kgs,
                SourceKindArg::Folder => SourceKind::Folder,
            };
            // The place where the terminal is means nothing to the library.
            let name = if kind == SourceKind::Folder { absolute(&name) } else { name };
            let new = NewSource { kind, name, person: person.unwrap_or_default() };
            commands::add_source(&app, &Caller::new(), new)
                .map_err(Failure::from)
                .and_then(|_| list(&app, json, output))
        }
        SourcesCommand::List => list(&app, json, output),
        SourcesCommand::Remove { id } => commands::remove_source(&app, &Caller::new(), SourceRef { id })
            .map_err(|error| match error {
                ApiError::NotFound { message } => Failure::new(message, "`honinbo library sources list` names all"),
                other => other.into(),
            })
            .and_then(|()| list(&app, json, output)),
        SourcesCommand::Sync { ids } => sync(&app, &events, ids, json, output),
    };
    app.shut_down();
    done
}

fn absolute(path: &str) -> String {
    std::path::absolute(Path::new(path)).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

fn list(app: &App, json: bool, output: &mut Output) -> Result<(), Failure> {
    say(&commands::list_sources(app, &Caller::new(), NoArgs {})?, json, output)
}

fn say(sources: &[SourceView], json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        output.json(&json!({ "sources": sources }))?;
        return Ok(());
    }
    if sources.is_empty() {
        output.line("no accounts and no folders; `honinbo library sources add` adds one")?;
    }
    for source in sources {
        output.line(crate::records::harmless(&line(source)))?;
    }
    Ok(())
}

fn line(source: &SourceView) -> String {
    let person = if source.person.is_empty() { String::new() } else { format!(", {} in the library", source.person) };
    let looked = if source.synced_at.is_some() { "" } else { ", not looked through yet" };
    let games = counted(source.games, "game");
    format!("{:>4}  {:<6}  {}{person}: {games}{looked}", source.id, kind_name(source.kind), source.name)
}

fn kind_name(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Ogs => "ogs",
        SourceKind::Kgs => "kgs",
        SourceKind::Folder => "folder",
    }
}

fn sync(app: &App, events: &Receiver<Event>, ids: Vec<u32>, json: bool, output: &mut Output) -> Result<(), Failure> {
    let known = commands::list_sources(app, &Caller::new(), NoArgs {})?;
    let n_wanted = known.iter().filter(|source| ids.is_empty() || ids.contains(&source.id)).count();
    if known.is_empty() {
        let hint = "add one: `honinbo library sources add ogs NAME`";
        return Err(Failure::new("there are no accounts and no folders", hint));
    }
    let stop = until_interrupted();
    commands::sync_sources(app, &Caller::new(), SyncSources { ids })?;
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let mut ended: BTreeMap<u32, SourceSync> = BTreeMap::new();
    let mut told = false;
    while ended.len() < n_wanted {
        match events.recv_timeout(Duration::from_millis(100)) {
            Ok(Event::Source(sync)) if matches!(sync.state, SyncState::Waiting | SyncState::Looking) => {
                bar.set_message(progress(&known, &sync));
                bar.tick();
            }
            Ok(Event::Source(sync)) => drop(ended.insert(sync.id, sync)),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::new("the look for games ended without a word", "run it again"));
            }
        }
        if stop.is_set() && !told {
            told = true;
            let _ = commands::stop_sync(app, &Caller::new(), NoArgs {});
        }
    }
    bar.finish_and_clear();
    report(&known, &ended, json, output)
}

fn progress(known: &[SourceView], sync: &SourceSync) -> String {
    let name = known.iter().find(|source| source.id == sync.id).map_or("", |source| &source.name);
    let pause = if sync.pause > 0 { format!(", the server asks to wait {} s", sync.pause) } else { String::new() };
    crate::records::harmless(&format!("{name}: {} fetched, {} new{pause}", sync.fetched, sync.added))
}

fn report(
    known: &[SourceView],
    ended: &BTreeMap<u32, SourceSync>,
    json: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let syncs: Vec<&SourceSync> = ended.values().collect();
    if json {
        output.json(&json!({ "sources": syncs }))?;
    } else {
        for sync in &syncs {
            let name = known.iter().find(|source| source.id == sync.id).map_or("", |source| &source.name);
            let refused = if sync.refused > 0 { format!(", {} refused", sync.refused) } else { String::new() };
            let new = format!("{name}: {} new, {} there already{refused}", sync.added, sync.duplicates);
            output.line(crate::records::harmless(&new))?;
        }
    }
    let failures: Vec<&&SourceSync> = syncs.iter().filter(|sync| sync.state == SyncState::Failed).collect();
    if let [failure, others @ ..] = &failures[..] {
        for other in others {
            note(&format!("{}: {}", other.message, other.hint));
        }
        return Err(Failure::new(failure.message.clone(), failure.hint.clone()));
    }
    if syncs.iter().any(|sync| sync.state == SyncState::Stopped) {
        return Err(Failure::new("it was stopped; what came so far is kept", "run it again to go on"));
    }
    Ok(())
}
