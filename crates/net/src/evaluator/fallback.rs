//! An evaluator that goes on without its device.

use std::sync::{Arc, OnceLock};

use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};

/// Makes what takes over, when it is first needed.
type Make = Box<dyn Fn() -> Result<Arc<dyn Evaluator>, String> + Send + Sync>;

/// Asks a device, and from its first failure on the processor: an error, a device that is gone, answers that are no
/// numbers. The positions that failed are asked again at once, so that whoever asked notices nothing but the time.
///
/// Shared by any number of threads; those whose batches fail at the same moment wait for one evaluator to be made.
pub struct FallbackEvaluator {
    device: Arc<dyn Evaluator>,
    make: Make,
    processor: OnceLock<Result<Arc<dyn Evaluator>, String>>,
    loss: Arc<DeviceLoss>,
}

/// Whether, and why, a device was given up. Shared with whoever shows it.
#[derive(Debug, Default)]
pub struct DeviceLoss(OnceLock<(DeviceLossKind, String)>);

/// How a device failed, for people: what it says itself is for developers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceLossKind {
    /// It is gone, or answers with an error.
    Lost,
    /// It has no memory left.
    OutOfMemory,
    /// Its answers are no numbers.
    NotFinite,
}

impl DeviceLossKind {
    fn of(failure: &EvalError) -> Self {
        // Every provider has words of its own for it.
        let is_about_memory = |reason: &str| {
            let reason = reason.to_lowercase();
            ["out of memory", "outofmemory", "not enough memory", "failed to allocate"]
                .iter()
                .any(|words| reason.contains(words))
        };
        match failure {
            EvalError::NotFinite { .. } => Self::NotFinite,
            EvalError::Device { reason, .. } if is_about_memory(reason) => Self::OutOfMemory,
            _ => Self::Lost,
        }
    }
}

impl DeviceLoss {
    /// How the device failed; `None` while it computes.
    #[must_use]
    pub fn kind(&self) -> Option<DeviceLossKind> {
        self.0.get().map(|(kind, _)| *kind)
    }

    /// What the device said when it was given up; `None` while it computes.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.0.get().map(|(_, reason)| reason.as_str())
    }
}

impl FallbackEvaluator {
    /// Asks `device`; `make` makes what answers after it. `make`'s failure is a sentence.
    #[must_use]
    pub fn new(
        device: Arc<dyn Evaluator>,
        make: impl Fn() -> Result<Arc<dyn Evaluator>, String> + Send + Sync + 'static,
    ) -> Self {
        Self { device, make: Box::new(make), processor: OnceLock::new(), loss: Arc::default() }
    }

    /// Whether the device was given up.
    #[must_use]
    pub fn loss(&self) -> Arc<DeviceLoss> {
        Arc::clone(&self.loss)
    }

    fn processor(&self, after: &EvalError) -> Result<&Arc<dyn Evaluator>, EvalError> {
        self.processor
            .get_or_init(|| (self.make)())
            .as_ref()
            .map_err(|reason| EvalError::Device { device: "cpu".into(), reason: format!("{reason} (after {after})") })
    }
}

impl Evaluator for FallbackEvaluator {
    fn limits(&self) -> BatchLimits {
        match self.processor.get() {
            Some(Ok(processor)) if self.loss.reason().is_some() => processor.limits().only_preferred(),
            _ => self.device.limits(),
        }
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let failure = if let Some(reason) = self.loss.reason() {
            EvalError::Device { device: "the device".into(), reason: reason.to_owned() }
        } else {
            match self.device.evaluate(requests, stop) {
                Err(error @ (EvalError::Device { .. } | EvalError::NotFinite { .. })) => error,
                answered => return answered,
            }
        };
        let answers = self.processor(&failure)?.evaluate(requests, stop);
        // A position that the processor cannot answer either is no fault of the device, unless the device says so itself.
        let is_to_blame = matches!(failure, EvalError::Device { .. }) || answers.is_ok();
        if is_to_blame && self.loss.0.set((DeviceLossKind::of(&failure), failure.to_string())).is_ok() {
            tracing::warn!(%failure, "the processor goes on in place of a device");
        }
        answers
    }
}

impl std::fmt::Debug for FallbackEvaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FallbackEvaluator").field("loss", &self.loss).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_evaluator::EvalParams;
    use honinbo_rules::{Game, Preset, Setup};
    use honinbo_testkit::UniformEvaluator;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Answers so many calls, then fails for ever.
    struct Lost {
        left: AtomicUsize,
        error: EvalError,
    }

    impl Evaluator for Lost {
        fn limits(&self) -> BatchLimits {
            BatchLimits { preferred: 64, max: 64 }
        }

        fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
            let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
            left.map_err(|_| self.error.clone())?;
            UniformEvaluator::default().evaluate(requests, stop)
        }
    }

    fn lost(after: usize, error: EvalError) -> Arc<dyn Evaluator> {
        Arc::new(Lost { left: AtomicUsize::new(after), error })
    }

    fn gone() -> EvalError {
        EvalError::Device { device: "webgpu".into(), reason: "the device is lost".into() }
    }

    fn ask(evaluator: &dyn Evaluator) -> Result<Vec<Evaluation>, EvalError> {
        let game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
        evaluator.evaluate(&[EvalRequest { game: &game, params: EvalParams::default() }; 3], &StopFlag::new())
    }

    #[test]
    fn the_processor_takes_over_and_stays() {
        let made = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&made);
        let evaluator = FallbackEvaluator::new(lost(1, gone()), move || {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(Arc::new(UniformEvaluator::default()))
        });
        let loss = evaluator.loss();
        assert_eq!((ask(&evaluator).unwrap().len(), loss.reason()), (3, None));
        assert_eq!(evaluator.limits().max, 64);
        for _ in 0..3 {
            assert_eq!(ask(&evaluator).unwrap().len(), 3);
        }
        assert_eq!(loss.reason(), Some("webgpu failed while evaluating: the device is lost"));
        assert_eq!(made.load(Ordering::SeqCst), 1);
        // From here on it is asked for no more at a time than the processor likes.
        let preferred = UniformEvaluator::default().limits().preferred;
        assert_eq!(evaluator.limits(), BatchLimits { preferred, max: preferred });
    }

    #[test]
    fn answers_that_are_no_numbers_count_as_a_failure_unless_the_processor_has_none_either() {
        let broken = EvalError::NotFinite { network: "net".into(), output: "policy" };
        let evaluator = FallbackEvaluator::new(lost(0, broken.clone()), || Ok(Arc::new(UniformEvaluator::default())));
        assert!(ask(&evaluator).is_ok());
        assert_eq!(evaluator.loss().kind(), Some(DeviceLossKind::NotFinite));

        let same = broken.clone();
        let evaluator = FallbackEvaluator::new(lost(0, broken.clone()), move || Ok(lost(0, same.clone())));
        assert_eq!(ask(&evaluator), Err(broken));
        assert_eq!(evaluator.loss().reason(), None, "the network's fault");
    }

    #[test]
    fn a_loss_has_a_kind_whatever_the_library_says() {
        let kind = |reason: &str| {
            let failure = EvalError::Device { device: "webgpu".into(), reason: reason.into() };
            let evaluator = FallbackEvaluator::new(lost(0, failure), || Ok(Arc::new(UniformEvaluator::default())));
            ask(&evaluator).unwrap();
            evaluator.loss().kind().unwrap()
        };
        assert_eq!(kind("/onnxruntime_src/webgpu/buffer_manager.cc:641 void onnxruntime::f"), DeviceLossKind::Lost);
        assert_eq!(kind("CUDA failure 2: out of memory; GPU=0"), DeviceLossKind::OutOfMemory);
        assert_eq!(kind("bfc_arena.cc:358 Failed to allocate memory for 4096"), DeviceLossKind::OutOfMemory);
    }

    #[test]
    fn without_a_processor_the_failure_says_both() {
        let evaluator = FallbackEvaluator::new(lost(0, gone()), || Err("no memory is left".into()));
        let error = ask(&evaluator).unwrap_err().to_string();
        assert!(error.contains("no memory is left") && error.contains("the device is lost"), "{error}");
    }

    #[test]
    fn what_is_no_failure_of_the_device_is_passed_on() {
        for error in [EvalError::Cancelled, EvalError::Closed] {
            let evaluator = FallbackEvaluator::new(lost(0, error.clone()), || unreachable!("nobody needs it"));
            assert_eq!(ask(&evaluator), Err(error));
        }
    }
}
