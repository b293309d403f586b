//! Numbers that mean the same in Rust, JSON and TypeScript.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A number that is neither infinite nor NaN, so that JSON can carry it and TypeScript sees a plain `number`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct Finite(#[specta(type = specta_typescript::Number)] f64);

impl Finite {
    /// Wraps a value; what is not finite becomes 0, which happens only if the caller let a broken answer through.
    pub fn new(value: f64) -> Self {
        debug_assert!(value.is_finite(), "a value that is not finite reached the seam");
        Self(if value.is_finite() { value } else { 0.0 })
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl From<f64> for Finite {
    fn from(value: f64) -> Self {
        Self::new(value)
    }
}

impl From<f32> for Finite {
    fn from(value: f32) -> Self {
        Self::new(f64::from(value))
    }
}
