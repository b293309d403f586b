//! A network while it learns: its model's weights as variables, and what they compute.

use candle_core::{Device, Tensor, Var};
use honinbo_net::model::{
    Activation, Affine, AttentionBlock, Block, Conv, FeedForwardBlock, MatMul, Model, PassHead, RmsNorm, Rope,
    SPATIAL_CHANNELS, Tip, TipNorm,
};
use honinbo_rules::Random;

use crate::attention::{attend, rms_norm, rms_norm_of_boards};
use crate::error::TrainError;
use crate::ops::{Convolution, ScaledActivation, taps};

/// The board that a batch is on: all its positions have the same size and edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BatchBoard {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Whether left and right edges are joined.
    pub wrap_x: bool,
    /// Whether upper and lower edges are joined.
    pub wrap_y: bool,
}

impl BatchBoard {
    /// Number of points.
    #[must_use]
    pub fn area(&self) -> usize {
        self.width * self.height
    }
}

/// What a network says of a batch, raw: logits and outputs before their scales.
#[derive(Debug)]
pub(crate) struct Outputs {
    /// `[board][area + 1]`, pass last.
    pub(crate) policy: Tensor,
    /// The same for the reply; only training knows it.
    pub(crate) reply: Tensor,
    /// `[board][win, loss, no result]`
    pub(crate) value: Tensor,
    /// `[board][mean, deviation, lead, time, error of value, error of score]`, the last two not in version 8.
    pub(crate) score: Tensor,
    /// `[board][area]` before the tanh.
    pub(crate) ownership: Tensor,
    /// `[board][win, loss, no result, score]` a few turns later; only training knows it.
    pub(crate) soon: Tensor,
}

impl Outputs {
    pub(crate) fn all(&self) -> [&Tensor; 6] {
        [&self.policy, &self.reply, &self.value, &self.score, &self.ownership, &self.soon]
    }
}

/// A network that learns.
///
/// It keeps the model it began with as its form; every array of the model that can be learnt is a variable, in the order
/// of the file. After them come layers that only training knows: the reply's policy, and what the search will think soon.
#[derive(Debug)]
pub(crate) struct Trainee {
    form: Model,
    vars: Vec<Var>,
}

/// Outputs of the layer for [`Outputs::soon`].
const SOON: usize = 4;

impl Trainee {
    /// The weights of a model, ready to learn. Layers that the file does not have follow from `seed`.
    ///
    /// # Errors
    /// When the model has parts that training does not know.
    pub(crate) fn new(model: &Model, seed: u64) -> Result<Self, TrainError> {
        check(model)?;
        let mut form = model.clone();
        let mut arrays = Vec::new();
        visit(&mut form, &mut |rows: Option<usize>, values: &mut Vec<f32>| arrays.push((rows, values.clone())));
        let (p, g) = (form.policy.points.outputs, 3 * form.policy.pooled.outputs);
        let hidden = form.value.hidden.outputs;
        let mut random = Random::new(seed);
        let mut small = |rows: usize, columns: usize| {
            let spread = 0.2 / (rows as f64).sqrt();
            let values: Vec<f32> = (0..rows * columns).map(|_| (spread * (2.0 * random.unit() - 1.0)) as f32).collect();
            (Some(rows), values)
        };
        arrays.extend([small(p, 1), small(g, 1), small(hidden, SOON), (None, vec![0.0; SOON])]);
        let vars = arrays
            .into_iter()
            .map(|(rows, values): (Option<usize>, Vec<f32>)| {
                let count = values.len();
                let tensor = match rows {
                    Some(rows) => Tensor::from_vec(values, (rows, count / rows), &Device::Cpu)?,
                    None => Tensor::from_vec(values, count, &Device::Cpu)?,
                };
                Var::from_tensor(&tensor)
            })
            .collect::<candle_core::Result<_>>()?;
        Ok(Self { form, vars })
    }

    /// Everything that is learnt.
    pub(crate) fn vars(&self) -> &[Var] {
        &self.vars
    }

    /// The model with these arrays, given in the order of [`Trainee::vars`].
    pub(crate) fn model(&self, name: &str, arrays: &[Vec<f32>]) -> Model {
        let mut model = self.form.clone();
        name.clone_into(&mut model.name);
        let mut next = arrays.iter();
        visit(&mut model, &mut |_: Option<usize>, values: &mut Vec<f32>| {
            if let Some(array) = next.next() {
                values.clone_from(array);
            }
        });
        one_policy(&mut model);
        model
    }

    /// The score outputs' multipliers.
    pub(crate) fn form(&self) -> &Model {
        &self.form
    }

    /// What the network says of positions on one board: `spatial` is `[board * area + point][plane]`, `global`
    /// `[board][value]`.
    pub(crate) fn forward(&self, board: BatchBoard, spatial: &Tensor, global: &Tensor) -> candle_core::Result<Outputs> {
        let mut walk = Walk { vars: self.vars.iter(), board, boards: global.dim(0)? };
        let trunk = &self.form.trunk;
        let mut x = walk.conv(&trunk.initial, spatial)?;
        let bias = global.matmul(walk.var())?;
        x = walk.add_to_boards(&x, &bias)?;
        x = walk.blocks(&trunk.blocks, x)?;
        let tip = walk.tip(&trunk.tip, &x)?;

        let policy = &self.form.policy;
        let points = walk.conv(&policy.points, &tip)?;
        let pooled = walk.conv(&policy.pooled, &tip)?;
        let pooled = walk.act(&pooled, policy.pooled_activation)?;
        let pool = walk.pool(&pooled)?;
        let bias = pool.matmul(walk.var())?;
        let points = walk.add_to_boards(&points, &bias)?;
        let points = walk.act(&points, policy.activation)?;
        let logits = walk.conv(&policy.logits, &points)?.narrow(1, 0, 1)?;
        let pass = walk.pass(&policy.pass, &pool)?.narrow(1, 0, 1)?;
        let with_pass =
            |logits: &Tensor, pass: &Tensor| Tensor::cat(&[&logits.reshape((walk.boards, board.area()))?, pass], 1);
        let policy_logits = with_pass(&logits, &pass)?;

        let head = &self.form.value;
        let values = walk.conv(&head.points, &tip)?;
        let values = walk.act(&values, head.activation)?;
        let pool_of_values = walk.pool_values(&values)?;
        let hidden = pool_of_values.matmul(walk.var())?.broadcast_add(walk.var())?;
        let hidden = activate(&hidden, head.hidden_activation)?;
        let value = hidden.matmul(walk.var())?.broadcast_add(walk.var())?;
        let score = hidden.matmul(walk.var())?.broadcast_add(walk.var())?;
        let ownership = walk.conv(&head.ownership, &values)?.reshape((walk.boards, board.area()))?;

        let reply_logits = walk.convolve((1, 1), &points)?;
        let reply_pass = pool.matmul(walk.var())?;
        let reply = Tensor::cat(&[&reply_logits.reshape((walk.boards, board.area()))?, &reply_pass], 1)?;
        let soon = hidden.matmul(walk.var())?.broadcast_add(walk.var())?;
        Ok(Outputs { policy: policy_logits, reply, value, score, ownership, soon })
    }
}

/// What the search's options call optimism is nothing that is learnt here: all policies of the network become the first.
pub(crate) fn one_policy(model: &mut Model) {
    let outputs = model.policy.outputs;
    let first_over_others = |weights: &mut Vec<f32>| {
        weights.chunks_mut(outputs).for_each(|of_input| {
            let first = of_input[0];
            of_input.fill(first);
        });
    };
    first_over_others(&mut model.policy.logits.weights);
    match &mut model.policy.pass {
        PassHead::Direct(pass) => first_over_others(&mut pass.weights),
        PassHead::Hidden { second, .. } => first_over_others(&mut second.weights),
    }
}

/// The variables in order, beside the board they are used on.
struct Walk<'a> {
    vars: std::slice::Iter<'a, Var>,
    board: BatchBoard,
    boards: usize,
}

impl<'a> Walk<'a> {
    fn var(&mut self) -> &'a Tensor {
        self.vars
            .next()
            .expect("the walk takes as many as `visit` gives, which the tests of each kind show")
            .as_tensor()
    }

    fn conv(&mut self, conv: &Conv, x: &Tensor) -> candle_core::Result<Tensor> {
        self.convolve(conv.kernel, x)
    }

    /// A convolution with a kernel of so many rows and columns, also of one point.
    fn convolve(&mut self, kernel: (usize, usize), x: &Tensor) -> candle_core::Result<Tensor> {
        let weights = self.var();
        let BatchBoard { width, height, wrap_x, wrap_y } = self.board;
        let taps = taps(width, height, (wrap_x, wrap_y), kernel);
        // Nothing before the planes learns.
        let carries_back = x.track_op();
        x.apply_op2(weights, Convolution { taps, area: width * height, inputs: x.dim(1)?, carries_back })
    }

    /// A norm and its activation.
    fn act(&mut self, x: &Tensor, activation: Activation) -> candle_core::Result<Tensor> {
        let (scale, shift) = (self.var(), self.var());
        x.apply_op3(scale, shift, ScaledActivation(activation))
    }

    /// The last norm of the trunk, with its activation.
    fn tip(&mut self, tip: &Tip, x: &Tensor) -> candle_core::Result<Tensor> {
        let TipNorm::Rms { epsilon, spatial, .. } = &tip.norm else { return self.act(x, tip.activation) };
        let gamma = self.var();
        let x =
            if *spatial { rms_norm_of_boards(x, self.boards, *epsilon, gamma)? } else { rms_norm(x, *epsilon, gamma)? };
        activate(&x.broadcast_add(self.var())?, tip.activation)
    }

    /// The logits of a pass.
    fn pass(&mut self, head: &PassHead, pool: &Tensor) -> candle_core::Result<Tensor> {
        let first = pool.matmul(self.var())?;
        let PassHead::Hidden { activation, .. } = head else { return Ok(first) };
        activate(&first.broadcast_add(self.var())?, *activation)?.matmul(self.var())
    }

    fn attention(&mut self, block: &AttentionBlock, x: &Tensor) -> candle_core::Result<Tensor> {
        let z = rms_norm(x, block.norm.epsilon, self.var())?;
        let (query, key, value) = (z.matmul(self.var())?, z.matmul(self.var())?, z.matmul(self.var())?);
        let output = self.var();
        let frequencies = matches!(block.rope, Some(Rope::Learned { .. })).then(|| self.var());
        attend(block, self.board, [&query, &key, &value], frequencies)?.matmul(output)
    }

    fn feed_forward(&mut self, block: &FeedForwardBlock, x: &Tensor) -> candle_core::Result<Tensor> {
        let z = rms_norm(x, block.norm.epsilon, self.var())?;
        let (up, gate) = (z.matmul(self.var())?, z.matmul(self.var())?);
        (up.silu()? * gate)?.matmul(self.var())
    }

    /// Adds a vector of each board to all its points.
    fn add_to_boards(&self, x: &Tensor, vectors: &Tensor) -> candle_core::Result<Tensor> {
        let (boards, channels) = vectors.dims2()?;
        let x = x.reshape((boards, self.board.area(), channels))?;
        x.broadcast_add(&vectors.unsqueeze(1)?)?.reshape((boards * self.board.area(), channels))
    }

    fn side(&self) -> f64 {
        (self.board.area() as f64).sqrt()
    }

    fn by_board(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        x.reshape((self.boards, self.board.area(), x.dim(1)?))
    }

    /// Mean, mean by size, greatest.
    fn pool(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        let x = self.by_board(x)?;
        let mean = x.mean(1)?;
        let sized = (&mean * ((self.side() - 14.0) * 0.1))?;
        Tensor::cat(&[&mean, &sized, &x.max(1)?], 1)
    }

    /// Mean, mean by size, mean by squared size.
    fn pool_values(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        let mean = self.by_board(x)?.mean(1)?;
        let from_14 = self.side() - 14.0;
        let sized = (&mean * (from_14 * 0.1))?;
        let squared = (&mean * (from_14 * from_14 * 0.01 - 0.1))?;
        Tensor::cat(&[&mean, &sized, &squared], 1)
    }

    fn blocks(&mut self, blocks: &[Block], mut x: Tensor) -> candle_core::Result<Tensor> {
        for block in blocks {
            let added = match block {
                Block::Ordinary(b) => {
                    let u = self.act(&x, b.pre_activation)?;
                    let u = self.conv(&b.first, &u)?;
                    let u = self.act(&u, b.mid_activation)?;
                    self.conv(&b.second, &u)?
                }
                Block::GlobalPooling(b) => {
                    let u = self.act(&x, b.pre_activation)?;
                    let regular = self.conv(&b.regular, &u)?;
                    let pooled = self.conv(&b.pooled, &u)?;
                    let pooled = self.act(&pooled, b.pooled_activation)?;
                    let bias = self.pool(&pooled)?.matmul(self.var())?;
                    let u = self.add_to_boards(&regular, &bias)?;
                    let u = self.act(&u, b.mid_activation)?;
                    self.conv(&b.second, &u)?
                }
                Block::Nested(b) => {
                    let u = self.act(&x, b.pre_activation)?;
                    let u = self.conv(&b.enter, &u)?;
                    let u = self.blocks(&b.blocks, u)?;
                    let u = self.act(&u, b.post_activation)?;
                    self.conv(&b.leave, &u)?
                }
                Block::Attention(b) => self.attention(b, &x)?,
                Block::FeedForward(b) => self.feed_forward(b, &x)?,
            };
            x = (x + added)?;
        }
        Ok(x)
    }
}

fn activate(x: &Tensor, activation: Activation) -> candle_core::Result<Tensor> {
    let channels = x.dim(1)?;
    let (ones, zeros) = (vec![1.0f32; channels], vec![0.0f32; channels]);
    let (ones, zeros) =
        (Tensor::from_vec(ones, channels, &Device::Cpu)?, Tensor::from_vec(zeros, channels, &Device::Cpu)?);
    x.apply_op3(&ones, &zeros, ScaledActivation(activation))
}

/// Whether training knows every part of a model.
fn check(model: &Model) -> Result<(), TrainError> {
    let refuse = |reason| Err(TrainError::Untrainable { name: model.name.clone(), reason });
    if model.trunk.meta.is_some() {
        return refuse("it wants to know who plays");
    }
    let mut same = true;
    visit_convs(model, &mut |conv: &Conv| same &= conv.dilation == (1, 1));
    if same { Ok(()) } else { refuse("it has convolutions with gaps") }
}

/// Calls `each` with every array that is learnt, in the order in which the forward pass wants them: with its number of
/// rows where it is a matrix.
fn visit(model: &mut Model, each: &mut impl FnMut(Option<usize>, &mut Vec<f32>)) {
    let trunk = &mut model.trunk;
    conv(&mut trunk.initial, each);
    matmul(&mut trunk.global, each);
    visit_blocks(&mut trunk.blocks, each);
    match &mut trunk.tip.norm {
        TipNorm::Affine(norm) => affine(norm, each),
        TipNorm::Rms { gamma, beta, .. } => [gamma, beta].into_iter().for_each(|array| each(None, array)),
    }
    let policy = &mut model.policy;
    conv(&mut policy.points, each);
    conv(&mut policy.pooled, each);
    affine(&mut policy.pooled_norm, each);
    matmul(&mut policy.pool_to_bias, each);
    affine(&mut policy.norm, each);
    conv(&mut policy.logits, each);
    match &mut policy.pass {
        PassHead::Direct(pass) => matmul(pass, each),
        PassHead::Hidden { first, bias, second, .. } => {
            matmul(first, each);
            each(None, bias);
            matmul(second, each);
        }
    }
    let value = &mut model.value;
    conv(&mut value.points, each);
    affine(&mut value.norm, each);
    matmul(&mut value.hidden, each);
    each(None, &mut value.hidden_bias);
    matmul(&mut value.value, each);
    each(None, &mut value.value_bias);
    matmul(&mut value.score, each);
    each(None, &mut value.score_bias);
    conv(&mut value.ownership, each);
}

fn visit_blocks(blocks: &mut [Block], each: &mut impl FnMut(Option<usize>, &mut Vec<f32>)) {
    for block in blocks {
        match block {
            Block::Ordinary(b) => {
                affine(&mut b.pre, each);
                conv(&mut b.first, each);
                affine(&mut b.mid, each);
                conv(&mut b.second, each);
            }
            Block::GlobalPooling(b) => {
                affine(&mut b.pre, each);
                conv(&mut b.regular, each);
                conv(&mut b.pooled, each);
                affine(&mut b.pooled_norm, each);
                matmul(&mut b.pool_to_bias, each);
                affine(&mut b.mid, each);
                conv(&mut b.second, each);
            }
            Block::Nested(b) => {
                affine(&mut b.pre, each);
                conv(&mut b.enter, each);
                visit_blocks(&mut b.blocks, each);
                affine(&mut b.post, each);
                conv(&mut b.leave, each);
            }
            Block::Attention(b) => {
                rms(&mut b.norm, each);
                [&mut b.query, &mut b.key, &mut b.value, &mut b.output].into_iter().for_each(|m| matmul(m, each));
                if let Some(Rope::Learned { frequencies }) = &mut b.rope {
                    each(None, frequencies);
                }
            }
            Block::FeedForward(b) => {
                rms(&mut b.norm, each);
                [&mut b.up, &mut b.gate, &mut b.down].into_iter().for_each(|m| matmul(m, each));
            }
        }
    }
}

fn conv(conv: &mut Conv, each: &mut impl FnMut(Option<usize>, &mut Vec<f32>)) {
    each(Some(conv.kernel.0 * conv.kernel.1 * conv.inputs), &mut conv.weights);
}

fn matmul(matmul: &mut MatMul, each: &mut impl FnMut(Option<usize>, &mut Vec<f32>)) {
    each(Some(matmul.inputs), &mut matmul.weights);
}

fn affine(affine: &mut Affine, each: &mut impl FnMut(Option<usize>, &mut Vec<f32>)) {
    each(None, &mut affine.scale);
    each(None, &mut affine.shift);
}

fn rms(norm: &mut RmsNorm, each: &mut impl FnMut(Option<usize>, &mut Vec<f32>)) {
    each(None, &mut norm.weights);
}

fn visit_convs(model: &Model, each: &mut impl FnMut(&Conv)) {
    fn of_blocks(blocks: &[Block], each: &mut impl FnMut(&Conv)) {
        for block in blocks {
            match block {
                Block::Ordinary(b) => [&b.first, &b.second].into_iter().for_each(&mut *each),
                Block::GlobalPooling(b) => [&b.regular, &b.pooled, &b.second].into_iter().for_each(&mut *each),
                Block::Nested(b) => {
                    [&b.enter, &b.leave].into_iter().for_each(&mut *each);
                    of_blocks(&b.blocks, each);
                }
                Block::Attention(_) | Block::FeedForward(_) => {}
            }
        }
    }
    let (policy, value) = (&model.policy, &model.value);
    [&model.trunk.initial, &policy.points, &policy.pooled, &policy.logits, &value.points, &value.ownership]
        .into_iter()
        .for_each(&mut *each);
    of_blocks(&model.trunk.blocks, each);
}

/// The planes and globals of a batch as the forward pass wants them.
pub(crate) fn inputs(board: BatchBoard, planes: Vec<f32>, globals: Vec<f32>) -> candle_core::Result<(Tensor, Tensor)> {
    let boards = globals.len() / honinbo_net::model::GLOBAL_CHANNELS;
    let spatial = Tensor::from_vec(planes, (boards * board.area(), SPATIAL_CHANNELS), &Device::Cpu)?;
    let global = Tensor::from_vec(globals, (boards, honinbo_net::model::GLOBAL_CHANNELS), &Device::Cpu)?;
    Ok((spatial, global))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetworkShape;
    use honinbo_evaluator::{EvalParams, EvalRequest, Evaluator, StopFlag};
    use honinbo_net::model::GLOBAL_CHANNELS;
    use honinbo_net::{
        EvaluatorOptions, Family, FeatureOptions, LibrarySearch, Limits, NetworkFile, OrtEvaluator, Runtime, encode,
        to_bin_gz,
    };
    use honinbo_rules::{BoardSize, Game, Komi, Move, Ruleset, Setup, Topology};
    use honinbo_testkit::{TinyBlock, TinyNetwork, fixtures};
    use std::sync::Arc;

    /// A game after some moves.
    fn position(width: usize, height: usize, topology: Topology, seed: u64) -> Game {
        let size = BoardSize::new(width, height).unwrap();
        let setup = Setup::new(size, topology, Ruleset::TROMP_TAYLOR, Komi::from_half_points(7));
        let mut game = Game::new(setup).unwrap();
        let mut random = Random::new(seed);
        for _ in 0..width * height / 2 {
            let legal: Vec<_> = game.legal_points().collect();
            let point = legal[random.below(legal.len())];
            game.play(game.to_play(), Move::Place(point)).unwrap();
        }
        game
    }

    struct Raw {
        policy: Vec<f32>,
        value: Vec<f32>,
        score: Vec<f32>,
        ownership: Vec<f32>,
    }

    fn forward(trainee: &Trainee, game: &Game) -> Raw {
        let size = game.board().size();
        let (wrap_x, wrap_y) = (game.setup().topology.wraps_x(), game.setup().topology.wraps_y());
        let board = BatchBoard { width: size.width(), height: size.height(), wrap_x, wrap_y };
        let options = FeatureOptions {
            width: board.width,
            height: board.height,
            pass_alive_under_suicide: false,
            exclude_beside_atari: false,
        };
        let (mut planes, mut globals) = (vec![0.0; SPATIAL_CHANNELS * board.area()], vec![0.0; GLOBAL_CHANNELS]);
        encode(game, &EvalParams::default(), &options, &mut planes, &mut globals);
        let by_point =
            (0..board.area()).flat_map(|point| (0..SPATIAL_CHANNELS).map(move |plane| plane * board.area() + point));
        let by_point = by_point.map(|index| planes[index]).collect();
        let (spatial, global) = inputs(board, by_point, globals).unwrap();
        let outputs = trainee.forward(board, &spatial, &global).unwrap();
        let numbers = |tensor: &Tensor| tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        Raw {
            policy: numbers(&outputs.policy),
            value: numbers(&outputs.value),
            score: numbers(&outputs.score),
            ownership: numbers(&outputs.ownership),
        }
    }

    fn compare(network: &OrtEvaluator, trainee: &Trainee, game: &Game) {
        let params = EvalParams { include_ownership: true, ..EvalParams::default() };
        let answer = network.evaluate(&[EvalRequest { game, params }], &StopFlag::new()).unwrap().remove(0);
        let raw = forward(trainee, game);
        let white = game.to_play() == honinbo_rules::Color::White;
        let sign = if white { 1.0 } else { -1.0 };
        let close = |what: &str, found: f32, expected: f32| {
            assert!((found - expected).abs() < 1e-4, "{what}: {found}, and the network's own {expected}");
        };
        let weights: Vec<f32> = raw.policy.iter().map(|logit| logit.exp()).collect();
        let legal = |index: usize| answer.policy[index] >= 0.0;
        let sum: f32 = (0..weights.len()).filter(|&index| legal(index)).map(|index| weights[index]).sum();
        for index in (0..weights.len()).filter(|&index| legal(index)) {
            close("policy", weights[index] / sum, answer.policy[index]);
        }
        // No result is impossible under superko.
        let win = 1.0 / (1.0 + (raw.value[1] - raw.value[0]).exp());
        close("win", win, if white { answer.white_win } else { answer.white_loss });
        let scales = &trainee.form().scales;
        close("mean", raw.score[0] * scales.score_mean as f32, sign * answer.white_score_mean);
        close("lead", raw.score[2] * scales.lead as f32, sign * answer.white_lead);
        for (found, expected) in raw.ownership.iter().zip(answer.white_ownership.as_deref().unwrap()) {
            close("ownership", found.tanh(), sign * expected);
        }
    }

    /// What is trained is what plays: on the plane and on the torus, by ONNX Runtime's kernels and by our own.
    #[test]
    fn the_forward_pass_is_that_of_the_network_that_is_written() {
        let library = LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")]);
        let Ok(runtime) = Runtime::load(&library) else { return fixtures::skip("there is no ONNX Runtime") };
        let tiny = |version: u32, blocks: Vec<TinyBlock>| {
            let activation = if version < 11 { "ACTIVATION_RELU" } else { "ACTIVATION_SILU" };
            let text = TinyNetwork { blocks, activation, ..TinyNetwork::convolutional(version) }.to_text();
            NetworkFile::from_bytes("a.txt", text.as_bytes(), &Limits::default()).unwrap().model
        };
        let kinds = vec![TinyBlock::Nested, TinyBlock::Pooling, TinyBlock::Ordinary];
        let small = NetworkShape { blocks: 3, channels: 8, ..NetworkShape::default() };
        let attending = NetworkShape { attention: true, channels: 64, ..small };
        let transformer = |version: u32, spatial_tip: bool| {
            let network = TinyNetwork { version, spatial_tip, ..TinyNetwork::transformer() };
            NetworkFile::from_bytes("a.txt", network.to_text().as_bytes(), &Limits::default()).unwrap().model
        };
        let models = [
            small.random("a", 1),
            NetworkShape { nested: true, mish: true, ..small.clone() }.random("b", 2),
            attending.random("c", 3),
            NetworkShape { nested: true, mish: true, ..attending }.random("d", 4),
            tiny(8, kinds.clone()),
            tiny(11, kinds.clone()),
            tiny(15, kinds),
            transformer(14, false),
            transformer(17, true),
        ];
        for model in models {
            let bytes = to_bin_gz(&model);
            let file = Arc::new(NetworkFile::from_bytes("a.bin.gz", &bytes, &Limits::default()).unwrap());
            let trainee = Trainee::new(&file.model, 3).unwrap();
            for own_kernels in [false, true] {
                let options = EvaluatorOptions { own_kernels, ..EvaluatorOptions::cpu(1) };
                let network = OrtEvaluator::new(runtime.clone(), Arc::clone(&file), options);
                let boards = [
                    (5, 5, Topology::Plane),
                    (7, 4, Topology::Plane),
                    (5, 5, Topology::Torus),
                    (7, 6, Topology::Torus),
                ];
                // Attention does not go round a torus.
                let known = if file.model.family() == Family::Transformer { 2 } else { 4 };
                for (width, height, topology) in boards.into_iter().take(known) {
                    compare(&network, &trainee, &position(width, height, topology, 11));
                }
            }
            // Out and in again.
            let arrays: Vec<Vec<f32>> =
                trainee.vars().iter().map(|var| var.flatten_all().unwrap().to_vec1().unwrap()).collect();
            let mut expected = file.model.clone();
            one_policy(&mut expected);
            assert!(trainee.model(&model.name, &arrays) == expected, "{}", model.name);
        }
    }

    #[test]
    fn what_is_not_known_is_refused_with_a_reason() {
        let refused = |network: TinyNetwork| {
            let text = network.to_text();
            let model = NetworkFile::from_bytes("a.txt", text.as_bytes(), &Limits::default()).unwrap().model;
            Trainee::new(&model, 0).unwrap_err().to_string()
        };
        assert!(refused(TinyNetwork { meta: true, ..TinyNetwork::convolutional(17) }).contains("who plays"));
    }
}
