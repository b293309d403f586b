//! What an import says of itself.

use honinbo_record::Problem;

/// Notes kept in a report.
const MAX_NOTES: usize = 10_000;

/// How far an import has come.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportProgress {
    /// Files read to their end.
    pub files: u32,
    /// Files there are.
    pub total_files: u32,
    /// Bytes of files read, in KiB.
    pub kib: u32,
    /// Size of all files in KiB: `kib / total_kib` is the part that is done.
    pub total_kib: u32,
    /// Games stored.
    pub added: u32,
    /// Games that were there already.
    pub duplicates: u32,
    /// Games that an earlier import of these files, which was broken off, had dealt with.
    pub skipped: u32,
}

/// One thing worth reporting about a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportNote {
    /// The file.
    pub path: String,
    /// Line in it, from 1; 0: the whole file.
    pub line: u32,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// What was found and what was done, a sentence.
    pub message: String,
    /// What was wrong with the record, where it was that.
    #[serde(skip)]
    pub problem: Option<Problem>,
}

impl ImportNote {
    /// A problem of a record, found at a line of its file.
    pub(super) fn of_record(path: String, line: u32, problem: &Problem) -> Self {
        let message = format!("{problem}; {}", problem.action());
        Self { path, line, severity: problem.severity().name(), message, problem: Some(problem.clone()) }
    }
}

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// Files that held games.
    pub files: u32,
    /// Files that held none or could not be read; each has a note.
    pub refused_files: u32,
    /// Games stored.
    pub added: u32,
    /// Games that were there already; what they knew more was added.
    pub duplicates: u32,
    /// Games that an earlier import of these files, which was broken off, had dealt with.
    pub skipped: u32,
    /// Games about which there is something to report.
    pub repaired: u32,
    /// What, for the first ten thousand.
    pub notes: Vec<ImportNote>,
    /// Games that were there already and to which a version with something else was joined, the first ten thousand.
    pub joined: Vec<ImportNote>,
    /// Notes that were not kept.
    pub more_notes: u32,
    /// The caller stopped it.
    pub cancelled: bool,
}

/// Keeps a note, or counts it where there are too many.
pub(super) fn note(report: &mut ImportReport, note: ImportNote) {
    if report.notes.len() < MAX_NOTES {
        report.notes.push(note);
    } else {
        report.more_notes += 1;
    }
}

/// Keeps which game another version was joined to.
pub(super) fn joined(report: &mut ImportReport, note: ImportNote) {
    if report.joined.len() < MAX_NOTES {
        report.joined.push(note);
    }
}
