//! What the network computes that the framework has not, or slowly: convolutions on any board as one product, and norms
//! fused with activations. Forward and backward; plane and torus differ in a table of neighbours and in nothing else.
//!
//! Streams of a batch are matrices of `[board * area + point][channel]`.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, CustomOp3, Device, Layout, Result, Shape, Storage, Tensor};
use honinbo_net::model::Activation;

/// A tap beyond the edge.
const OUTSIDE: u32 = u32::MAX;

/// For each point of a board the points under a square kernel, row by row; `OUTSIDE` beyond an edge.
pub(crate) fn taps(width: usize, height: usize, wraps: (bool, bool), kernel: (usize, usize)) -> Arc<[u32]> {
    let at = |place: usize, tap: usize, side: usize, length: usize, wraps: bool| -> Option<usize> {
        let moved = place as i64 + tap as i64 - (side / 2) as i64;
        if wraps {
            Some(moved.rem_euclid(length as i64) as usize)
        } else {
            usize::try_from(moved).ok().filter(|&moved| moved < length)
        }
    };
    let mut taps = Vec::with_capacity(width * height * kernel.0 * kernel.1);
    for y in 0..height {
        for x in 0..width {
            for row in 0..kernel.0 {
                for column in 0..kernel.1 {
                    let point = at(y, row, kernel.0, height, wraps.1).zip(at(x, column, kernel.1, width, wraps.0));
                    taps.push(point.map_or(OUTSIDE, |(y, x)| (y * width + x) as u32));
                }
            }
        }
    }
    taps.into()
}

/// Puts the channels under a kernel side by side: a convolution is then a product with `[kernel * input][output]`, the
/// order in which network files have their weights.
#[derive(Clone)]
pub(crate) struct Gather {
    pub(crate) taps: Arc<[u32]>,
    pub(crate) area: usize,
    pub(crate) channels: usize,
}

struct Scatter(Gather);

impl Gather {
    fn wide(&self) -> usize {
        self.taps.len() / self.area * self.channels
    }
}

fn slice<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    let (start, end) = layout
        .contiguous_offsets()
        .ok_or_else(|| candle_core::Error::Msg("an operand is not in one piece".to_owned()))?;
    Ok(&storage.as_slice::<f32>()?[start..end])
}

/// Runs over parts of `out`, each with its number, on as many threads as the framework uses.
fn in_parts(out: &mut [f32], part: usize, work: impl Fn(usize, &mut [f32]) + Sync) {
    let count = out.len() / part.max(1);
    let threads = candle_core::utils::get_num_threads().clamp(1, 16);
    if threads == 1 || count < 2 * threads || out.len() < 1 << 16 {
        out.chunks_mut(part).enumerate().for_each(|(index, part)| work(index, part));
        return;
    }
    let each = count.div_ceil(threads);
    std::thread::scope(|scope| {
        for (thread, piece) in out.chunks_mut(each * part).enumerate() {
            let work = &work;
            scope.spawn(move || {
                piece.chunks_mut(part).enumerate().for_each(|(index, part)| work(thread * each + index, part));
            });
        }
    });
}

impl CustomOp1 for Gather {
    fn name(&self) -> &'static str {
        "gather-under-kernel"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let x = slice(storage, layout)?;
        let (area, channels) = (self.area, self.channels);
        let boards = x.len() / (area * channels);
        let mut out = vec![0.0; boards * area * self.wide()];
        in_parts(&mut out, area * self.wide(), |board, out| {
            let x = &x[board * area * channels..][..area * channels];
            for (to, &from) in out.chunks_exact_mut(channels).zip(&*self.taps) {
                if from != OUTSIDE {
                    to.copy_from_slice(&x[from as usize * channels..][..channels]);
                }
            }
        });
        Ok((CpuStorage::F32(out), Shape::from((boards * area, self.wide()))))
    }

    fn bwd(&self, _: &Tensor, _: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        grad.contiguous()?.apply_op1_no_bwd(&Scatter(self.clone())).map(Some)
    }
}

impl CustomOp1 for Scatter {
    fn name(&self) -> &'static str {
        "scatter-from-kernel"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let grad = slice(storage, layout)?;
        let Gather { taps, area, channels } = &self.0;
        let (area, channels, wide) = (*area, *channels, self.0.wide());
        let boards = grad.len() / (area * wide);
        let mut out = vec![0.0; boards * area * channels];
        in_parts(&mut out, area * channels, |board, out| {
            let grad = &grad[board * area * wide..][..area * wide];
            for (from, &to) in grad.chunks_exact(channels).zip(&**taps) {
                if to != OUTSIDE {
                    let to = &mut out[to as usize * channels..][..channels];
                    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
                }
            }
        });
        Ok((CpuStorage::F32(out), Shape::from((boards * area, channels))))
    }
}

/// `act(scale * x + shift)` with a factor and an addend for each channel.
pub(crate) struct ScaledActivation(pub(crate) Activation);

impl ScaledActivation {
    fn value(&self, x: f32) -> f32 {
        match self.0 {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            Activation::Mish => x * tanh_softplus(x),
            Activation::Silu => x / (1.0 + (-x).exp()),
        }
    }

    fn slope(&self, x: f32) -> f32 {
        match self.0 {
            Activation::Identity => 1.0,
            Activation::Relu => f32::from(u8::from(x > 0.0)),
            Activation::Mish => {
                let t = tanh_softplus(x);
                t + x * (1.0 - t * t) / (1.0 + (-x).exp())
            }
            Activation::Silu => {
                let s = 1.0 / (1.0 + (-x).exp());
                s * (1.0 + x * (1.0 - s))
            }
        }
    }
}

/// `tanh(ln(1 + e^x))` by one exponential: `(e^2x + 2e^x) / (e^2x + 2e^x + 2)`.
fn tanh_softplus(x: f32) -> f32 {
    let e = x.min(20.0).exp();
    let n = e * (e + 2.0);
    n / (n + 2.0)
}

/// The numbers of a tensor on the processor, in one piece.
fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(storage) => Ok(slice(storage, layout)?.to_vec()),
        _ => Err(candle_core::Error::Msg("training runs on the processor".to_owned())),
    }
}

impl CustomOp3 for ScaledActivation {
    fn name(&self) -> &'static str {
        "scaled-activation"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        scale: &CpuStorage,
        scale_layout: &Layout,
        shift: &CpuStorage,
        shift_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (x, scale, shift) = (slice(x, x_layout)?, slice(scale, scale_layout)?, slice(shift, shift_layout)?);
        let channels = scale.len();
        let mut out = vec![0.0; x.len()];
        in_parts(&mut out, channels, |row, out| {
            let x = &x[row * channels..][..channels];
            for (out, ((x, scale), shift)) in out.iter_mut().zip(x.iter().zip(scale).zip(shift)) {
                *out = self.value(x * scale + shift);
            }
        });
        Ok((CpuStorage::F32(out), x_layout.shape().clone()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        scale: &Tensor,
        shift: &Tensor,
        _: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let shape = x.shape().clone();
        let (x, scale, shift, mut grad) = (numbers(x)?, numbers(scale)?, numbers(shift)?, numbers(grad)?);
        let channels = scale.len();
        let (mut by_scale, mut by_shift) = (vec![0.0f64; channels], vec![0.0f64; channels]);
        let (mut rows_scale, mut rows_shift) = (vec![0.0f32; channels], vec![0.0f32; channels]);
        // Sums of a few rows fit into 32 bits; the sums of those have 64.
        for (xs, gs) in x.chunks(64 * channels).zip(grad.chunks_mut(64 * channels)) {
            rows_scale.fill(0.0);
            rows_shift.fill(0.0);
            for (x, g) in xs.chunks_exact(channels).zip(gs.chunks_exact_mut(channels)) {
                let sums = rows_scale.iter_mut().zip(&mut rows_shift);
                let of_channels = x.iter().zip(g).zip(scale.iter().zip(&shift)).zip(sums);
                for (((x, g), (scale, shift)), (by_scale, by_shift)) in of_channels {
                    let inner = *g * self.slope(x * scale + shift);
                    *by_scale += inner * x;
                    *by_shift += inner;
                    *g = inner * scale;
                }
            }
            by_scale.iter_mut().zip(&rows_scale).for_each(|(sum, row)| *sum += f64::from(*row));
            by_shift.iter_mut().zip(&rows_shift).for_each(|(sum, row)| *sum += f64::from(*row));
        }
        let vector = |sums: Vec<f64>| {
            Tensor::from_vec(sums.into_iter().map(|sum| sum as f32).collect::<Vec<_>>(), channels, &Device::Cpu)
        };
        Ok((Some(Tensor::from_vec(grad, shape, &Device::Cpu)?), Some(vector(by_scale)?), Some(vector(by_shift)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;
    use honinbo_rules::Random;

    fn random(shape: (usize, usize), seed: u64) -> Var {
        let mut random = Random::new(seed);
        let values: Vec<f32> = (0..shape.0 * shape.1).map(|_| 2.0 * random.unit() as f32 - 1.0).collect();
        Var::from_tensor(&Tensor::from_vec(values, shape, &Device::Cpu).unwrap()).unwrap()
    }

    #[test]
    fn a_product_under_the_kernel_is_the_frameworks_convolution() {
        let (boards, width, height, inputs, outputs) = (3, 4, 5, 6, 7);
        let x = random((boards * width * height, inputs), 1);
        let w = random((9 * inputs, outputs), 2);
        let gather = Gather { taps: taps(width, height, (false, false), (3, 3)), area: 20, channels: inputs };
        let ours = x.apply_op1(gather).unwrap().matmul(&w).unwrap();

        let planes = x.reshape((boards, height, width, inputs)).unwrap().permute((0, 3, 1, 2)).unwrap();
        let kernel = w.reshape((3, 3, inputs, outputs)).unwrap().permute((3, 2, 0, 1)).unwrap();
        let theirs = planes.contiguous().unwrap().conv2d(&kernel.contiguous().unwrap(), 1, 1, 1, 1).unwrap();
        let theirs = theirs.permute((0, 2, 3, 1)).unwrap().reshape((boards * 20, outputs)).unwrap();
        let gap = |a: &Tensor, b: &Tensor| {
            (a - b).unwrap().abs().unwrap().flatten_all().unwrap().max(0).unwrap().to_scalar::<f32>().unwrap()
        };
        assert!(gap(&ours, &theirs) < 1e-5);

        let weigh = random((boards * 20, outputs), 3);
        let grads = |y: &Tensor| (y * weigh.as_tensor()).unwrap().sum_all().unwrap().backward().unwrap();
        let (one, other) = (grads(&ours), grads(&theirs));
        for var in [&x, &w] {
            assert!(gap(one.get(var).unwrap(), other.get(var).unwrap()) < 1e-4);
        }
    }

    #[test]
    fn the_torus_has_no_edge() {
        let wrapped = taps(4, 3, (true, true), (3, 3));
        assert_eq!(wrapped[..9], [11, 8, 9, 3, 0, 1, 7, 4, 5]);
        let plane = taps(4, 3, (false, false), (3, 3));
        assert_eq!(plane[..9], [OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE, 0, 1, OUTSIDE, 4, 5]);
    }

    /// By differences: the slope of a sum of outputs along each operand.
    #[test]
    fn slopes_are_those_of_the_function() {
        for activation in [Activation::Identity, Activation::Relu, Activation::Mish, Activation::Silu] {
            let (x, scale, shift) = (random((70, 5), 4), random((1, 5), 5), random((1, 5), 6));
            let (scale, shift) = (scale.flatten_all().unwrap(), shift.flatten_all().unwrap());
            let (scale, shift) = (Var::from_tensor(&scale).unwrap(), Var::from_tensor(&shift).unwrap());
            let weigh = random((70, 5), 7);
            let value = |x: &Tensor, scale: &Tensor, shift: &Tensor| {
                (x.apply_op3(scale, shift, ScaledActivation(activation)).unwrap() * weigh.as_tensor())
                    .unwrap()
                    .sum_all()
                    .unwrap()
            };
            let grads = value(&x, &scale, &shift).backward().unwrap();
            let step = 1e-2;
            for (var, which) in [(&x, 0), (&scale, 1), (&shift, 2)] {
                let at = |index: usize, by: f32| {
                    let mut values = numbers(var).unwrap();
                    values[index] += by;
                    let moved = Tensor::from_vec(values, var.shape().clone(), &Device::Cpu).unwrap();
                    let all = [x.as_tensor(), scale.as_tensor(), shift.as_tensor()];
                    let pick = |i: usize| if i == which { &moved } else { all[i] };
                    f64::from(value(pick(0), pick(1), pick(2)).to_scalar::<f32>().unwrap())
                };
                let found = numbers(grads.get(var).unwrap()).unwrap();
                for index in [0, 3] {
                    let slope = (at(index, step) - at(index, -step)) / f64::from(2.0 * step);
                    let gap = (slope - f64::from(found[index])).abs();
                    // A rectifier's corner may lie between the two.
                    let most = if activation == Activation::Relu && which > 0 { 0.3 } else { 0.01 };
                    assert!(
                        gap < most * slope.abs().max(0.5),
                        "{activation:?} {which} {index}: {slope} {}",
                        found[index]
                    );
                }
            }
        }
    }
}
