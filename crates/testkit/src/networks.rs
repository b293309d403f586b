//! Small networks with random weights, written as text files of every model version.

use honinbo_rules::Random;
use std::fmt::Write;

/// What a made-up network consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TinyNetwork {
    /// Model version, 8 to 17.
    pub version: u32,
    /// Channels of the trunk.
    pub channels: usize,
    /// Kinds of blocks, in order.
    pub blocks: Vec<TinyBlock>,
    /// Whether it wants a player profile (version 15 and later).
    pub meta: bool,
    /// Whether its header asks for no territory beside a chain of its owner in atari (version 15 and later).
    pub exclude_beside_atari: bool,
    /// Last norm by root mean square over the whole board instead of by stored moments (version 15 and later).
    pub spatial_tip: bool,
    /// `ACTIVATION_…` used everywhere (version 11 and later; before, it is the rectifier).
    pub activation: &'static str,
    /// Number from which the weights follow.
    pub seed: u64,
}

/// A kind of block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TinyBlock {
    /// Two convolutions.
    Ordinary,
    /// Two convolutions with a look at the whole board.
    Pooling,
    /// An ordinary and a pooling block in a narrower stream.
    Nested,
    /// Attention with learned turns, two query heads and one key head.
    Attention,
    /// Attention with fixed turns.
    FixedAttention,
    /// Gated products.
    FeedForward,
}

impl TinyNetwork {
    /// A convolutional network of that version.
    #[must_use]
    pub fn convolutional(version: u32) -> Self {
        Self {
            version,
            channels: 8,
            blocks: vec![TinyBlock::Ordinary, TinyBlock::Pooling, TinyBlock::Nested],
            meta: false,
            exclude_beside_atari: false,
            spatial_tip: false,
            activation: "ACTIVATION_MISH",
            seed: 1,
        }
    }

    /// A transformer network.
    #[must_use]
    pub fn transformer() -> Self {
        Self {
            blocks: vec![
                TinyBlock::Attention,
                TinyBlock::FeedForward,
                TinyBlock::FixedAttention,
                TinyBlock::FeedForward,
            ],
            spatial_tip: true,
            activation: "ACTIVATION_SILU",
            ..Self::convolutional(17)
        }
    }

    /// The file: text, to be named `.txt`.
    #[must_use]
    pub fn to_text(&self) -> String {
        Writer { text: String::new(), random: Random::new(self.seed), network: self }.file()
    }
}

struct Writer<'n> {
    text: String,
    random: Random,
    network: &'n TinyNetwork,
}

/// Channels of the heads and of the pooled parts.
const HEAD: usize = 4;

impl Writer<'_> {
    fn put(&mut self, token: impl std::fmt::Display) {
        writeln!(self.text, "{token}").expect("text grows");
    }

    fn all(&mut self, tokens: &[usize]) {
        for token in tokens {
            self.put(token);
        }
    }

    /// Even between `-size` and `size`.
    fn weights(&mut self, count: usize, size: f32, middle: f32) {
        for _ in 0..count {
            let value = middle + size * (2.0 * self.random.unit() as f32 - 1.0);
            self.put(value);
        }
    }

    fn conv(&mut self, kernel: usize, inputs: usize, outputs: usize) {
        self.put("conv");
        self.all(&[kernel, kernel, inputs, outputs, 1, 1]);
        let size = 1.7 / ((kernel * kernel * inputs) as f32).sqrt();
        self.weights(kernel * kernel * inputs * outputs, size, 0.0);
    }

    fn matmul(&mut self, inputs: usize, outputs: usize) {
        self.put("matmul");
        self.all(&[inputs, outputs]);
        self.weights(inputs * outputs, 1.7 / (inputs as f32).sqrt(), 0.0);
    }

    fn bias(&mut self, channels: usize) {
        self.put("bias");
        self.put(channels);
        self.weights(channels, 0.3, 0.0);
    }

    fn norm(&mut self, channels: usize) {
        self.put("norm");
        self.put(channels);
        self.put("1e-5");
        self.all(&[1, 1]);
        self.weights(channels, 0.2, 0.0);
        self.weights(channels, 0.5, 1.0);
        self.weights(channels, 0.3, 1.0);
        self.weights(channels, 0.2, 0.0);
    }

    fn rms(&mut self, channels: usize) {
        self.put("rms");
        self.put(channels);
        self.put("1e-6");
        self.weights(channels, 0.3, 1.0);
    }

    fn activation(&mut self) {
        self.put("activation");
        if self.network.version >= 11 {
            self.put(self.network.activation);
        }
    }

    fn block(&mut self, block: TinyBlock, width: usize) {
        match block {
            TinyBlock::Ordinary => {
                self.put("ordinary_block\nordinary");
                self.norm(width);
                self.activation();
                self.conv(3, width, width);
                self.norm(width);
                self.activation();
                self.conv(3, width, width);
            }
            TinyBlock::Pooling => {
                self.put("gpool_block\npooling");
                self.norm(width);
                self.activation();
                self.conv(3, width, width);
                self.conv(3, width, HEAD);
                self.norm(HEAD);
                self.activation();
                self.matmul(3 * HEAD, width);
                self.norm(width);
                self.activation();
                self.conv(3, width, width);
            }
            TinyBlock::Nested => {
                self.put("nested_bottleneck_block\nnested");
                self.put(2);
                let inner = width / 2;
                self.norm(width);
                self.activation();
                self.conv(1, width, inner);
                self.block(TinyBlock::Ordinary, inner);
                self.block(TinyBlock::Pooling, inner);
                self.norm(inner);
                self.activation();
                self.conv(1, inner, width);
            }
            TinyBlock::Attention => self.attention(width, true),
            TinyBlock::FixedAttention => self.attention(width, false),
            TinyBlock::FeedForward => {
                self.put("transformer_ffn_block\nfeed");
                self.all(&[width, 2 * width, 1]);
                self.rms(width);
                self.matmul(width, 2 * width);
                self.matmul(width, 2 * width);
                self.matmul(2 * width, width);
            }
        }
    }

    fn attention(&mut self, width: usize, learned: bool) {
        let (heads, kv_heads, query, value) = (2, 1, 4, 3);
        self.put("transformer_attention_block\nattention");
        self.all(&[heads, kv_heads, query, value, 1, usize::from(learned)]);
        self.rms(width);
        self.matmul(width, heads * query);
        self.matmul(width, kv_heads * query);
        self.matmul(width, kv_heads * value);
        self.matmul(heads * value, width);
        self.put("rope");
        if learned {
            self.all(&[kv_heads, query / 2, 2]);
            self.weights(kv_heads * query / 2 * 2, 0.5, 0.0);
        } else {
            self.put("100.0");
        }
    }

    fn file(mut self) -> String {
        let network = self.network;
        let (version, channels) = (network.version, network.channels);
        writeln!(self.text, "tiny-v{version}").expect("text grows");
        self.all(&[version as usize, 22, 19]);
        if version >= 13 {
            for scale in ["20.0", "20.0", "20.0", "20.0", "40.0", "0.25", "150.0"] {
                self.put(scale);
            }
        }
        if version >= 15 {
            self.all(&[usize::from(network.meta), 0, usize::from(network.exclude_beside_atari), 0, 0, 0, 0, 0]);
        }
        self.put("trunk");
        self.all(&[network.blocks.len(), channels, channels, channels, channels, HEAD]);
        if version >= 15 {
            self.all(&[usize::from(network.spatial_tip), 0, 0, 0, 0, 0]);
        }
        self.conv(3, 22, channels);
        self.matmul(19, channels);
        if version >= 15 && network.meta {
            self.put("meta");
            self.put(192);
            self.matmul(192, channels);
            self.bias(channels);
            self.activation();
            self.matmul(channels, channels);
            self.bias(channels);
            self.activation();
            self.matmul(channels, channels);
        }
        for &block in &network.blocks {
            self.block(block, channels);
        }
        if version >= 15 && network.spatial_tip {
            self.put("tip");
            self.put(channels);
            self.put("1e-6");
            self.all(&[1, 0]);
            self.weights(channels, 0.3, 1.0);
            self.weights(channels, 0.3, 0.0);
        } else {
            self.norm(channels);
        }
        self.activation();
        self.heads(version, channels);
        self.text
    }

    fn heads(&mut self, version: u32, channels: usize) {
        self.put("policy");
        let outputs = match version {
            17.. => {
                self.all(&[2, 0, 0, 0]);
                2
            }
            16 => 4,
            12..=15 => 2,
            _ => 1,
        };
        self.conv(1, channels, HEAD);
        self.conv(1, channels, HEAD);
        self.norm(HEAD);
        self.activation();
        self.matmul(3 * HEAD, HEAD);
        self.norm(HEAD);
        self.activation();
        self.conv(1, HEAD, outputs);
        if version <= 14 {
            self.matmul(3 * HEAD, outputs);
        } else {
            self.matmul(3 * HEAD, HEAD);
            self.bias(HEAD);
            self.activation();
            self.matmul(HEAD, outputs);
        }
        self.put("value");
        if version >= 17 {
            self.all(&[0, 0, 0]);
        }
        self.conv(1, channels, HEAD);
        self.norm(HEAD);
        self.activation();
        self.matmul(3 * HEAD, 2 * HEAD);
        self.bias(2 * HEAD);
        self.activation();
        self.matmul(2 * HEAD, 3);
        self.bias(3);
        let scores = if version >= 9 { 6 } else { 4 };
        self.matmul(2 * HEAD, scores);
        self.bias(scores);
        self.conv(1, HEAD, 1);
    }
}
