//! Fonts of this machine that have the letters of a text.

use crate::words::Language;
use fontdb::{Database, FaceInfo, ID, Stretch, Style, Weight};
use krilla::text::Font;
use std::collections::HashMap;

/// Why a text cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FontError {
    /// No font of this machine has a letter.
    #[error("no font on this machine has the letter {letter:?} (U+{:04X})", u32::from(*letter))]
    MissingLetter {
        /// The letter.
        letter: char,
    },
    /// There is no font at all, or none that can be read.
    #[error("there is no font on this machine that can be read")]
    NoFont,
}

impl FontError {
    /// What to install.
    #[must_use]
    pub fn hint(&self) -> String {
        let letter = match self {
            Self::MissingLetter { letter } => *letter,
            Self::NoFont => return "install a font, such as Noto Sans (on Debian: fonts-noto-core)".to_owned(),
        };
        match letter {
            '\u{2e80}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{ff00}'..='\u{ffef}' => {
                "install Noto Sans CJK (on Debian and Ubuntu: fonts-noto-cjk, on Fedora: google-noto-sans-cjk-fonts)"
            }
            _ => "install Noto Sans with its scripts (on Debian and Ubuntu: fonts-noto-core)",
        }
        .to_owned()
    }
}

/// Families by what they are liked for, best first; any other font that has a letter comes after them.
const LATIN: &[&str] =
    &["Noto Sans", "DejaVu Sans", "Liberation Sans", "Segoe UI", "Helvetica Neue", "Helvetica", "Arial"];

fn east_asian(language: Language) -> &'static [&'static str] {
    match language {
        Language::TraditionalChinese => {
            &["Noto Sans CJK TC", "Source Han Sans TC", "Noto Sans TC", "PingFang TC", "Microsoft JhengHei"]
        }
        Language::Japanese => &[
            "Noto Sans CJK JP",
            "Source Han Sans",
            "Noto Sans JP",
            "Hiragino Sans",
            "Yu Gothic",
            "Meiryo",
            "MS Gothic",
        ],
        Language::Korean => &[
            "Noto Sans CJK KR",
            "Source Han Sans K",
            "Noto Sans KR",
            "Apple SD Gothic Neo",
            "Malgun Gothic",
            "NanumGothic",
        ],
        Language::English | Language::SimplifiedChinese => {
            &["Noto Sans CJK SC", "Source Han Sans SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", "SimHei"]
        }
    }
}

/// A font that is in use.
#[derive(Clone)]
pub(crate) struct Face {
    pub(crate) font: Font,
    id: ID,
}

/// Finds fonts for texts, and reads each once.
pub(crate) struct Fonts {
    database: Database,
    /// Faces in the order in which they are tried.
    order: Vec<ID>,
    read: HashMap<ID, Option<Font>>,
    of_letter: HashMap<char, Option<(ID, f32)>>,
}

/// Letters that one font has, with their width in ems.
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) face: Face,
    pub(crate) ems: f32,
}

impl Fonts {
    /// The fonts of this machine.
    pub(crate) fn of_the_system(language: Language) -> Self {
        let mut database = Database::new();
        database.load_system_fonts();
        Self::new(database, language)
    }

    pub(crate) fn new(database: Database, language: Language) -> Self {
        let families: Vec<&str> = if language == Language::English {
            LATIN.iter().chain(east_asian(language)).copied().collect()
        } else {
            // The Latin letters of an East Asian font go with its others.
            east_asian(language).iter().chain(LATIN).copied().collect()
        };
        let place = |face: &FaceInfo| {
            let family = families.iter().position(|wanted| face.families.iter().any(|(name, _)| name == wanted));
            let is_plain =
                face.style == Style::Normal && face.weight == Weight::NORMAL && face.stretch == Stretch::Normal;
            (!is_plain, family.unwrap_or(families.len()), face.post_script_name.clone())
        };
        let mut faces: Vec<&FaceInfo> = database.faces().collect();
        faces.sort_by_key(|face| place(face));
        let order = faces.into_iter().map(|face| face.id).collect();
        Self { database, order, read: HashMap::new(), of_letter: HashMap::new() }
    }

    /// A text as runs of one font each.
    pub(crate) fn runs(&mut self, text: &str) -> Result<Vec<Run>, FontError> {
        let mut runs: Vec<Run> = Vec::new();
        for letter in text.chars() {
            let letter = if letter.is_whitespace() || letter.is_control() { ' ' } else { letter };
            let current = runs.last().map(|run| run.face.id);
            let (id, ems) = self.face_of(letter, current)?;
            match runs.last_mut().filter(|run| run.face.id == id) {
                Some(run) => {
                    run.text.push(letter);
                    run.ems += ems;
                }
                None => {
                    let font = self.read(id).ok_or(FontError::NoFont)?;
                    runs.push(Run { text: letter.to_string(), face: Face { font, id }, ems });
                }
            }
        }
        Ok(runs)
    }

    /// How wide a text is, in ems.
    pub(crate) fn width(&mut self, text: &str) -> Result<f32, FontError> {
        Ok(self.runs(text)?.iter().map(|run| run.ems).sum())
    }

    fn face_of(&mut self, letter: char, current: Option<ID>) -> Result<(ID, f32), FontError> {
        // A blank goes with what stands before it.
        if letter == ' '
            && let Some(id) = current
            && let Some(ems) = advance(&self.database, id, letter)
        {
            return Ok((id, ems));
        }
        if let Some(known) = self.of_letter.get(&letter) {
            return known.ok_or(FontError::MissingLetter { letter });
        }
        let mut found = None;
        for at in 0..self.order.len() {
            let id = self.order[at];
            if let Some(ems) = advance(&self.database, id, letter)
                && self.read(id).is_some()
            {
                found = Some((id, ems));
                break;
            }
        }
        self.of_letter.insert(letter, found);
        if self.order.is_empty() {
            return Err(FontError::NoFont);
        }
        found.ok_or(FontError::MissingLetter { letter })
    }

    fn read(&mut self, id: ID) -> Option<Font> {
        let database = &self.database;
        let read = || {
            let (data, index) = database.with_face_data(id, |data, index| (data.to_vec(), index))?;
            Font::new(data.into(), index)
        };
        self.read.entry(id).or_insert_with(read).clone()
    }
}

/// The width of a letter in ems; `None` where the font does not have it.
fn advance(database: &Database, id: ID, letter: char) -> Option<f32> {
    database
        .with_face_data(id, |data, index| {
            let face = ttf_parser::Face::parse(data, index).ok()?;
            let glyph = face.glyph_index(letter).filter(|glyph| glyph.0 != 0)?;
            // Pictures of letters cannot be embedded as outlines.
            face.tables().glyf.is_some().then_some(()).or(face.tables().cff.map(drop))?;
            Some(f32::from(face.glyph_hor_advance(glyph)?) / f32::from(face.units_per_em()))
        })
        .flatten()
}
