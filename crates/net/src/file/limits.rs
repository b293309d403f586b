//! Bounds that keep a hostile file from taking the machine with it.

/// What a network file may ask for. The defaults hold every published network many times over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Largest file on disk, in bytes.
    pub file_bytes: u64,
    /// Largest unpacked size, in bytes, whatever the ratio.
    pub unpacked_bytes: u64,
    /// Unpacked sizes up to this are accepted at any ratio.
    pub free_unpacked_bytes: u64,
    /// Highest ratio of unpacked to packed size of a binary network (real ones reach 1.11).
    pub binary_ratio: u64,
    /// Highest ratio of unpacked to packed size of a text network (real ones reach 2.2).
    pub text_ratio: u64,
    /// Channels of any layer, and width of any vector.
    pub channels: usize,
    /// Width of a feed-forward layer.
    pub feed_forward: usize,
    /// Rows and columns of a convolution kernel.
    pub kernel: usize,
    /// Dilation of a convolution.
    pub dilation: usize,
    /// Blocks in all, inner ones included.
    pub blocks: usize,
    /// Blocks within blocks.
    pub nesting: usize,
    /// Attention heads.
    pub heads: usize,
    /// Channels of one attention head.
    pub head_width: usize,
    /// Bytes of one token.
    pub token_bytes: usize,
    /// Largest absolute value of a weight; beyond it products overflow.
    pub weight: f32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            unpacked_bytes: 2 << 30,
            free_unpacked_bytes: 64 << 20,
            binary_ratio: 8,
            text_ratio: 20,
            channels: 16384,
            feed_forward: 65536,
            kernel: 15,
            dilation: 16,
            blocks: 1024,
            nesting: 8,
            heads: 256,
            head_width: 1024,
            token_bytes: 256,
            weight: 1e30,
        }
    }
}

impl Limits {
    /// How many bytes a packed file of `packed` bytes may unpack to.
    pub(super) fn unpacked(&self, packed: u64, text: bool) -> u64 {
        let ratio = if text { self.text_ratio } else { self.binary_ratio };
        packed.saturating_mul(ratio).max(self.free_unpacked_bytes).min(self.unpacked_bytes)
    }
}
