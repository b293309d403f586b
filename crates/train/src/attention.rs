//! What transformers have beside convolutions, on rows of `[board * area + point][channel]`: norms by the root mean square,
//! attention between the points of a board, gated products. Formulas are those of
//! [`AttentionBlock`] and [`FeedForwardBlock`](honinbo_net::model::FeedForwardBlock).

use candle_core::{D, Device, Result, Tensor};
use honinbo_net::model::{AttentionBlock, Rope};

use crate::network::BatchBoard;

/// Each row over its root mean square, channels times `weights`.
pub(crate) fn rms_norm(x: &Tensor, epsilon: f32, weights: &Tensor) -> Result<Tensor> {
    over_root(x, &x.sqr()?.mean_keepdim(D::Minus1)?, epsilon)?.broadcast_mul(weights)
}

/// The same with one root mean square for all points and channels of a board.
pub(crate) fn rms_norm_of_boards(x: &Tensor, boards: usize, epsilon: f32, weights: &Tensor) -> Result<Tensor> {
    let by_board = x.reshape((boards, ()))?;
    let mean = by_board.sqr()?.mean_keepdim(D::Minus1)?;
    over_root(&by_board, &mean, epsilon)?.reshape(x.shape())?.broadcast_mul(weights)
}

fn over_root(x: &Tensor, mean: &Tensor, epsilon: f32) -> Result<Tensor> {
    x.broadcast_div(&(mean + f64::from(epsilon))?.sqrt()?)
}

/// `softmax(q k^T / sqrt(width)) v` of each head, heads side by side: `[board * area + point][heads * value_width]`.
///
/// `frequencies`: the weights of a learnt [`Rope`], flat.
pub(crate) fn attend(
    block: &AttentionBlock,
    board: BatchBoard,
    [query, key, value]: [&Tensor; 3],
    frequencies: Option<&Tensor>,
) -> Result<Tensor> {
    let area = board.area();
    let (heads, kv_heads) = (block.heads, block.kv_heads);
    let by_head = |x: &Tensor, heads: usize, width: usize| {
        let boards = x.dim(0)? / area;
        x.reshape((boards, area, heads, width))?.transpose(1, 2)?.contiguous()
    };
    let mut q = by_head(query, heads, block.query_width)?;
    let mut k = by_head(key, kv_heads, block.query_width)?;
    let v = by_head(value, kv_heads, block.value_width)?;
    if let Some(rope) = &block.rope {
        let angles = angles(rope, block, board, frequencies)?;
        k = turned(&k, &angles)?;
        q = turned(&q, &if angles.dim(0)? == 1 { angles } else { served(&angles, 0, heads, kv_heads)? })?;
    }
    let (k, v) = (served(&k, 1, heads, kv_heads)?, served(&v, 1, heads, kv_heads)?);
    let scores = (q.matmul(&k.t()?.contiguous()?)? * (1.0 / (block.query_width as f64).sqrt()))?;
    // Any number may be taken from a row's scores, so its slope is none.
    let scores = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?.detach())?.exp()?;
    let weights = scores.broadcast_div(&scores.sum_keepdim(D::Minus1)?)?;
    weights.matmul(&v)?.transpose(1, 2)?.contiguous()?.reshape(((), heads * block.value_width))
}

/// Each head of keys or values once for every query head that it serves.
fn served(x: &Tensor, axis: usize, heads: usize, kv_heads: usize) -> Result<Tensor> {
    if heads == kv_heads {
        return Ok(x.clone());
    }
    let each = heads / kv_heads;
    let indices: Vec<u32> = (0..heads).map(|head| (head / each) as u32).collect();
    x.contiguous()?.index_select(&Tensor::from_vec(indices, heads, &Device::Cpu)?, axis)
}

/// Radians `[kv heads or 1][area][pairs]` by which the pairs of channels of each point are turned.
fn angles(rope: &Rope, block: &AttentionBlock, board: BatchBoard, learnt: Option<&Tensor>) -> Result<Tensor> {
    let pairs = block.query_width / 2;
    let frequencies = match (rope, learnt) {
        (Rope::Fixed { base }, _) => Tensor::from_vec(Rope::fixed(*base, pairs).concat(), (1, pairs, 2), &Device::Cpu)?,
        (Rope::Learned { .. }, Some(learnt)) => learnt.reshape((block.kv_heads, pairs, 2))?,
        (Rope::Learned { .. }, None) => {
            return Err(candle_core::Error::Msg("the frequencies of a learnt turn are missing".to_owned()));
        }
    };
    let places: Vec<f32> =
        (0..board.area()).flat_map(|place| [(place % board.width) as f32, (place / board.width) as f32]).collect();
    let places = Tensor::from_vec(places, (1, board.area(), 2), &Device::Cpu)?;
    places.broadcast_matmul(&frequencies.transpose(1, 2)?.contiguous()?)
}

/// Turns the pairs of neighbouring channels of `[board][head][point][channel]`.
fn turned(x: &Tensor, angles: &Tensor) -> Result<Tensor> {
    let (boards, heads, area, width) = x.dims4()?;
    let pairs = x.reshape((boards, heads, area, width / 2, 2))?;
    let (first, second) = (pairs.narrow(4, 0, 1)?.squeeze(4)?, pairs.narrow(4, 1, 1)?.squeeze(4)?);
    let (cosine, sine) = (angles.cos()?, angles.sin()?);
    let left = (first.broadcast_mul(&cosine)? - second.broadcast_mul(&sine)?)?;
    let right = (first.broadcast_mul(&sine)? + second.broadcast_mul(&cosine)?)?;
    Tensor::stack(&[left, right], 4)?.reshape((boards, heads, area, width))
}
