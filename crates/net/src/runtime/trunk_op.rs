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
        // The planes of positions, and a vector of channels for each of them.
        [OperatorInput::required(TensorElementType::Float32), OperatorInput::required(TensorElementType::Float32)]
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
        let missing = || ort::Error::new("the trunk needs two inputs and one output");
        let (planes, vectors) = (context.input(0)?.ok_or_else(missing)?, context.input(1)?.ok_or_else(missing)?);
        let (shape, planes) = planes.try_extract_tensor::<f32>()?;
        let (_, vectors) = vectors.try_extract_tensor::<f32>()?;
        let TrunkOperator { trunk, size, edges } = &self.operator;
        let (area, channels) = (size.0 * size.1, trunk.channels());
        let count = vectors.len() / channels;
        if shape.first() != Some(&(count as i64))
            || planes.len() != count * trunk.planes() * area
            || vectors.len() != count * channels
        {
            let (planes, vectors) = (planes.len(), vectors.len());
            return Err(ort::Error::new(format!("{planes} and {vectors} numbers are no positions of {area} points")));
        }
        let mut output = context.output(0, vec![count as i64, area as i64, channels as i64])?.ok_or_else(missing)?;
        let (_, rows) = output.try_extract_tensor_mut::<f32>()?;
        trunk.run(planes, vectors, rows, *size, *edges, &mut self.scratch);
        Ok(())
    }
}
