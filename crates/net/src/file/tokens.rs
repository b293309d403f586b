//! The two kinds of things a network file consists of: tokens and arrays of weights.

use super::error::{Defect, FileError};
use super::limits::Limits;
use super::source::{Source, SourceError};
use crate::subnormal::flush;

/// How arrays are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Binary,
    Text,
}

const MARKER: &[u8] = b"@BIN@";
/// KataGo skips this many bytes before a marker; only white space is accepted here.
const MAX_GAP: usize = 100;

/// Reads tokens and arrays, and remembers which layer it is in.
pub(super) struct Tokens<'a, 'l> {
    source: Source<'a>,
    encoding: Encoding,
    pub(super) limits: &'l Limits,
    layer: String,
    /// Largest absolute weight seen.
    pub(super) largest_weight: f32,
    /// Weights that became zero because they were subnormal.
    pub(super) subnormal_weights: u64,
}

impl<'a, 'l> Tokens<'a, 'l> {
    pub(super) fn new(source: Source<'a>, encoding: Encoding, limits: &'l Limits) -> Self {
        Self { source, encoding, limits, layer: "header".into(), largest_weight: 0.0, subnormal_weights: 0 }
    }

    /// An error at the present place.
    pub(super) fn malformed(&self, problem: Defect) -> FileError {
        FileError::Malformed { layer: self.layer.clone(), problem }
    }

    fn place(&self, error: SourceError) -> FileError {
        match error {
            SourceError::Broken(error) => error,
            SourceError::Ended(problem) => self.malformed(problem),
        }
    }

    /// The next token: a run of bytes without white space.
    pub(super) fn token(&mut self, what: &'static str) -> Result<String, FileError> {
        let mut token = Vec::new();
        loop {
            let limit = self.limits.token_bytes;
            let piece = self.source.peek()?;
            if piece.is_empty() {
                break;
            }
            let mut used = 0;
            let mut done = false;
            for &byte in piece {
                used += 1;
                if !is_space(byte) {
                    token.push(byte);
                } else if !token.is_empty() {
                    done = true;
                    break;
                }
                if token.len() > limit {
                    return Err(self.malformed(Defect::LongToken { what, limit }));
                }
            }
            self.source.consume(used);
            if done {
                break;
            }
        }
        if token.is_empty() {
            return Err(self.malformed(Defect::Truncated { what }));
        }
        String::from_utf8(token).map_err(|error| {
            let found = readable(&String::from_utf8_lossy(error.as_bytes()));
            self.malformed(Defect::Token { what, found, expected: "text" })
        })
    }

    /// The name of a layer, used in the messages of whatever goes wrong from here on.
    pub(super) fn name(&mut self) -> Result<String, FileError> {
        let name = self.token("a layer's name")?;
        self.layer = readable(&name);
        Ok(name)
    }

    pub(super) fn integer(&mut self, what: &'static str) -> Result<i32, FileError> {
        let token = self.token(what)?;
        token
            .parse()
            .map_err(|_| self.malformed(Defect::Token { what, found: readable(&token), expected: "a whole number" }))
    }

    /// A count from 1 to `most`.
    pub(super) fn count(&mut self, what: &'static str, most: usize) -> Result<usize, FileError> {
        let value = self.integer(what)?;
        usize::try_from(value).ok().filter(|count| (1..=most).contains(count)).ok_or_else(|| {
            self.malformed(Defect::Range { what, value: value.to_string(), expected: format!("1 to {most}") })
        })
    }

    /// An integer that must be 0 or 1.
    pub(super) fn flag(&mut self, what: &'static str) -> Result<bool, FileError> {
        match self.integer(what)? {
            0 => Ok(false),
            1 => Ok(true),
            value => Err(self.malformed(Defect::Range { what, value: value.to_string(), expected: "0 or 1".into() })),
        }
    }

    /// `count` option integers that nobody has given a meaning yet.
    pub(super) fn zeros(&mut self, what: &'static str, count: usize) -> Result<(), FileError> {
        for _ in 0..count {
            let value = self.integer(what)?;
            if value != 0 {
                let expected = "0 (it asks for something this reader does not know)".into();
                return Err(self.malformed(Defect::Range { what, value: value.to_string(), expected }));
            }
        }
        Ok(())
    }

    /// A positive finite number.
    pub(super) fn positive(&mut self, what: &'static str) -> Result<f64, FileError> {
        let token = self.token(what)?;
        let value: f64 = token
            .parse()
            .map_err(|_| self.malformed(Defect::Token { what, found: readable(&token), expected: "a number" }))?;
        if value.is_finite() && value > 0.0 {
            Ok(value)
        } else {
            let expected = "a positive finite number".into();
            Err(self.malformed(Defect::Range { what, value: value.to_string(), expected }))
        }
    }

    /// A positive number that is one in single precision too.
    pub(super) fn positive_f32(&mut self, what: &'static str, most: f32) -> Result<f32, FileError> {
        let value = self.positive(what)? as f32;
        if value > 0.0 && value <= most {
            Ok(value)
        } else {
            let expected = format!("above 0 and at most {most:e}");
            Err(self.malformed(Defect::Range { what, value: value.to_string(), expected }))
        }
    }

    /// An array whose length is the product of `sizes`. Nothing is allocated before the file is known to have room.
    pub(super) fn weights(&mut self, sizes: &[usize]) -> Result<Vec<f32>, FileError> {
        let room = self.source.room() / if self.encoding == Encoding::Binary { 4 } else { 2 } + 1;
        let count = sizes.iter().try_fold(1u64, |product, &size| product.checked_mul(size as u64)).unwrap_or(u64::MAX);
        let fits = usize::try_from(count).ok().filter(|_| count <= room);
        let Some(count) = fits else {
            return Err(self.malformed(Defect::TooManyWeights { count, room }));
        };
        match self.encoding {
            Encoding::Binary => self.binary_weights(count),
            Encoding::Text => self.text_weights(count),
        }
    }

    fn binary_weights(&mut self, count: usize) -> Result<Vec<f32>, FileError> {
        const WHAT: &str = "weights";
        let mut gap = 0;
        loop {
            let first = self.source.peek()?.first().copied();
            if !first.is_some_and(is_space) || gap == MAX_GAP {
                break;
            }
            gap += 1;
            self.source.consume(1);
        }
        let mut marker = [0; MARKER.len()];
        self.source.fill(&mut marker, WHAT).map_err(|e| self.place(e))?;
        if marker != MARKER {
            let found = readable(&String::from_utf8_lossy(&marker));
            return Err(self.malformed(Defect::Token { what: "the start of the weights", found, expected: "@BIN@" }));
        }
        // The limit above bounds `count` by what a packed file might hold; the vector grows with what it does hold.
        let mut weights = Vec::new();
        let mut bytes = [0u8; 4096];
        while weights.len() < count {
            let now = (count - weights.len()).min(bytes.len() / 4);
            self.source.fill(&mut bytes[..now * 4], WHAT).map_err(|e| self.place(e))?;
            for four in bytes[..now * 4].chunks_exact(4) {
                let value = f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                self.take(value, &mut weights, count)?;
            }
        }
        weights.shrink_to_fit();
        Ok(weights)
    }

    fn text_weights(&mut self, count: usize) -> Result<Vec<f32>, FileError> {
        let mut weights = Vec::new();
        while weights.len() < count {
            let token = self.token("weights")?;
            let value: f32 = token.parse().map_err(|_| {
                self.malformed(Defect::Token { what: "a weight", found: readable(&token), expected: "a number" })
            })?;
            self.take(value, &mut weights, count)?;
        }
        weights.shrink_to_fit();
        Ok(weights)
    }

    fn take(&mut self, value: f32, weights: &mut Vec<f32>, count: usize) -> Result<(), FileError> {
        let size = value.abs();
        // Written so that "not a number" is refused as well.
        if size <= self.limits.weight {
            self.largest_weight = self.largest_weight.max(size);
            self.subnormal_weights += u64::from(value.is_subnormal());
            weights.push(flush(value));
            Ok(())
        } else {
            let index = weights.len();
            Err(self.malformed(Defect::Weight { index, count, value: value.to_string() }))
        }
    }

    /// Reads to the end and says how many bytes there were that are not white space.
    pub(super) fn trailing(&mut self) -> Result<u64, FileError> {
        let mut others = 0;
        loop {
            let piece = self.source.peek()?;
            if piece.is_empty() {
                return Ok(others);
            }
            others += piece.iter().filter(|&&byte| !is_space(byte)).count() as u64;
            let all = piece.len();
            self.source.consume(all);
        }
    }
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || (0x09..=0x0d).contains(&byte)
}

/// A token as it may stand in a message.
fn readable(token: &str) -> String {
    token.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
