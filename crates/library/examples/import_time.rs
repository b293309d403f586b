//! Times an import: `cargo run --release -p honinbo-library --example import_time -- LIBRARY FILE...`

use std::ops::ControlFlow;
use std::time::Instant;

use honinbo_library::{ImportOptions, Library};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(std::path::PathBuf::from);
    let library = Library::open(arguments.next().ok_or("no library named")?)?;
    let files: Vec<_> = arguments.collect();
    let start = Instant::now();
    let report = library.import(&files, &ImportOptions::default(), 0, &mut |_| ControlFlow::Continue(()))?;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned();
    #[expect(clippy::print_stdout, reason = "an example says what it measured")]
    {
        println!(
            "added {} duplicates {} repaired {} files {} refused {} notes {} in {:?}; {peak}",
            report.added,
            report.duplicates,
            report.repaired,
            report.files,
            report.refused_files,
            report.notes.len(),
            start.elapsed(),
        );
    }
    Ok(())
}
