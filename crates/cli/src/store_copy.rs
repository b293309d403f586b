//! `honinbo store`: what is done with the store of a server while no server uses it.

use crate::args::StoreCommand;
use crate::failure::Failure;
use crate::output::Output;
use crate::store::{Unread, place};
use clap::Args as ClapArgs;
use honinbo_library::{ServerStore, StoreError, StorePlace};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// What is copied, and where to.
#[derive(Debug, ClapArgs)]
pub(crate) struct CopyStoreArgs {
    /// The store to copy: its file, such as server.sqlite of a data folder, or postgres://USER@HOST/DATABASE
    #[arg(value_name = "FROM", value_parser = Unread::take)]
    from: Unread,
    /// An empty store: a file that is not there yet, or an empty PostgreSQL database
    #[arg(value_name = "TO", value_parser = Unread::take)]
    to: Unread,
    /// A file with the databases' password [default: the variable HONINBO_STORE_PASSWORD, or the address's own]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// The certificates of the only authorities that the databases' certificates may be of (PEM) [default: the system's]
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn store(command: StoreCommand, output: &mut Output) -> Result<(), Failure> {
    match command {
        StoreCommand::Copy(args) => copy(&args, output),
    }
}

fn copy(args: &CopyStoreArgs, output: &mut Output) -> Result<(), Failure> {
    let named = |given| place(given, args.password_file.as_deref(), args.ca.as_deref());
    let (from, to) = (named(&args.from)?, named(&args.to)?);
    // Opening makes the file.
    if let StorePlace::File(path) = &from
        && !path.is_file()
    {
        return Err(Failure::new(
            format!("{} is not there", path.display()),
            "name the file server.sqlite of a data folder, or postgres://…",
        ));
    }
    let from = open(&from, "the store to copy")?;
    let to = open(&to, "the store to copy into")?;
    let copied = from.copy_to(&to).map_err(|error| Failure::new(error.to_string(), error.hint()))?;
    if args.json {
        let tables: Map<String, Value> =
            copied.iter().map(|table| (table.name.to_owned(), json!(table.rows))).collect();
        output.json(&json!({ "copied": tables }))?;
        return Ok(());
    }
    for table in copied {
        output.line(format!("{:<14}{:>10}", table.name, table.rows))?;
    }
    Ok(())
}

fn open(place: &StorePlace, which: &str) -> Result<ServerStore, Failure> {
    ServerStore::open_alone(place).map_err(|error| match error {
        StoreError::InUse => Failure::new(format!("{which} is in use by a server"), "end that server first"),
        error => Failure::new(format!("{which}: {error}"), error.hint()),
    })
}
