//! Evaluations from inference servers that speak the Open Inference Protocol (version 2 of KServe's) by REST or
//! gRPC: NVIDIA Triton, OpenVINO Model Server, and whatever else does.
//!
//! Positions are encoded and answers decoded here, by [`honinbo_net::Codec`]; a server computes arrays and knows nothing
//! of Go. [`RemoteEvaluator`] spreads batches over several servers; [`FallbackToLocal`] computes here while none answers.
//!
//! ```
//! use honinbo_remote::Endpoint;
//!
//! let endpoint: Endpoint = "https://gpu-1.example/go".parse()?;
//! assert_eq!(endpoint.to_string(), "https://gpu-1.example:443/go");
//! # Ok::<(), honinbo_remote::AddressError>(())
//! ```
//!
//! Source: the Open Inference Protocol, <https://github.com/kserve/open-inference-protocol>, and the extension for binary
//! tensors in Triton's documentation, `protocol/extension_binary_data.md`.

mod client;
mod endpoint;
mod error;
mod evaluator;
mod export;
mod fallback;
mod fingerprint;
mod fleet;
mod grpc;
mod message;
mod metadata;
mod proto;
mod rest;
mod trust;

pub use endpoint::{AddressError, Authorities, AuthoritiesError, Endpoint, Protocol, Token, TokenError};
pub use error::{ConnectError, EndpointError, Refusal};
pub use evaluator::{DEFAULT_MODEL, RemoteEvaluator, RemoteOptions};
pub use export::{MAX_BATCH, NetworkDescription, is_model_name, ovms_config, triton_config};
pub use fallback::FallbackToLocal;
pub use fingerprint::Fingerprint;
pub use fleet::{EndpointPhase, EndpointStatus, Patience};
pub use message::TensorForm;
