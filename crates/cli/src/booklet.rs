//! `honinbo booklet`: positions to solve on paper, or as a page that plays.

use crate::app;
use crate::args::{BookletArgs, PaperArg};
use crate::failure::Failure;
use crate::new_file::write_whole;
use crate::notes::note;
use crate::output::Output;
use crate::words::counted;
use base64::Engine as _;
use honinbo_api::{AnkiDeck, ApiError, BookletForm, BookletOf, Caller, MakeBooklet, booklet_of_records, commands};
use serde_json::json;
use std::path::{Path, PathBuf};

const NO_CARDS: &str = "there are no cards in the data folder yet";
const TO_HAVE_CARDS: &str = "practise in the window first, or name files with problems";

/// Makes a booklet of files, or of the cards of the data folder.
pub(crate) fn booklet(args: &BookletArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let out = args.out.unless_taken(args.force)?;
    if args.files.is_empty() && out.extension().is_some_and(|end| end.eq_ignore_ascii_case("apkg")) {
        return anki(args, out, data, output);
    }
    let is_page =
        out.extension().is_some_and(|end| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm"));
    let is_pdf = out.extension().is_some_and(|end| end.eq_ignore_ascii_case("pdf"));
    if !is_page && !is_pdf {
        return Err(Failure::Usage("end the name of --out with .pdf or .html, or for the own cards with .apkg".into()));
    }
    let form = match args.paper {
        _ if is_page => BookletForm::Page,
        PaperArg::A4 => BookletForm::A4,
        PaperArg::A5 => BookletForm::A5,
    };
    let title = args.title.clone().unwrap_or_else(|| {
        let first = args.files.first().map_or(out, PathBuf::as_path);
        first.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    });
    let wanted =
        MakeBooklet { of: BookletOf::Deck, title, language: args.language.clone(), form, columns: args.columns };
    let made = if args.files.is_empty() {
        let (app, _events) = app::open(data);
        let made = commands::make_booklet(&app, &Caller::new(), wanted);
        app.shut_down();
        made.map_err(|error| failed(error, NO_CARDS, TO_HAVE_CARDS))?
    } else {
        let nothing = "there is no position to solve in what was named";
        let (made, skipped) = booklet_of_records(&args.files, &wanted).map_err(|error| {
            failed(error, nothing, "name records that say which moves are right, or decks of cards")
        })?;
        if skipped > 0 {
            note(&format!("{} left out: nothing there says what is right", counted(skipped, "record")));
        }
        made
    };
    write(out, &made.base64)?;
    said(args, out, made.exercises, output)
}

/// A booklet without any position is told of as the terminal has it, with `nothing` and `hint`.
fn failed(error: ApiError, nothing: &str, hint: &str) -> Failure {
    match error {
        ApiError::NotFound { .. } => Failure::new(nothing, hint),
        ApiError::UnreadableFile { file, message, .. } => {
            Failure::new(format!("{file} cannot be read: {message}"), "name records with problems, or decks of cards")
        }
        other => other.into(),
    }
}

fn write(out: &Path, base64: &str) -> Result<(), Failure> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(base64);
    let bytes = bytes.map_err(|error| Failure::new(format!("the booklet is damaged: {error}"), "try again"))?;
    write_whole(out, &bytes)
}

fn said(args: &BookletArgs, out: &Path, positions: u32, output: &mut Output) -> Result<(), Failure> {
    if args.json {
        output.json(&json!({ "exercises": positions, "path": out.display().to_string() }))?;
    } else {
        output.line(format!("{} in {}", counted(positions, "position"), out.display()))?;
    }
    Ok(())
}

/// The cards of the data folder as a package for Anki.
fn anki(args: &BookletArgs, out: &Path, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let (app, _events) = app::open(data);
    let name = args.title.clone().unwrap_or_else(|| "Honinbo".to_owned());
    let made = commands::export_anki_deck(&app, &Caller::new(), AnkiDeck { name });
    app.shut_down();
    let made = made?;
    if made.cards == 0 {
        return Err(Failure::new(NO_CARDS, TO_HAVE_CARDS));
    }
    write(out, &made.base64)?;
    said(args, out, made.cards, output)
}
