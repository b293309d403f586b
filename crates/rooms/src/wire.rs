//! Colours and topologies as JSON has them, and as TypeScript is told of them.

use honinbo_rules::{Color, Topology};
use serde::Serialize;
use specta::datatype::DataType;
use specta::{Type, Types};
use specta_typescript::define;

/// A colour as a number: 1 for Black, 2 for White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "RoomColor")]
pub struct ColorNumber(#[specta(type = OneOrTwo)] u8);

impl From<Color> for ColorNumber {
    fn from(color: Color) -> Self {
        Self(number(color))
    }
}

/// The same as a bare number; 0 is left for a point without a stone.
pub(crate) fn number(color: Color) -> u8 {
    color.index() as u8 + 1
}

struct OneOrTwo;

impl Type for OneOrTwo {
    fn definition(_: &mut Types) -> DataType {
        define("1 | 2").into()
    }
}

/// For a text that is one of the names of topologies.
pub(crate) struct TopologyName;

impl Type for TopologyName {
    fn definition(_: &mut Types) -> DataType {
        define(Topology::ALL.map(|topology| format!("{:?}", topology.name())).join(" | ")).into()
    }
}
