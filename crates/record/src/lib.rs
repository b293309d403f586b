//! Game records: game trees, SGF and other formats, character sets, diagnostics.
