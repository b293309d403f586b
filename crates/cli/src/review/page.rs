//! Reviews as one page that stands alone: no script, no address, everything of a record escaped.

use super::diagram::{board, graph};
use super::facts::{better, choices, conditions, name, side, story};
use super::{Reviewed, heading};
use crate::words::{edges_sentence, points};
use honinbo_api::{PhasesLost, PlayerReview};
use honinbo_rules::Color;
use std::fmt::Write as _;

const STYLE: &str = "\
body{max-width:58rem;margin:2rem auto;padding:0 1rem;color:#2a241c;background:#fff;\
font:1rem/1.5 system-ui,\"Noto Sans\",\"Noto Sans CJK SC\",\"Noto Sans CJK JP\",sans-serif;font-variant-numeric:tabular-nums}\
h1{font-size:1.6rem}h2{margin-top:3rem;font-size:1.4rem}h3{font-size:1.1rem}\
table{border-collapse:collapse}td,th{padding:.25rem .75rem;border-bottom:1px solid #dbd2c2;text-align:right}\
th:first-child{text-align:left}svg{max-width:100%;height:auto;display:block}\
.edge{font:10px sans-serif;text-anchor:middle;fill:#5b4520}.mark{font:bold 14px sans-serif;text-anchor:middle;fill:#fff}\
.scale{font:12px sans-serif}.conditions,footer{color:#5e5445}\
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(19rem,1fr));gap:1.5rem;padding:0;list-style:none}\
.boards li{break-inside:avoid}.boards p{margin:.5rem 0}\
@media print{body{margin:0;max-width:none}h2{break-before:page}h2.first{break-before:auto}\
.boards{grid-template-columns:1fr 1fr}rect,circle{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

/// Text as part of a page.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// What a page says of one game.
pub(super) struct Section {
    heading: String,
    body: String,
}

impl Section {
    pub(super) fn of(done: &Reviewed) -> Self {
        let mut body = String::new();
        game(&mut body, done);
        Self { heading: escape(&heading(done, [""; 2])), body }
    }
}

/// The page of one or several games.
pub(super) fn page(sections: &[Section]) -> String {
    let title = match sections {
        [one] => one.heading.clone(),
        many => format!("{} games reviewed", many.len()),
    };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n",
    );
    for (place, section) in sections.iter().enumerate() {
        if sections.len() > 1 {
            let class = if place == 0 { " class=\"first\"" } else { "" };
            let _ = writeln!(page, "<h2{class}>{}</h2>", section.heading);
        }
        page.push_str(&section.body);
    }
    let _ = writeln!(page, "<footer><p>Honinbo {}</p></footer>\n</html>", env!("CARGO_PKG_VERSION"));
    page
}

fn game(page: &mut String, done: &Reviewed) {
    let review = &done.review;
    let _ = writeln!(page, "<p class=\"conditions\">{}</p>", escape(&conditions(done)));
    if let Some(edges) = edges_sentence(done.review.start.board()) {
        let _ = writeln!(page, "<p class=\"conditions\">{edges}</p>");
    }
    let _ = writeln!(page, "<p>{}</p>", escape(&story(review).join(" ")));
    page.push_str(
        "<table><thead><tr><td></td><th>Moves</th><th>Accuracy</th><th>Points lost</th><th>A move</th>\
         <th>Opening</th><th>Middle game</th><th>Endgame</th><th>Mistakes</th></tr></thead><tbody>",
    );
    for (color, player) in [(Color::Black, &review.black), (Color::White, &review.white)] {
        page.push_str(&row(color, player));
    }
    page.push_str(
        "</tbody></table>\n<table><thead><tr><td></td><th>First choice</th><th>Top five</th><th>Lost 2 to 6</th>\
         <th>6 to 12</th><th>12 or more</th></tr></thead><tbody>",
    );
    for (color, player) in [(Color::Black, &review.black), (Color::White, &review.white)] {
        let cells = choices(player).map(|cell| format!("<td>{cell}</td>")).concat();
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>{cells}</tr>", side(color));
    }
    let _ = writeln!(page, "</tbody></table>\n<h3>Who led</h3>\n{}", graph(review));
    if review.mistakes.is_empty() || done.shown == 0 {
        return;
    }
    page.push_str("<h3>What lost most</h3>\n<p>The crossed stone was played; A would have been better.</p>\n<ol class=\"boards\">");
    for (place, found) in done.mistakes().enumerate() {
        let mut name = name(found);
        name.replace_range(..1, "M");
        let better = better(found).unwrap_or_default();
        let _ = writeln!(
            page,
            "<li>{}<p><b>{}. {}</b> lost {}. {}</p></li>",
            board(found),
            place + 1,
            escape(&name),
            points(found.lost),
            escape(&better)
        );
    }
    page.push_str("</ol>\n");
}

fn row(color: Color, player: &PlayerReview) -> String {
    let accuracy = player.accuracy.map_or_else(|| "–".into(), |accuracy| format!("{:.1} %", accuracy.get()));
    let PhasesLost { opening, middle, endgame } = player.phases;
    let figures =
        [player.lost, player.mean, opening, middle, endgame].map(|lost| format!("<td>{:.1}</td>", lost.get()));
    format!(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{accuracy}</td>{}<td>{}</td></tr>",
        side(color),
        player.moves,
        figures.concat(),
        player.mistakes
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_record_says_is_never_markup() {
        assert_eq!(escape("<b onclick='x'>&\""), "&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;");
    }
}
