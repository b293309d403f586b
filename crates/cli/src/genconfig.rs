//! `honinbo genconfig`: a configuration file for `honinbo gtp`, with what each line means.

use crate::args::GenconfigArgs;
use crate::failure::Failure;
use crate::new_file::write_whole;
use crate::output::Output;
use honinbo_rules::Preset;
use std::fmt::Write as _;

/// Writes the file.
pub(crate) fn genconfig(args: &GenconfigArgs, output: &mut Output) -> Result<(), Failure> {
    Preset::named(&args.rules).map_err(|error| Failure::new(error.to_string(), error.hint()))?;
    let path = args.output.unless_taken(args.force)?;
    write_whole(path, text_of(args).as_bytes())?;
    output.line(format!("{} written; start with: honinbo gtp --config {0}", path.display()))?;
    Ok(())
}

fn text_of(args: &GenconfigArgs) -> String {
    let mut text = String::from(
        "# Settings of honinbo gtp, by the names of KataGo's configuration files.\n\
         # What every name means is listed in docs/katago.md; lines that begin with # are off.\n",
    );
    let mut line = |told: &str, setting: &str| {
        let _ = write!(text, "\n# {told}\n{setting}\n");
    };
    line("The rules of the first game; programs may choose others.", &format!("rules = {}", args.rules));
    match (args.visits, args.seconds) {
        (Some(visits), _) => line("How much is searched for a move.", &format!("maxVisits = {visits}")),
        (None, Some(seconds)) => line("Seconds for a move.", &format!("maxTime = {seconds}")),
        (None, None) => line("How much is searched for a move, or maxTime = seconds.", "maxVisits = 400"),
    }
    if let Some(threads) = args.threads {
        line(
            "Threads of a search; honinbo benchmark says which number is fastest.",
            &format!("numSearchThreads = {threads}"),
        );
    } else {
        line("Threads of a search; without it one for each core.", "# numSearchThreads = 4");
    }
    line("Whether it thinks on the opponent's time.", &format!("ponderingEnabled = {}", args.ponder));
    line(
        "Whether it resigns lost games: below 5 % for three moves.",
        "allowResignation = true\nresignThreshold = -0.90\nresignConsecTurns = 3",
    );
    line("Seconds that are lost between it and the clock.", "lagBuffer = 1.0");
    line("Whose chances analyses tell: BLACK, WHITE or SIDETOMOVE.", "reportAnalysisWinratesAs = SIDETOMOVE");
    line("Widens the search of analyses.", "analysisWideRootNoise = 0.04");
    line("For gtp2ogs: a line for the chat of the game with every move.", "# ogsChatToStderr = true");
    line("Fixes everything random.", "# searchRandSeed = any text");
    text
}
