//! How files are imported.

use std::path::PathBuf;

use honinbo_record::ReadLimits;

/// What to import and how much a file may ask for.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Limits of one file, and what it is read in.
    pub limits: ReadLimits,
    /// A folder in which files were only put aside: it means nothing to a person and is left out of sources and notes.
    pub aside: Option<PathBuf>,
}
