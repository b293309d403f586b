//! What a package gives the system beside the program: manual pages, completions, the kinds of files that it opens.

use crate::args::Args;
use crate::failure::Failure;
use clap::{Command, CommandFactory as _};
use clap_complete::{Shell, generate_to};
use honinbo_api::{FILE_KINDS, FileKind};
use serde_json::json;
use std::fmt::Write as _;
use std::fs::{create_dir_all, write};
use std::io;
use std::path::Path;

/// Records compressed by gzip have a type of their own: of all other gzip files this program makes nothing.
const COMPRESSED: &str = "application/x-go-record-gzip";

/// Writes `man1` with a page for each command, `completions` with a file for each shell, the MIME types and, as
/// configuration of the bundler, the associations of files.
pub(crate) fn write_pages(folder: &Path) -> Result<(), Failure> {
    write_all(folder).map_err(|error| {
        let message = format!("the pages cannot be written to {}: {error}", folder.display());
        Failure::new(message, "name a folder that can be written")
    })
}

fn write_all(folder: &Path) -> io::Result<()> {
    let (man, completions) = (folder.join("man1"), folder.join("completions"));
    create_dir_all(&man)?;
    create_dir_all(&completions)?;
    clap_mangen::generate_to(Args::command(), &man)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        generate_to(shell, &mut without_hidden(&Args::command()), "honinbo", &completions)?;
    }
    write(folder.join("mime.xml"), mime_types())?;
    write(folder.join("bundle.json"), associations().to_string())
}

/// The command line without the commands that help does not name, which completions would offer, and without `help`,
/// below which they would have every command a second time.
fn without_hidden(all: &Command) -> Command {
    Command::new("honinbo")
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(true)
        .disable_help_subcommand(true)
        .args(all.get_arguments())
        .subcommands(all.get_subcommands().filter(|command| !command.is_hide_set()))
}

fn records() -> impl Iterator<Item = FileKind> {
    FILE_KINDS.into_iter().filter(|kind| !kind.packed)
}

fn compressed_extensions() -> impl Iterator<Item = String> {
    records().flat_map(|kind| kind.extensions).map(|extension| format!("{extension}.gz"))
}

/// The types of records for the desktop's own table of them.
fn mime_types() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n",
    );
    for kind in records() {
        let extensions = kind.extensions.iter().map(|&extension| extension.to_owned());
        push_type(&mut text, kind.mime_type, kind.name, "", extensions);
    }
    let parent = "    <sub-class-of type=\"application/gzip\"/>\n";
    push_type(&mut text, COMPRESSED, "gzip", parent, compressed_extensions());
    text + "</mime-info>\n"
}

fn push_type(text: &mut String, mime_type: &str, name: &str, more: &str, extensions: impl Iterator<Item = String>) {
    let mut line = |written: std::fmt::Arguments<'_>| {
        text.write_fmt(written).expect("texts take whatever is written");
    };
    line(format_args!("  <mime-type type=\"{mime_type}\">\n    <comment>{name} record of a game of Go</comment>\n"));
    for (language, words) in [("ja", "棋譜"), ("ko", "기보"), ("zh_CN", "棋谱"), ("zh_TW", "棋譜")] {
        line(format_args!("    <comment xml:lang=\"{language}\">{name} {words}</comment>\n"));
    }
    line(format_args!("{more}"));
    for extension in extensions {
        line(format_args!("    <glob pattern=\"*.{extension}\"/>\n"));
    }
    line(format_args!("  </mime-type>\n"));
}

/// The associations in the form of Tauri's configuration.
fn associations() -> serde_json::Value {
    let one = |name: &str, mime_type: &str, extensions: Vec<String>| {
        json!({
            "ext": extensions, "name": name, "description": "Record of a game of Go", "mimeType": mime_type,
            "role": "Editor"
        })
    };
    let plain = records().map(|kind| {
        one(kind.name, kind.mime_type, kind.extensions.iter().map(|&extension| extension.to_owned()).collect())
    });
    let all: Vec<_> = plain.chain([one("gzip", COMPRESSED, compressed_extensions().collect())]).collect();
    json!({"bundle": {"fileAssociations": all}})
}
