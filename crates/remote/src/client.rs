//! One server, by either protocol.

use std::time::Duration;

use honinbo_net::NetworkHeader;

use crate::endpoint::Endpoint;
use crate::error::EndpointError;
use crate::message::{Inferred, Question, Wire};
use crate::metadata::Graph;
use crate::{grpc, rest};

/// A server and how it is asked.
#[derive(Debug)]
pub(crate) struct Client {
    endpoint: Endpoint,
    model: String,
    by: By,
}

/// The protocol under that of inference.
#[derive(Debug)]
pub(crate) enum By {
    Rest(rest::Client),
    Grpc(grpc::Client),
}

/// What a server said of its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Served {
    pub(crate) graph: Graph,
    /// The form of questions that it takes.
    pub(crate) wire: Wire,
}

impl Client {
    pub(crate) fn new(endpoint: Endpoint, model: String, by: By) -> Self {
        Self { endpoint, model, by }
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    /// What it serves, or why that is not the network. Each request of several ends after `deadline`.
    pub(crate) fn describe(&self, header: &NetworkHeader, deadline: Duration) -> Result<Served, EndpointError> {
        let (metadata, wire) = match &self.by {
            By::Rest(client) => client.describe(&self.model, deadline)?,
            By::Grpc(client) => (client.describe(&self.model, deadline)?, Wire::Protobuf),
        };
        Ok(Served { graph: metadata.graph(header, &self.model)?, wire })
    }

    /// Has a batch computed. Blocks for `deadline` at most.
    pub(crate) fn infer(
        &self,
        header: &NetworkHeader,
        question: &Question,
        deadline: Duration,
    ) -> Result<Inferred, EndpointError> {
        match &self.by {
            By::Rest(client) => client.infer(&self.model, header, question, deadline),
            By::Grpc(client) => client.infer(header, question, deadline),
        }
    }
}
