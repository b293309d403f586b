//! The trunk as an operator of ONNX Runtime, for the processor.

use std::sync::Arc;

use crate::kernels::{Scratch, Trunk};
use crate::onnx::{Edges, TRUNK_DOMAIN, TRUNK_OPERATOR, smallest_graph};
use crate::subnormal::FlushToZero;
use ort::environment::Environment;
use ort::operator::{ComputeContext, Kernel, KernelContext, Operator, OperatorDomain, OperatorInput, OperatorOutput};
use ort::session::Session;
use ort::value::TensorElementType;

/// Makes the operator set known to the library, once, before any network is loaded.
///
/// The library writes the name of an operator set into a list of the whole process when the first session that knows
/// it is made, and nothing guards that list: two sessions made at the same moment fail, or read it while it is written.
/// Later sessions find the name there and only read.
pub(super) fn introduce_domain(environment: &Environment) -> ort::Result<()> {
    // The first session of a process sets the mode of its thread, which is to get back its own.
    let _mode = FlushToZero::enter();
    Session::builder(environment)?
        .with_intra_threads(1)?
        .with_operators(OperatorDomain::new(TRUNK_DOMAIN)?)?
        .commit_from_memory(&smallest_graph())?;
    Ok(())
}

/// Everything a session's trunk needs besides its input.
#[derive(Debug, Clone)]
pub(super) struct TrunkOperator {
    pub(super) trunk: Arc<Trunk>,
    /// Columns and rows of the boards.
    pub(super) size: (usize, usize),
    pub(super) edges: Edges,
}

impl TrunkOperator {
    /// The operator set that a session has to know.
    pub(super) fn domain(self) -> ort::Result<OperatorDomain> {
        OperatorDomain::new(TRUNK_DOMAIN)?.add(self)
    }
}

impl Operator for TrunkOperator {
    type Kernel<'attr> = TrunkKernel;

    fn name(&self) -> &str {
        TRUNK_OPERATOR
    }

    fn inputs(&self) -> impl IntoIterator<Item = OperatorInput> {
        [OperatorInput::required(TensorElementType::Float32)]
    }

    fn outputs(&self) -> impl IntoIterator<Item = OperatorOutput> {
        [OperatorOutput::required(TensorElementType::Float32)]
    }

    fn create_kernel<'attr>(&self, _: &KernelContext<'attr>) -> ort::Result<TrunkKernel> {
        Ok(TrunkKernel { operator: self.clone(), scratch: Scratch::default() })
    }
}

/// The operator in one session.
pub(super) struct TrunkKernel {
    operator: TrunkOperator,
    scratch: Scratch,
}

impl Kernel for TrunkKernel {
    fn compute(&mut self, context: &ComputeContext) -> ort::Result<()> {
        let missing = || ort::Error::new("the trunk needs one input and one output");
        let input = context.input(0)?.ok_or_else(missing)?;
        let (shape, x) = input.try_extract_tensor::<f32>()?;
        let mut output = context.output(0, shape.to_vec())?.ok_or_else(missing)?;
        let (_, y) = output.try_extract_tensor_mut::<f32>()?;
        let TrunkOperator { trunk, size, edges } = &self.operator;
        let board = size.0 * size.1 * trunk.channels();
        if y.len() != x.len() || y.len() % board != 0 {
            return Err(ort::Error::new(format!("{} numbers are no boards of {board} each", x.len())));
        }
        y.copy_from_slice(x);
        trunk.run(y, *size, *edges, &mut self.scratch);
        Ok(())
    }
}
