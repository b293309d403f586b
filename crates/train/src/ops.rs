//! What the network computes that the framework has not, or slowly: convolutions on any board as one product, and norms
//! fused with activations. Forward and backward; plane and torus differ in a table of neighbours and in nothing else.
//!
//! Streams of a batch are matrices of `[board * area + point][channel]`.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp2, CustomOp3, Device, Layout, Result, Shape, Storage, Tensor};
use honinbo_net::model::Activation;

/// A tap beyond the edge.
const OUTSIDE: u32 = u32::MAX;

/// Threads on which the framework computes sums and the like.
const POOL_VARIABLE: &str = "CANDLE_NUM_THREADS";

/// Keeps the framework from computing sums and the like on several threads, unless the environment says how many: they
/// wait for each other in loops, which costs more than it brings. Convolutions and norms have threads of their own.
///
/// Programs that train call this while there is one thread.
#[allow(unsafe_code, reason = "the framework has no other switch, and the environment no safe interface for writing")]
pub fn calm_framework() {
    if std::env::var_os(POOL_VARIABLE).is_none() {
        // SAFETY: no other thread runs yet.
        unsafe { std::env::set_var(POOL_VARIABLE, "1") };
    }
}

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

/// A convolution with weights `[kernel * input][output]`, the order in which network files have them.
///
/// The channels under the kernel are put side by side for a few boards at a time, so that they stay in the cache, and
/// multiplied with the weights. Kernels have a point in their middle.
pub(crate) struct Convolution {
    pub(crate) taps: Arc<[u32]>,
    pub(crate) area: usize,
    pub(crate) inputs: usize,
    /// Whether the input has anything before it that learns.
    pub(crate) carries_back: bool,
}

/// Numbers under the kernel that are there at the same time: 256 kB, a part of the second-level cache.
const AT_ONCE: usize = 1 << 16;

/// What a thread needs for the slopes of a convolution.
struct Slopes {
    under_kernel: Vec<f32>,
    by_weights: Vec<f32>,
}

impl Convolution {
    fn kernel(&self) -> usize {
        self.taps.len() / self.area
    }

    /// Boards whose channels under the kernel are there at the same time.
    fn at_once(&self, channels: usize) -> usize {
        (AT_ONCE / (self.taps.len() * channels).max(1)).max(1)
    }

    /// Puts what is under the kernel side by side, for each point of the boards of `x`.
    fn gather<'a>(&self, x: &'a [f32], channels: usize, out: &'a mut Vec<f32>) -> &'a [f32] {
        if self.kernel() == 1 {
            return x;
        }
        let boards = x.len() / (self.area * channels);
        let wide = self.taps.len() * channels;
        out.resize(out.len().max(boards * wide), 0.0);
        for (x, out) in x.chunks_exact(self.area * channels).zip(out.chunks_exact_mut(wide)) {
            for (to, &from) in out.chunks_exact_mut(channels).zip(&*self.taps) {
                if from == OUTSIDE {
                    to.fill(0.0);
                } else {
                    to.copy_from_slice(&x[from as usize * channels..][..channels]);
                }
            }
        }
        &out[..boards * wide]
    }

    /// The weights of the convolution that carries slopes back: the kernel is turned by half a turn, inputs and outputs
    /// change places.
    fn turned(&self, weights: &[f32], outputs: usize) -> Vec<f32> {
        let mut turned = Vec::with_capacity(weights.len());
        for tap in weights.chunks_exact(self.inputs * outputs).rev() {
            for output in 0..outputs {
                turned.extend(tap.iter().skip(output).step_by(outputs));
            }
        }
        turned
    }
}

/// A matrix, the distance between its rows and that between its columns.
type Matrix<'a> = (&'a [f32], usize, usize);

/// `out = a * b`, or `out += a * b`, where `out` has `rows` rows of `columns` in one piece.
#[allow(unsafe_code, reason = "the products of the framework have no safe interface beneath that of its tensors")]
fn product(rows: usize, columns: usize, depth: usize, a: Matrix, b: Matrix, out: &mut [f32], add: bool) {
    if rows == 0 || columns == 0 || depth == 0 {
        return;
    }
    let holds = |(values, by_row, by_column): Matrix, rows: usize, columns: usize| {
        (rows - 1) * by_row + (columns - 1) * by_column < values.len()
    };
    assert!(
        holds(a, rows, depth) && holds(b, depth, columns) && rows * columns <= out.len(),
        "a product of its operands"
    );
    let (scale, factor) = if add { (1.0, 1.0) } else { (0.0, 1.0) };
    // SAFETY: every element of the three matrices lies in its slice, as was just seen, and slices are far shorter than
    // half of the address space, so the distances fit.
    unsafe {
        gemm::gemm::<f32>(
            rows,
            columns,
            depth,
            out.as_mut_ptr(),
            1,
            columns as isize,
            add,
            a.0.as_ptr(),
            a.2 as isize,
            a.1 as isize,
            b.0.as_ptr(),
            b.2 as isize,
            b.1 as isize,
            scale,
            factor,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

fn slice<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    let (start, end) = layout
        .contiguous_offsets()
        .ok_or_else(|| candle_core::Error::Msg("an operand is not in one piece".to_owned()))?;
    Ok(&storage.as_slice::<f32>()?[start..end])
}

/// The numbers of a tensor on the processor that is in one piece.
fn on_processor<'a>(storage: &'a Storage, layout: &Layout) -> Result<&'a [f32]> {
    match storage {
        Storage::Cpu(storage) => slice(storage, layout),
        _ => Err(candle_core::Error::Msg("training runs on the processor".to_owned())),
    }
}

/// Runs over parts of `out`, each with its number, on as many threads as the framework uses. Each thread begins with a
/// state of its own; the states are what is returned.
fn in_parts<S: Send>(
    out: &mut [f32],
    part: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut [f32], &mut S) + Sync,
) -> Vec<S> {
    let count = out.len().div_ceil(part.max(1));
    let threads = candle_core::utils::get_num_threads().clamp(1, 16);
    let each = if count < 2 * threads || out.len() < 1 << 16 { count } else { count.div_ceil(threads) };
    let run = |first: usize, piece: &mut [f32]| {
        let mut state = state();
        piece.chunks_mut(part.max(1)).enumerate().for_each(|(index, part)| work(first + index, part, &mut state));
        state
    };
    if each == count {
        return vec![run(0, out)];
    }
    std::thread::scope(|scope| {
        let run = &run;
        let pieces = out.chunks_mut(each * part).enumerate();
        let threads: Vec<_> = pieces.map(|(thread, piece)| scope.spawn(move || run(thread * each, piece))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

impl CustomOp2 for Convolution {
    fn name(&self) -> &'static str {
        "convolution"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        weights: &CpuStorage,
        weights_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (x, weights) = (slice(x, x_layout)?, slice(weights, weights_layout)?);
        let (area, inputs, wide) = (self.area, self.inputs, self.kernel() * self.inputs);
        let (points, outputs) = (x.len() / inputs, weights.len() / wide);
        let mut out = vec![0.0; points * outputs];
        let boards = self.at_once(inputs);
        in_parts(&mut out, boards * area * outputs, Vec::new, |part, out, under_kernel| {
            let points = out.len() / outputs;
            let x = &x[part * boards * area * inputs..][..points * inputs];
            let under_kernel = self.gather(x, inputs, under_kernel);
            product(points, outputs, wide, (under_kernel, wide, 1), (weights, outputs, 1), out, false);
        });
        Ok((CpuStorage::F32(out), Shape::from((points, outputs))))
    }

    fn bwd(&self, x: &Tensor, weights: &Tensor, _: &Tensor, grad: &Tensor) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (shape, weights_shape) = (x.shape().clone(), weights.shape().clone());
        let (x, weights, grad) = (x.contiguous()?, weights.contiguous()?, grad.contiguous()?);
        let ((x, x_layout), (weights, weights_layout)) = (x.storage_and_layout(), weights.storage_and_layout());
        let (grad, grad_layout) = grad.storage_and_layout();
        let (x, weights) = (on_processor(&x, x_layout)?, on_processor(&weights, weights_layout)?);
        let grad = on_processor(&grad, grad_layout)?;
        let (area, inputs, kernel) = (self.area, self.inputs, self.kernel());
        let outputs = weights.len() / (kernel * inputs);
        let turned = if self.carries_back { self.turned(weights, outputs) } else { Vec::new() };
        let boards = self.at_once(inputs.max(outputs));
        let mut by_x = vec![0.0; x.len()];
        let state = || Slopes { under_kernel: Vec::new(), by_weights: vec![0.0; weights.len()] };
        let sums = in_parts(&mut by_x, boards * area * inputs, state, |part, by_x, slopes| {
            let points = by_x.len() / inputs;
            let x = &x[part * boards * area * inputs..][..points * inputs];
            let grad = &grad[part * boards * area * outputs..][..points * outputs];
            let wide = kernel * inputs;
            let under_kernel = self.gather(x, inputs, &mut slopes.under_kernel);
            product(wide, outputs, points, (under_kernel, 1, wide), (grad, outputs, 1), &mut slopes.by_weights, true);
            if self.carries_back {
                let wide = kernel * outputs;
                let under_kernel = self.gather(grad, outputs, &mut slopes.under_kernel);
                product(points, inputs, wide, (under_kernel, wide, 1), (&turned, inputs, 1), by_x, false);
            }
        });
        let mut sums = sums.into_iter().map(|slopes| slopes.by_weights);
        let mut by_weights = sums.next().unwrap_or_default();
        for more in sums {
            by_weights.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        let by_x = if self.carries_back { Some(Tensor::from_vec(by_x, shape, &Device::Cpu)?) } else { None };
        Ok((by_x, Some(Tensor::from_vec(by_weights, weights_shape, &Device::Cpu)?)))
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
        in_parts(
            &mut out,
            64 * channels,
            || (),
            |part, out, ()| {
                let x = &x[part * 64 * channels..][..out.len()];
                for (x, out) in x.chunks_exact(channels).zip(out.chunks_exact_mut(channels)) {
                    for (out, ((x, scale), shift)) in out.iter_mut().zip(x.iter().zip(scale).zip(shift)) {
                        *out = self.value(x * scale + shift);
                    }
                }
            },
        );
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
        let (x, scale, shift, grad) = (x.contiguous()?, scale.contiguous()?, shift.contiguous()?, grad.contiguous()?);
        let ((x, x_layout), (grad, grad_layout)) = (x.storage_and_layout(), grad.storage_and_layout());
        let ((scale, scale_layout), (shift, shift_layout)) = (scale.storage_and_layout(), shift.storage_and_layout());
        let (x, grad) = (on_processor(&x, x_layout)?, on_processor(&grad, grad_layout)?);
        let (scale, shift) = (on_processor(&scale, scale_layout)?, on_processor(&shift, shift_layout)?);
        let channels = scale.len();
        let mut by_x = vec![0.0; x.len()];
        let state =
            || ([vec![0.0f32; channels], vec![0.0f32; channels]], [vec![0.0f64; channels], vec![0.0f64; channels]]);
        let sums = in_parts(&mut by_x, 64 * channels, state, |part, by_x, (rows, sums)| {
            // Sums of a few rows fit into 32 bits; the sums of those have 64.
            let [by_scale, by_shift] = &mut *rows;
            by_scale.fill(0.0);
            by_shift.fill(0.0);
            let start = part * 64 * channels;
            let (x, grad) = (&x[start..][..by_x.len()], &grad[start..][..by_x.len()]);
            let of_rows = x.chunks_exact(channels).zip(grad.chunks_exact(channels));
            for ((x, grad), by_x) in of_rows.zip(by_x.chunks_exact_mut(channels)) {
                let sums = by_scale.iter_mut().zip(&mut *by_shift);
                let of_channels = x.iter().zip(grad).zip(by_x).zip(scale.iter().zip(shift)).zip(sums);
                for ((((x, grad), by_x), (scale, shift)), (by_scale, by_shift)) in of_channels {
                    let inner = grad * self.slope(x * scale + shift);
                    *by_scale += inner * x;
                    *by_shift += inner;
                    *by_x = inner * scale;
                }
            }
            for (sums, rows) in sums.iter_mut().zip(&*rows) {
                sums.iter_mut().zip(rows).for_each(|(sum, row)| *sum += f64::from(*row));
            }
        });
        let sum = |which: usize| {
            let of_channel = |channel: usize| sums.iter().map(|(_, sums)| sums[which][channel]).sum::<f64>() as f32;
            Tensor::from_vec((0..channels).map(of_channel).collect::<Vec<_>>(), channels, &Device::Cpu)
        };
        Ok((Some(Tensor::from_vec(by_x, shape, &Device::Cpu)?), Some(sum(0)?), Some(sum(1)?)))
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

    fn most(tensor: &Tensor) -> f32 {
        tensor.abs().unwrap().flatten_all().unwrap().max(0).unwrap().to_scalar::<f32>().unwrap()
    }

    /// Few boards, and more than fit into the cache and are one thread's work.
    #[test]
    fn a_product_under_the_kernel_is_the_frameworks_convolution() {
        for boards in [3, 500] {
            let (width, height, inputs, outputs) = (4, 5, 8, 9);
            let x = random((boards * width * height, inputs), 1);
            let w = random((9 * inputs, outputs), 2);
            let taps = taps(width, height, (false, false), (3, 3));
            let ours = x.apply_op2(&w, Convolution { taps, area: 20, inputs, carries_back: true }).unwrap();

            let planes = x.reshape((boards, height, width, inputs)).unwrap().permute((0, 3, 1, 2)).unwrap();
            let kernel = w.reshape((3, 3, inputs, outputs)).unwrap().permute((3, 2, 0, 1)).unwrap();
            let theirs = planes.contiguous().unwrap().conv2d(&kernel.contiguous().unwrap(), 1, 1, 1, 1).unwrap();
            let theirs = theirs.permute((0, 2, 3, 1)).unwrap().reshape((boards * 20, outputs)).unwrap();
            assert!(most(&(&ours - &theirs).unwrap()) < 1e-5);

            let weigh = random((boards * 20, outputs), 3);
            let grads = |y: &Tensor| (y * weigh.as_tensor()).unwrap().sum_all().unwrap().backward().unwrap();
            let (one, other) = (grads(&ours), grads(&theirs));
            for var in [&x, &w] {
                let (one, other) = (one.get(var).unwrap(), other.get(var).unwrap());
                assert!(most(&(one - other).unwrap()) < 1e-5 * most(other).max(1.0));
            }
        }
    }

    /// A convolution is linear in its input and in its weights: weighing its outputs comes to the same as weighing either
    /// with its slopes.
    #[test]
    fn slopes_of_a_convolution_are_those_of_the_function_on_any_edges() {
        for (width, height, wraps, side) in [
            (4, 5, (true, true), 3),
            (2, 3, (true, true), 3),
            (4, 5, (true, false), 3),
            (5, 4, (false, false), 5),
            (3, 4, (true, true), 5),
        ] {
            let (boards, area, inputs, outputs) = (7, width * height, 5, 6);
            let (x, w) = (random((boards * area, inputs), 1), random((side * side * inputs, outputs), 2));
            let weigh = random((boards * area, outputs), 3);
            let taps = taps(width, height, wraps, (side, side));
            let y = x.apply_op2(&w, Convolution { taps, area, inputs, carries_back: true }).unwrap();
            let value = (y * weigh.as_tensor()).unwrap().sum_all().unwrap();
            let grads = value.backward().unwrap();
            let value = value.to_scalar::<f32>().unwrap();
            for var in [&x, &w] {
                let slopes = grads.get(var).unwrap();
                let weighed = (slopes * var.as_tensor()).unwrap().sum_all().unwrap().to_scalar::<f32>().unwrap();
                assert!((weighed - value).abs() < 1e-4 * value.abs().max(1.0), "{width}x{height}: {weighed} {value}");
            }
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
                    let mut values = var.flatten_all().unwrap().to_vec1::<f32>().unwrap();
                    values[index] += by;
                    let moved = Tensor::from_vec(values, var.shape().clone(), &Device::Cpu).unwrap();
                    let all = [x.as_tensor(), scale.as_tensor(), shift.as_tensor()];
                    let pick = |i: usize| if i == which { &moved } else { all[i] };
                    f64::from(value(pick(0), pick(1), pick(2)).to_scalar::<f32>().unwrap())
                };
                let found = grads.get(var).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
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
