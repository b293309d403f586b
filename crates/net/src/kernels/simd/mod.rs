//! Vector registers, the innermost loop of every product, and the choice of instructions.
#![allow(unsafe_code, reason = "vector instructions are chosen at run time and read through pointers")]

#[cfg(target_arch = "aarch64")]
mod arm;
mod dispatch;
mod factors;
mod lanes;
mod path;
mod product;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "aarch64")]
pub(super) use arm::Four;
pub(super) use dispatch::{vectorised, with_feature, with_words};
pub(super) use factors::{Factors, Lay, LayPair, LayRow, MAX_COLUMN, MAX_WORD, Singles, TOGETHER, in_place, pair};
pub(super) use lanes::{Lanes, MAX_LANES, Plain};
#[cfg(target_arch = "aarch64")]
pub(super) use path::Neon;
#[cfg(test)]
pub(super) use path::on_every_path;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_imports, reason = "no other processor has them"))]
pub(super) use path::{Avx2, Avx512, AvxVnni, Bf16, Narrow, Vnni, Words};
pub use path::{Path, use_at_most};
pub(super) use product::{Weights, fetch_ahead, product};
#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Eight, Sixteen};

/// Columns of one panel of a packed matrix, the same for every processor.
pub(super) const PANEL: usize = 16;

/// What happens with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Store {
    /// It replaces what was there.
    Set,
    /// It is added to what was there.
    Add,
}
