//! Setting a booklet on pages.

use crate::content::{Booklet, Exercise, words_of};
use crate::diagram::{Diagram, Stone, column_name};
use crate::fonts::{FontError, Fonts};
use crate::words::Words;
use honinbo_rules::{Color, Move, Point};
use krilla::Document;
use krilla::color::luma;
use krilla::geom::{Path, PathBuilder, Point as At, Rect};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::TextDirection;

/// A size of paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paper {
    /// 210 by 297 mm.
    #[default]
    A4,
    /// 148 by 210 mm.
    A5,
}

impl Paper {
    /// Width and height in points of a 72nd of an inch.
    #[must_use]
    pub fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.276, 841.89),
            Self::A5 => (419.528, 595.276),
        }
    }

    fn margin(self) -> f32 {
        match self {
            Self::A4 => 51.0,
            Self::A5 => 36.0,
        }
    }
}

/// How a booklet is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The paper.
    pub paper: Paper,
    /// Columns, 1 or 2.
    pub columns: u8,
}

impl Default for Layout {
    fn default() -> Self {
        Self { paper: Paper::A4, columns: 2 }
    }
}

/// Why a booklet cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PdfError {
    /// A letter has no font.
    #[error(transparent)]
    Font(#[from] FontError),
    /// Nothing is in it.
    #[error("there is no position in the booklet")]
    Empty,
    /// The document cannot be written.
    #[error("the document cannot be written: {reason}")]
    Document {
        /// What the library says.
        reason: String,
    },
}

impl PdfError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Font(error) => error.hint(),
            Self::Empty => "choose positions that can be solved".to_owned(),
            Self::Document { .. } => "try fewer positions".to_owned(),
        }
    }
}

const TEXT: f32 = 9.5;
const LEADING: f32 = 1.35;
const GAP: f32 = 14.0;
/// Between columns.
const GUTTER: f32 = 20.0;
/// The largest distance of two lines of a board; small boards would fill the page otherwise.
const MAX_CELL: f32 = 19.0;
/// Around a board, in distances of two lines: half a stone, and its coordinates.
const RIM: f32 = 0.55;
const COORDINATES: f32 = 0.9;

impl Booklet {
    /// The booklet as PDF, with fonts of this machine embedded.
    ///
    /// # Errors
    /// [`PdfError`]: above all a letter that no font of this machine has.
    pub fn pdf(&self, layout: Layout) -> Result<Vec<u8>, PdfError> {
        self.set(layout, Fonts::of_the_system(self.language))
    }

    fn set(&self, layout: Layout, fonts: Fonts) -> Result<Vec<u8>, PdfError> {
        self.laid_out(layout, fonts)?.finish(self)
    }

    fn laid_out(&self, layout: Layout, fonts: Fonts) -> Result<Setter, PdfError> {
        if self.exercises.is_empty() {
            return Err(PdfError::Empty);
        }
        let mut setter = Setter::new(layout, fonts);
        let words = self.language.words();
        setter.title(&self.title)?;
        for (index, exercise) in self.exercises.iter().enumerate() {
            let to_play = if exercise.to_play == Color::Black { words.black_to_play } else { words.white_to_play };
            let mut lines = vec![(format!("{}. {to_play}", index + 1), true)];
            lines.extend(words.edges(exercise.board.topology()).map(|edges| (edges.to_owned(), false)));
            lines.extend([&exercise.heading, &exercise.text].map(|text| (text.clone(), false)));
            setter.block(&lines, Diagram::question(exercise), &[])?;
        }
        setter.new_page();
        setter.title(words.solutions)?;
        for (index, exercise) in self.exercises.iter().enumerate() {
            let diagram = Diagram::solution(exercise);
            let below = below_solution(exercise, &diagram, &words);
            setter.block(&[((index + 1).to_string(), true)], diagram, &below)?;
        }
        Ok(setter)
    }
}

/// The lines below the diagram of a solution.
fn below_solution(exercise: &Exercise, diagram: &Diagram, words: &Words) -> Vec<String> {
    let name = |played: &Move| match played {
        Move::Place(at) => at.to_gtp(exercise.board.size()),
        _ => words.pass.to_owned(),
    };
    // A move that is not drawn: `7 = 3`, as books say it, or its point.
    let aside = diagram.aside.iter().map(|(number, played, on)| match on {
        Some(on) => format!("{number} = {on}"),
        None => format!("{number} = {}", name(played)),
    });
    let aside = aside.collect::<Vec<_>>().join(", ");
    let in_the_game = match exercise.played {
        Some(Move::Place(_)) => words.in_the_game.to_owned(),
        Some(_) => words.in_the_game.replace('×', words.pass),
        None => String::new(),
    };
    let also: Vec<String> = exercise.also_right().iter().map(name).collect();
    let also = if also.is_empty() { String::new() } else { words.also_right.replace('×', &also.join(", ")) };
    let mut below = vec![in_the_game, aside, words_of(&exercise.solution_line()), also];
    below.extend(exercise.refuted().map(|line| {
        let moves: Vec<String> = line.iter().map(|tried| name(&tried.played)).collect();
        format!("{}: {} {}", moves.join(" "), words.wrong, words_of(&line))
    }));
    below
}

/// Something on a page, at a place.
enum Ink {
    Text { at: (f32, f32), size: f32, text: String, shade: u8 },
    Line { from: (f32, f32), to: (f32, f32), width: f32, shade: u8 },
    Disc { at: (f32, f32), radius: f32, black: bool },
    Dot { at: (f32, f32), radius: f32 },
}

struct Setter {
    layout: Layout,
    fonts: Fonts,
    pages: Vec<Vec<Ink>>,
    column: u8,
    /// Where the next block begins, and where columns begin on this page.
    y: f32,
    top: f32,
}

impl Setter {
    fn new(layout: Layout, fonts: Fonts) -> Self {
        let layout = Layout { columns: layout.columns.clamp(1, 2), ..layout };
        let top = layout.paper.margin();
        Self { layout, fonts, pages: vec![Vec::new()], column: 0, y: top, top }
    }

    fn column_width(&self) -> f32 {
        let inside = self.layout.paper.size().0 - 2.0 * self.layout.paper.margin();
        let columns = f32::from(self.layout.columns);
        (inside - GUTTER * (columns - 1.0)) / columns
    }

    fn left(&self) -> f32 {
        self.layout.paper.margin() + f32::from(self.column) * (self.column_width() + GUTTER)
    }

    fn bottom(&self) -> f32 {
        self.layout.paper.size().1 - self.layout.paper.margin()
    }

    fn ink(&mut self, ink: Ink) {
        if let Some(page) = self.pages.last_mut() {
            page.push(ink);
        }
    }

    fn new_page(&mut self) {
        self.pages.push(Vec::new());
        self.column = 0;
        self.top = self.layout.paper.margin();
        self.y = self.top;
    }

    /// Goes on in the next column, or on the next page behind the last one.
    fn next_column(&mut self) {
        if self.column + 1 < self.layout.columns {
            self.column += 1;
            self.y = self.top;
        } else {
            self.new_page();
        }
    }

    /// Goes on where so much fits. An empty page has to do for whatever is higher.
    fn make_room(&mut self, height: f32) {
        let begin = self.layout.paper.margin();
        while self.y + height > self.bottom() && (self.column > 0 || self.y > begin) {
            self.next_column();
        }
    }

    /// A heading over all columns.
    fn title(&mut self, text: &str) -> Result<(), FontError> {
        let inside = self.layout.paper.size().0 - 2.0 * self.layout.paper.margin();
        let size = 17.0;
        for line in self.broken(text, size, inside)? {
            self.y += size;
            let at = (self.layout.paper.margin(), self.y);
            self.ink(Ink::Text { at, size, text: line, shade: 0 });
            self.y += size * (LEADING - 1.0);
        }
        self.y += GAP;
        self.top = self.y;
        Ok(())
    }

    /// Lines of text, a diagram and lines below it, kept together where a page holds them. The first of two is strong.
    fn block(&mut self, above: &[(String, bool)], diagram: Diagram, below: &[String]) -> Result<(), FontError> {
        let width = self.column_width();
        let (columns, rows) = (diagram.window.columns() as f32, diagram.window.rows() as f32);
        let around = 2.0 * RIM + COORDINATES - 1.0;
        let room = self.bottom() - self.layout.paper.margin();
        // A board never takes more than a page leaves beside a few words.
        let cell = (width / (columns + around)).min(MAX_CELL).min((room - 8.0 * TEXT) / (rows + around));
        let (board_width, board_height) = (cell * (columns + around), cell * (rows + around));
        let mut texts = Vec::new();
        for (text, strong) in above {
            let size = if *strong { TEXT + 1.5 } else { TEXT };
            texts.extend(self.broken(text, size, width)?.into_iter().map(|line| (line, size, !strong)));
        }
        let mut after = Vec::new();
        for text in below {
            after.extend(self.broken(text, TEXT, width)?);
        }
        let lines = |lines: f32| lines * TEXT * LEADING;
        let above_height: f32 = texts.iter().map(|(_, size, _)| size * LEADING).sum();
        let height = above_height + board_height + lines(after.len() as f32);
        if height <= room {
            self.make_room(height);
        } else if self.y > self.top {
            self.next_column();
        }
        for (text, size, soft) in texts {
            self.line(text, size, if soft { 90 } else { 0 });
        }
        self.make_room(board_height);
        let left = self.left();
        let from = left + (width - board_width) / 2.0;
        self.board(&diagram, (from.max(left), self.y), cell)?;
        self.y += board_height;
        for text in after {
            self.line(text, TEXT, 40);
        }
        self.y += GAP;
        Ok(())
    }

    /// A line of text. Words without end go on in the next column.
    fn line(&mut self, text: String, size: f32, shade: u8) {
        self.make_room(size);
        self.y += size;
        let at = (self.left(), self.y);
        self.ink(Ink::Text { at, size, text, shade });
        self.y += size * (LEADING - 1.0);
    }

    fn board(&mut self, diagram: &Diagram, corner: (f32, f32), cell: f32) -> Result<(), FontError> {
        let window = diagram.window;
        let rim = (RIM + COORDINATES - 0.5) * cell;
        let at = |x: f32, y: f32| (corner.0 + rim + (x + 0.5) * cell, corner.1 + rim + (y + 0.5) * cell);
        let place = |point: Point| at((point.x() - window.left) as f32, (point.y() - window.top) as f32);
        let (last_x, last_y) = ((window.columns() - 1) as f32, (window.rows() - 1) as f32);
        let size = diagram.size;
        // Lines that go on beyond the part are drawn half a line further.
        let [left, right, top, bottom] = diagram.edges();
        let beyond = |is_edge: bool| if is_edge { 0.0 } else { 0.5 };
        let (begin_x, begin_y) = (-beyond(left), -beyond(top));
        let (end_x, end_y) = (last_x + beyond(right), last_y + beyond(bottom));
        for column in 0..window.columns() {
            let edge = left && column == 0 || right && column + 1 == window.columns();
            let width = if edge { 1.0 } else { 0.5 };
            let (from, to) = (at(column as f32, begin_y), at(column as f32, end_y));
            self.ink(Ink::Line { from, to, width, shade: 40 });
        }
        for row in 0..window.rows() {
            let edge = top && row == 0 || bottom && row + 1 == window.rows();
            let width = if edge { 1.0 } else { 0.5 };
            let (from, to) = (at(begin_x, row as f32), at(end_x, row as f32));
            self.ink(Ink::Line { from, to, width, shade: 40 });
        }
        for star in diagram.stars().into_iter().filter(|star| window.holds(*star)) {
            self.ink(Ink::Dot { at: place(star), radius: cell * 0.13 });
        }
        let small = (cell * 0.42).min(7.0);
        for column in 0..window.columns() {
            let name = column_name(column + window.left, size);
            let (x, y) = at(column as f32, -0.5 - COORDINATES * 0.5);
            self.centred((x, y), small, &name, 110)?;
        }
        for row in 0..window.rows() {
            let name = (size.height() - row - window.top).to_string();
            let (x, y) = at(-0.5 - COORDINATES * 0.5, row as f32);
            self.centred((x, y), small, &name, 110)?;
        }
        for Stone { at: point, color, label } in &diagram.stones {
            if !window.holds(*point) {
                continue;
            }
            let middle = place(*point);
            let black = *color == Color::Black;
            self.ink(Ink::Disc { at: middle, radius: cell * 0.47, black });
            if !label.is_empty() {
                let size = cell * if label.len() > 1 { 0.5 } else { 0.6 };
                self.centred(middle, size, label, if black { 255 } else { 0 })?;
            }
        }
        if let Some(cross) = diagram.cross.filter(|cross| window.holds(*cross)) {
            let (x, y) = place(cross);
            let arm = cell * 0.25;
            for side in [-1.0, 1.0] {
                let (from, to) = ((x - arm, y - side * arm), (x + arm, y + side * arm));
                self.ink(Ink::Line { from, to, width: cell * 0.1, shade: 0 });
            }
        }
        Ok(())
    }

    fn centred(&mut self, (x, y): (f32, f32), size: f32, text: &str, shade: u8) -> Result<(), FontError> {
        let width = self.fonts.width(text)? * size;
        // Digits and capitals are about 0.72 em high.
        let at = (x - width / 2.0, y + size * 0.36);
        self.ink(Ink::Text { at, size, text: text.to_owned(), shade });
        Ok(())
    }

    /// A text in lines of a width, at most two hundred. Words stay whole where they fit; the scripts of East Asia break
    /// between any two letters but before closing signs.
    fn broken(&mut self, text: &str, size: f32, width: f32) -> Result<Vec<String>, FontError> {
        const MAX_LINES: usize = 200;
        let mut lines = Vec::new();
        for paragraph in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let mut line = String::new();
            for part in parts(paragraph) {
                let candidate = format!("{line}{part}");
                if line.is_empty() || self.fonts.width(candidate.trim_end())? * size <= width {
                    line = candidate;
                } else {
                    lines.push(line.trim_end().to_owned());
                    line = part.trim_start().to_owned();
                }
                // A word that is wider than a line alone is cut.
                while self.fonts.width(line.trim_end())? * size > width && line.chars().count() > 1 {
                    let mut cut = line.clone();
                    while self.fonts.width(cut.trim_end())? * size > width && cut.chars().count() > 1 {
                        cut.pop();
                    }
                    line = line[cut.len()..].to_owned();
                    lines.push(cut);
                }
                if lines.len() >= MAX_LINES {
                    return Ok(lines);
                }
            }
            if !line.trim().is_empty() {
                lines.push(line.trim_end().to_owned());
            }
        }
        Ok(lines)
    }

    fn finish(mut self, booklet: &Booklet) -> Result<Vec<u8>, PdfError> {
        let (width, height) = self.layout.paper.size();
        let mut document = Document::new();
        let metadata = Metadata::new()
            .title(booklet.title.clone())
            .language(booklet.language.tag().to_owned())
            .creator("Honinbo".to_owned());
        document.set_metadata(metadata);
        let pages = std::mem::take(&mut self.pages);
        for (number, page) in pages.into_iter().enumerate() {
            self.pages = vec![page];
            let middle = (width / 2.0, height - self.layout.paper.margin() / 2.0);
            self.centred(middle, TEXT - 1.0, &(number + 1).to_string(), 90)?;
            let settings = PageSettings::from_wh(width, height);
            let settings = settings.ok_or_else(|| PdfError::Document { reason: "the paper has no size".into() })?;
            let mut page = document.start_page_with(settings);
            let mut surface = page.surface();
            for ink in self.pages.remove(0) {
                draw(&mut surface, &mut self.fonts, ink)?;
            }
            surface.finish();
            page.finish();
        }
        document.finish().map_err(|error| PdfError::Document { reason: format!("{error:?}") })
    }
}

/// The parts of a line between which it may break, blanks at their ends.
fn parts(text: &str) -> Vec<String> {
    let is_wide = |letter: char| matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}');
    let closes = |letter: char| "、。，．：；！？）」』】〉》”’…ー".contains(letter);
    let opens = |letter: char| "（「『【〈《“‘".contains(letter);
    let mut parts: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in text.chars() {
        let breaks = (before == ' ' && letter != ' ')
            || (is_wide(letter) || is_wide(before)) && letter != ' ' && !closes(letter) && !opens(before);
        if breaks || parts.is_empty() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
        before = letter;
    }
    parts
}

fn shaded(shade: u8) -> Fill {
    Fill { paint: luma::Color::new(shade).into(), ..Fill::default() }
}

fn draw(surface: &mut Surface<'_>, fonts: &mut Fonts, ink: Ink) -> Result<(), PdfError> {
    match ink {
        Ink::Text { at: (mut x, y), size, text, shade } => {
            surface.set_stroke(None);
            surface.set_fill(Some(shaded(shade)));
            for run in fonts.runs(&text)? {
                let font = run.face.font;
                surface.draw_text(At::from_xy(x, y), font, size, &run.text, false, TextDirection::LeftToRight);
                x += run.ems * size;
            }
        }
        Ink::Line { from, to, width, shade } => {
            let mut path = PathBuilder::new();
            path.move_to(from.0, from.1);
            path.line_to(to.0, to.1);
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke { paint: luma::Color::new(shade).into(), width, ..Stroke::default() }));
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
        Ink::Disc { at, radius, black } => {
            surface.set_fill(Some(shaded(if black { 0 } else { 255 })));
            surface.set_stroke(Some(Stroke { paint: luma::Color::new(0).into(), width: 0.7, ..Stroke::default() }));
            circle(at, radius).iter().for_each(|path| surface.draw_path(path));
        }
        Ink::Dot { at, radius } => {
            surface.set_stroke(None);
            surface.set_fill(Some(shaded(40)));
            circle(at, radius).iter().for_each(|path| surface.draw_path(path));
        }
    }
    Ok(())
}

/// A circle of four curves.
fn circle((x, y): (f32, f32), radius: f32) -> Option<Path> {
    // The distance of the handles by which a curve of third degree comes nearest to a quarter of a circle.
    const HANDLE: f32 = 0.552_284_8;
    let (r, h) = (radius, radius * HANDLE);
    Rect::from_xywh(x - r, y - r, 2.0 * r, 2.0 * r)?;
    let mut path = PathBuilder::new();
    path.move_to(x + r, y);
    path.cubic_to(x + r, y + h, x + h, y + r, x, y + r);
    path.cubic_to(x - h, y + r, x - r, y + h, x - r, y);
    path.cubic_to(x - r, y - h, x - h, y - r, x, y - r);
    path.cubic_to(x + h, y - r, x + r, y - h, x + r, y);
    path.close();
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Try;
    use crate::words::Language;
    use fontdb::Database;
    use honinbo_rules::{Board, BoardSize, Topology};

    #[test]
    fn lines_break_between_words_and_between_signs_but_not_before_a_full_stop() {
        assert_eq!(parts("two words"), ["two ", "words"]);
        assert_eq!(parts("黑先。白死"), ["黑", "先。", "白", "死"]);
        assert_eq!(parts("「黑」A4 是"), ["「黑」", "A4 ", "是"]);
    }

    #[test]
    fn without_fonts_it_is_said_what_to_install() {
        let booklet = Booklet { title: "碁".into(), language: Language::Japanese, exercises: Vec::new() };
        assert_eq!(
            booklet.set(Layout::default(), Fonts::new(Database::new(), Language::Japanese)),
            Err(PdfError::Empty)
        );
        let error = Fonts::new(Database::new(), Language::Japanese).width("碁").unwrap_err();
        assert_eq!(error, FontError::NoFont);
        assert!(FontError::MissingLetter { letter: '碁' }.hint().contains("fonts-noto-cjk"));
        assert!(FontError::MissingLetter { letter: '\u{10ffff}' }.to_string().contains("U+10FFFF"));
    }

    /// A board with stones in two corners, under so many lines of text.
    fn exercise(width: usize, height: usize, lines: usize) -> Exercise {
        let size = BoardSize::new(width, height).unwrap();
        let stones = [(Point::new(0, 0), Color::Black), (Point::new(width - 1, height - 1), Color::White)];
        let board = Board::with_stones(size, Topology::Plane, stones).unwrap();
        let text = "word\n".repeat(lines);
        let tries = vec![Try { text: text.clone(), ..Try::new(Move::Place(Point::new(1, 1)), true) }];
        Exercise { heading: "Name".to_owned(), text, board, to_play: Color::Black, tries, played: None }
    }

    #[test]
    fn a_solution_names_every_right_move_and_how_a_wrong_one_is_answered() {
        let at = |x, y| Move::Place(Point::new(x, y));
        let mut asked = exercise(19, 19, 0);
        asked.tries[0].text = "Alive.".to_owned();
        let answer = Try { text: "Black dies.".to_owned(), ..Try::new(at(0, 1), true) };
        asked.tries.extend([
            Try::new(at(1, 1), true),
            Try::new(at(18, 0), true),
            Try::new(Move::Pass, true),
            Try::new(at(2, 0), false),
            Try { next: vec![answer], ..Try::new(at(1, 0), false) },
        ]);
        let below = |language: Language| {
            let below = below_solution(&asked, &Diagram::solution(&asked), &language.words());
            below.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(
            below(Language::English),
            ["Alive.", "Also right: T19, pass", "B19 A18: Wrong. Black dies."],
            "what nothing is said of is not told"
        );
        assert_eq!(below(Language::Japanese)[1], "ほかの正解：T19, パス");
    }

    /// The place of something, with its lower end.
    fn lower_end(ink: &Ink) -> (f32, f32) {
        match ink {
            Ink::Text { at, .. } => *at,
            Ink::Line { from, to, .. } => (from.0, from.1.max(to.1)),
            Ink::Disc { at, radius, .. } | Ink::Dot { at, radius } => (at.0, at.1 + radius),
        }
    }

    #[test]
    fn nothing_runs_off_the_page_below_a_long_text() {
        let mut fonts = Fonts::of_the_system(Language::English);
        if fonts.width("A 1").is_err() {
            honinbo_testkit::fixtures::skip("no font is installed");
            return;
        }
        let sizes = [(19, 19), (9, 52), (52, 9)];
        for (paper, columns) in [(Paper::A4, 1), (Paper::A4, 2), (Paper::A5, 1), (Paper::A5, 2)] {
            for lines in [0, 5, 30, 150] {
                let exercises = sizes.map(|(width, height)| exercise(width, height, lines)).to_vec();
                for exercises in [exercises.clone(), exercises.into_iter().rev().collect()] {
                    let booklet = Booklet { title: "Problems".into(), language: Language::English, exercises };
                    let set = booklet.laid_out(Layout { paper, columns }, fonts).unwrap();
                    let right = paper.size().0 - paper.margin();
                    for (x, y) in set.pages.iter().flatten().map(lower_end) {
                        assert!(x <= right && y <= set.bottom() + 0.1, "{paper:?}, {columns}, {lines} lines: {x}, {y}");
                    }
                    let stones = set.pages.iter().flatten().filter(|ink| matches!(ink, Ink::Disc { .. })).count();
                    assert_eq!(stones, 15, "two on each board, and the move on that of each solution");
                    fonts = set.fonts;
                }
            }
        }
    }
}
