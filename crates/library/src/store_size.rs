//! What the store of evaluations takes, kept in memory.

/// What the store takes at most, as far as this program knows, so that it is seldom counted.
#[derive(Debug, Default)]
pub(crate) struct StoreSize {
    /// Bytes when it was counted last; `None` before.
    pub(crate) counted: Option<i64>,
    /// Bytes that this program stored since, what was replaced not taken off.
    pub(crate) added: i64,
}

impl StoreSize {
    pub(crate) fn at_most(&self) -> Option<i64> {
        self.counted.map(|counted| counted.saturating_add(self.added))
    }
}
