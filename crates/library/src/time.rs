//! Moments, as the library keeps them.

/// Milliseconds since 1970, given by the caller: the library reads no clock.
pub type Timestamp = i64;
