//! The evaluator that has arrays computed elsewhere.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_net::{Codec, NetworkHeader};
use honinbo_rules::Topology;

use crate::client::{By, Client};
use crate::endpoint::{Authorities, Endpoint, Protocol, Token};
use crate::error::{ConnectError, EndpointError};
use crate::export::is_model_name;
use crate::fingerprint::Fingerprint;
use crate::fleet::{Chosen, EndpointPhase, EndpointStatus, Fleet, Patience};
use crate::message::{Question, TensorForm};
use crate::{grpc, rest};

/// What the model is called unless somebody chose otherwise.
pub const DEFAULT_MODEL: &str = "honinbo";

/// Positions in one request.
const BATCH: usize = 16;
/// Requests that each server has to do at a time, where there is enough to ask.
const REQUESTS_EACH: usize = 4;
/// Requests under way at a time, of all servers together.
const MAX_REQUESTS: usize = 64;
/// How often a waiting caller looks at its stop flag.
const LOOK: Duration = Duration::from_millis(5);

/// Which servers are asked, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteOptions {
    /// The servers.
    pub endpoints: Vec<Endpoint>,
    /// What they ask for to let somebody in.
    pub token: Option<Token>,
    /// Whose certificates they may have.
    pub authorities: Authorities,
    /// Name of the model.
    pub model: String,
    /// How numbers travel by REST.
    pub form: TensorForm,
    /// How long servers are waited for.
    pub patience: Patience,
}

impl RemoteOptions {
    /// These servers, without a token.
    #[must_use]
    pub fn new(endpoints: Vec<Endpoint>) -> Self {
        let (form, patience) = (TensorForm::default(), Patience::default());
        Self {
            endpoints,
            token: None,
            authorities: Authorities::default(),
            model: DEFAULT_MODEL.into(),
            form,
            patience,
        }
    }

    /// Refuses what must not be tried.
    ///
    /// # Errors
    /// See [`ConnectError`].
    pub fn check(&self) -> Result<(), ConnectError> {
        if self.endpoints.is_empty() {
            return Err(ConnectError::NoEndpoint);
        }
        if !is_model_name(&self.model) {
            return Err(ConnectError::ModelName { name: self.model.clone() });
        }
        let in_the_clear = self.endpoints.iter().find(|endpoint| !endpoint.is_encrypted() && !endpoint.is_local());
        match in_the_clear {
            Some(endpoint) if self.token.is_some() => {
                Err(ConnectError::TokenInTheClear { address: endpoint.to_string() })
            }
            _ => Ok(()),
        }
    }

    fn clients(&self) -> Result<Vec<Client>, ConnectError> {
        // Only who speaks gRPC has the threads for it.
        let speaks_grpc = self.endpoints.iter().any(|endpoint| endpoint.protocol() == Protocol::Grpc);
        let connections = speaks_grpc.then(grpc::Connections::new).transpose();
        let connections = connections.map_err(|error| ConnectError::Thread(error.to_string()))?.map(Arc::new);
        let (token, connect) = (self.token.as_ref(), self.patience.connect);
        let client = |endpoint: &Endpoint| {
            let by = match &connections {
                Some(connections) if endpoint.protocol() == Protocol::Grpc => {
                    let connections = Arc::clone(connections);
                    let client = grpc::Client::new(connections, endpoint, token, &self.authorities, connect);
                    let refused = |error| ConnectError::Refused { address: endpoint.to_string(), error };
                    By::Grpc(client.map_err(refused)?)
                }
                _ => By::Rest(rest::Client::new(endpoint.clone(), token, self.authorities.roots(), self.form, connect)),
            };
            Ok(Client::new(endpoint.clone(), self.model.clone(), by))
        };
        self.endpoints.iter().map(client).collect()
    }
}

/// Asks inference servers. Shared by any number of threads.
///
/// A batch goes to the server that is expected to answer soonest; where that one takes longer than usual a second one is
/// asked as well, and where it fails the next. A server that failed rests and is then looked at anew.
pub struct RemoteEvaluator {
    fleet: Arc<Fleet>,
}

impl RemoteEvaluator {
    /// Looks at the servers and waits for the first that serves the network that `reference` computes here. Servers that
    /// cannot be reached yet are looked for later.
    ///
    /// # Errors
    /// See [`ConnectError`]; [`ConnectError::Refused`] where no server answers and one is not to be used as it is.
    pub fn connect(
        options: &RemoteOptions,
        header: NetworkHeader,
        reference: &dyn Evaluator,
        stop: &StopFlag,
    ) -> Result<Self, ConnectError> {
        let remote = Self::begin(options, header, reference, stop)?;
        remote.wait_for_one(stop);
        if stop.is_set() {
            return Err(EvalError::Cancelled.into());
        }
        let status = remote.status();
        if status.iter().all(|server| server.phase != EndpointPhase::Ready) {
            let refused = status.into_iter().find(|server| server.phase == EndpointPhase::Refused);
            if let Some(EndpointStatus { address, error: Some(error), .. }) = refused {
                return Err(ConnectError::Refused { address, error });
            }
        }
        Ok(remote)
    }

    /// Begins to look at the servers, waits for none, and refuses none: one that serves another network may serve this one
    /// later.
    ///
    /// # Errors
    /// See [`ConnectError`]; what is wrong with servers is in [`RemoteEvaluator::status`].
    pub fn begin(
        options: &RemoteOptions,
        header: NetworkHeader,
        reference: &dyn Evaluator,
        stop: &StopFlag,
    ) -> Result<Self, ConnectError> {
        options.check()?;
        let fingerprint = Fingerprint::of(reference, stop)?;
        let clients = options.clients()?;
        let fleet = Fleet::start(clients, Codec::new(header), fingerprint, options.patience)
            .map_err(|error| ConnectError::Thread(error.to_string()))?;
        Ok(Self { fleet })
    }

    /// Waits until a server can be asked, until something is known of each, until `stop`, or for as long as servers may
    /// take when a program starts.
    pub fn wait_for_one(&self, stop: &StopFlag) {
        let began = Instant::now();
        loop {
            let status = self.status();
            let is = |phase| status.iter().any(|server| server.phase == phase);
            let is_known = is(EndpointPhase::Ready) || !is(EndpointPhase::Unknown);
            if is_known || stop.is_set() || began.elapsed() >= self.fleet.patience.start {
                return;
            }
            self.fleet.wait(LOOK);
        }
    }

    /// All servers as they are now.
    #[must_use]
    pub fn status(&self) -> Vec<EndpointStatus> {
        self.fleet.status()
    }

    /// Whether some server can be asked now.
    #[must_use]
    pub fn is_answering(&self) -> bool {
        self.fleet.is_answering()
    }

    /// Requests that are worth having under way at a time.
    #[must_use]
    pub fn concurrency(&self) -> usize {
        (self.fleet.count() * REQUESTS_EACH).min(MAX_REQUESTS)
    }

    /// Positions of one request.
    #[must_use]
    pub fn batch(&self) -> usize {
        BATCH
    }

    fn check(&self, request: &EvalRequest<'_>) -> Result<(), EvalError> {
        self.fleet.codec.check(request)?;
        if request.game.board().topology() == Topology::Plane {
            return Ok(());
        }
        let network = self.fleet.codec.header().name.clone();
        Err(EvalError::Unsupported { network, reason: "inference servers compute no boards with joined edges".into() })
    }

    /// Why no server answers, with what each of them is about.
    fn nobody(&self, after: Option<EndpointError>) -> EvalError {
        let status = self.status();
        let reason = after.or_else(|| status.iter().find_map(|server| server.error.clone()));
        let reason = reason.map_or_else(|| "none can be asked now".into(), |error| error.to_string());
        EvalError::Device { device: "inference".into(), reason }
    }

    /// Positions of one board size, no more than a batch.
    fn ask(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let size = requests[0].game.board().size();
        let size = (size.width(), size.height());
        let (sender, answers) = channel();
        // Each form of the question is made once.
        let mut questions: Vec<Arc<Question>> = Vec::new();
        let mut asked: Vec<usize> = Vec::new();
        let (mut under_way, mut attempts) = (0, 0);
        let mut first: Option<Chosen> = None;
        let mut last = None;
        let mut begin = |asked: &mut Vec<usize>| -> Option<Chosen> {
            let chosen = self.fleet.choose(size, asked)?;
            asked.push(chosen.index);
            let known = questions.iter().find(|known| (known.wire, known.buffer) == (chosen.wire, chosen.buffer));
            let question = known.map(Arc::clone).unwrap_or_else(|| {
                let question = Arc::new(self.fleet.question(chosen, requests));
                questions.push(Arc::clone(&question));
                question
            });
            let (fleet, sender) = (Arc::clone(&self.fleet), sender.clone());
            // A request cannot be taken back: whoever stops, or has an answer already, leaves it to its thread.
            let ask = move || {
                let answer = fleet.ask(chosen, &question);
                let _ = sender.send((question.buffer, answer));
            };
            match std::thread::Builder::new().name("inference-ask".into()).spawn(ask) {
                Ok(_) => Some(chosen),
                Err(_) => {
                    self.fleet.let_go(chosen.index);
                    None
                }
            }
        };
        loop {
            if under_way == 0 {
                if attempts == self.fleet.patience.attempts {
                    return Err(self.nobody(last));
                }
                first = begin(&mut asked);
                if first.is_none() {
                    return Err(self.nobody(last));
                }
                (under_way, attempts) = (1, attempts + 1);
            }
            match answers.recv_timeout(LOOK) {
                Ok((buffer, Ok(outputs))) => {
                    let decode = |(index, request)| self.fleet.codec.decode(request, &outputs, index, buffer);
                    return requests.iter().enumerate().map(decode).collect();
                }
                Ok((_, Err(error))) => {
                    under_way -= 1;
                    last = Some(error);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    if stop.is_set() {
                        return Err(EvalError::Cancelled);
                    }
                    let now = Instant::now();
                    let late = first.take_if(|first| first.hedge_at <= now);
                    if let Some(late) = late
                        && self.fleet.is_late(late.index, now - late.asked_at)
                    {
                        under_way += usize::from(begin(&mut asked).is_some());
                    }
                }
            }
        }
    }
}

impl Evaluator for RemoteEvaluator {
    fn limits(&self) -> BatchLimits {
        let all = self.concurrency() * self.batch();
        BatchLimits { preferred: all, max: all }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        for request in requests {
            self.check(request)?;
        }
        let mut answers: Vec<Option<Evaluation>> = vec![None; requests.len()];
        let mut left: Vec<usize> = (0..requests.len()).collect();
        while let Some(&next) = left.first() {
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            let size = |index: usize| requests[index].game.board().size();
            let (same, others): (Vec<usize>, Vec<usize>) = left.iter().partition(|&&index| size(index) == size(next));
            for batch in same.chunks(self.batch()) {
                let questions: Vec<EvalRequest<'_>> = batch.iter().map(|&index| requests[index]).collect();
                for (index, evaluation) in batch.iter().zip(self.ask(&questions, stop)?) {
                    answers[*index] = Some(evaluation);
                }
            }
            left = others;
        }
        Ok(answers.into_iter().flatten().collect())
    }
}

impl Drop for RemoteEvaluator {
    fn drop(&mut self) {
        self.fleet.close();
    }
}

impl std::fmt::Debug for RemoteEvaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteEvaluator").field("servers", &self.status()).finish()
    }
}
