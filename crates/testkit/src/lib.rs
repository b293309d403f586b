//! Fixtures, fake evaluators and temporary folders for tests.
