//! The few message types of ONNX that a network needs, written by hand.
//!
//! Field numbers are those of `onnx/onnx.proto` (ONNX 1.16, IR version 10).

use prost::Message;

/// A model: a graph and what is said about it.
#[derive(Clone, PartialEq, Message)]
pub struct ModelProto {
    /// Version of the format.
    #[prost(int64, tag = "1")]
    pub ir_version: i64,
    /// Program that wrote the file.
    #[prost(string, tag = "2")]
    pub producer_name: String,
    /// Its version.
    #[prost(string, tag = "3")]
    pub producer_version: String,
    /// Text for people.
    #[prost(string, tag = "6")]
    pub doc_string: String,
    /// The graph.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<GraphProto>,
    /// Operator sets used.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// Named texts.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringStringEntryProto>,
}

/// One set of operators.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSetIdProto {
    /// Empty: the standard's own.
    #[prost(string, tag = "1")]
    pub domain: String,
    /// Its version.
    #[prost(int64, tag = "2")]
    pub version: i64,
}

/// A named text.
#[derive(Clone, PartialEq, Message)]
pub struct StringStringEntryProto {
    /// The name.
    #[prost(string, tag = "1")]
    pub key: String,
    /// The text.
    #[prost(string, tag = "2")]
    pub value: String,
}

/// Nodes in an order in which they can be computed.
#[derive(Clone, PartialEq, Message)]
pub struct GraphProto {
    /// The steps.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeProto>,
    /// Name of the graph.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Constants.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<TensorProto>,
    /// What goes in.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfoProto>,
    /// What comes out.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfoProto>,
}

/// One step.
#[derive(Clone, PartialEq, Message)]
pub struct NodeProto {
    /// Values used.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// Values made.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// Name of the step.
    #[prost(string, tag = "3")]
    pub name: String,
    /// Operator.
    #[prost(string, tag = "4")]
    pub op_type: String,
    /// Settings.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<AttributeProto>,
    /// Operator set; empty: the standard's own.
    #[prost(string, tag = "7")]
    pub domain: String,
}

/// A setting of a step.
#[derive(Clone, PartialEq, Message)]
pub struct AttributeProto {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Value of kind 1.
    #[prost(float, tag = "2")]
    pub f: f32,
    /// Value of kind 2.
    #[prost(int64, tag = "3")]
    pub i: i64,
    /// Value of kind 3.
    #[prost(bytes = "vec", tag = "4")]
    pub s: Vec<u8>,
    /// Value of kind 7.
    #[prost(int64, repeated, tag = "8")]
    pub ints: Vec<i64>,
    /// Which of the values counts: 1 float, 2 integer, 3 text, 7 integers.
    #[prost(int32, tag = "20")]
    pub r#type: i32,
}

/// A constant.
#[derive(Clone, PartialEq, Message)]
pub struct TensorProto {
    /// Shape.
    #[prost(int64, repeated, tag = "1")]
    pub dims: Vec<i64>,
    /// Element type, see [`data_type`].
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    /// Name.
    #[prost(string, tag = "8")]
    pub name: String,
    /// Little-endian elements.
    #[prost(bytes = "vec", tag = "9")]
    pub raw_data: Vec<u8>,
}

/// An input or output.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfoProto {
    /// Name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Type.
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<TypeProto>,
}

/// Type of a value; only tensors are used.
#[derive(Clone, PartialEq, Message)]
pub struct TypeProto {
    /// A tensor.
    #[prost(message, optional, tag = "1")]
    pub tensor_type: Option<TensorTypeProto>,
}

/// Element type and shape.
#[derive(Clone, PartialEq, Message)]
pub struct TensorTypeProto {
    /// Element type, see [`data_type`].
    #[prost(int32, tag = "1")]
    pub elem_type: i32,
    /// Shape.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
}

/// A shape.
#[derive(Clone, PartialEq, Message)]
pub struct TensorShapeProto {
    /// Its sizes.
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<DimensionProto>,
}

/// One size, fixed or named.
#[derive(Clone, PartialEq, Message)]
pub struct DimensionProto {
    /// Which of both.
    #[prost(oneof = "Dimension", tags = "1, 2")]
    pub value: Option<Dimension>,
}

/// A size.
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum Dimension {
    /// Fixed.
    #[prost(int64, tag = "1")]
    Fixed(i64),
    /// The same wherever it has the same name.
    #[prost(string, tag = "2")]
    Named(String),
}

/// Numbers of element types.
pub mod data_type {
    /// 32-bit float.
    pub const FLOAT: i32 = 1;
    /// 8-bit unsigned.
    pub const UINT8: i32 = 2;
    /// 8-bit signed.
    pub const INT8: i32 = 3;
    /// 32-bit signed.
    pub const INT32: i32 = 6;
    /// 64-bit signed.
    pub const INT64: i32 = 7;
    /// 16-bit float.
    pub const FLOAT16: i32 = 10;
}
