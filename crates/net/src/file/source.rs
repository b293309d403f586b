//! Bytes of a network file, unpacked piece by piece and never more than allowed.

use std::io::{BufRead, Read};

use flate2::bufread::{GzDecoder, ZlibDecoder};

use super::error::{Defect, FileError};

const PIECE: usize = 64 << 10;

enum Unpacker<'a> {
    Plain(&'a [u8]),
    Gzip(Box<GzDecoder<&'a [u8]>>),
    Zlib(Box<ZlibDecoder<&'a [u8]>>),
}

/// A forward-only view of the unpacked bytes.
///
/// Only one piece is held at a time, so that a bomb is noticed before it has gone off.
pub(super) struct Source<'a> {
    unpacker: Unpacker<'a>,
    piece: Vec<u8>,
    at: usize,
    /// Unpacked bytes that may still come, `piece` not counted.
    allowance: u64,
    limit: u64,
    ended: bool,
}

impl<'a> Source<'a> {
    pub(super) fn plain(bytes: &'a [u8]) -> Self {
        Self::new(Unpacker::Plain(bytes), bytes.len() as u64)
    }

    /// Recognises a gzip and a zlib wrapper by their first bytes.
    pub(super) fn packed(bytes: &'a [u8], limit: u64) -> Result<Self, FileError> {
        let unpacker = match bytes {
            [0x1f, 0x8b, ..] => Unpacker::Gzip(Box::new(GzDecoder::new(bytes))),
            [first, second, ..] if first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0 => {
                Unpacker::Zlib(Box::new(ZlibDecoder::new(bytes)))
            }
            _ => {
                return Err(FileError::Compression {
                    reason: "it starts with neither a gzip nor a zlib header".into(),
                });
            }
        };
        Ok(Self::new(unpacker, limit))
    }

    fn new(unpacker: Unpacker<'a>, limit: u64) -> Self {
        Self { unpacker, piece: Vec::new(), at: 0, allowance: limit, limit, ended: false }
    }

    /// The most bytes that can still come.
    pub(super) fn room(&self) -> u64 {
        let rest = match &self.unpacker {
            Unpacker::Plain(rest) => rest.len() as u64,
            _ if self.ended => 0,
            _ => self.allowance,
        };
        rest + (self.piece.len() - self.at) as u64
    }

    /// The bytes at hand, at least one unless the stream has ended.
    pub(super) fn peek(&mut self) -> Result<&[u8], FileError> {
        if self.at == self.piece.len() && !self.ended {
            self.refill()?;
        }
        Ok(&self.piece[self.at..])
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.at += count;
    }

    /// Fills `out`, or says what was cut short.
    pub(super) fn fill(&mut self, mut out: &mut [u8], what: &'static str) -> Result<(), SourceError> {
        while !out.is_empty() {
            let piece = self.peek()?;
            if piece.is_empty() {
                return Err(SourceError::Ended(Defect::Truncated { what }));
            }
            let count = piece.len().min(out.len());
            out[..count].copy_from_slice(&piece[..count]);
            self.consume(count);
            out = &mut out[count..];
        }
        Ok(())
    }

    fn refill(&mut self) -> Result<(), FileError> {
        self.piece.resize(PIECE, 0);
        self.at = 0;
        let read = match &mut self.unpacker {
            Unpacker::Plain(rest) => {
                let count = rest.len().min(PIECE);
                self.piece[..count].copy_from_slice(&rest[..count]);
                rest.consume(count);
                Ok(count)
            }
            Unpacker::Gzip(decoder) => decoder.read(&mut self.piece),
            Unpacker::Zlib(decoder) => decoder.read(&mut self.piece),
        };
        let count = read.map_err(|error| {
            self.piece.clear();
            FileError::Compression { reason: error.to_string() }
        })?;
        self.piece.truncate(count);
        if count as u64 > self.allowance {
            return Err(FileError::Bomb { limit: self.limit });
        }
        self.allowance -= count as u64;
        if count == 0 {
            self.ended = true;
            let left = match &self.unpacker {
                Unpacker::Plain(_) => 0,
                Unpacker::Gzip(decoder) => decoder.get_ref().len(),
                Unpacker::Zlib(decoder) => decoder.get_ref().len(),
            };
            if left > 0 {
                let reason = format!("{left} bytes follow the end of the compressed data");
                return Err(FileError::Compression { reason });
            }
        }
        Ok(())
    }
}

/// Either the stream is broken, or it ended in the middle of something.
pub(super) enum SourceError {
    Broken(FileError),
    Ended(Defect),
}

impl From<FileError> for SourceError {
    fn from(error: FileError) -> Self {
        Self::Broken(error)
    }
}
