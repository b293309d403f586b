//! What a Parquet file says of itself, looked through before the library believes it.
//!
//! The library reserves memory for as many parts as a file announces and follows nesting as deep as it goes; a few bytes
//! could end the program. So the footer and the heads of pages are walked here first, with limits.
//!
//! Source: the structures of parquet-format's `parquet.thrift` 2.12, in Thrift's compact protocol.

/// Parts of a schema, columns of a group, pairs of metadata.
const MAX_COLUMNS: u64 = 1000;
/// Groups of rows.
const MAX_GROUPS: u64 = 1 << 16;
/// Groups of columns in one another; lists need three.
const MAX_NESTING: usize = 8;
/// Structures in one another.
const MAX_DEPTH: usize = 16;

/// Types of fields.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// Why a footer or a head is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unbelievable(pub(super) &'static str);

const CUT: Unbelievable = Unbelievable("it breaks off inside its own description");
const ODD: Unbelievable = Unbelievable("its own description makes no sense");
const MANY: Unbelievable = Unbelievable("it announces more columns or groups of rows than such a table may have");
const DEEP: Unbelievable = Unbelievable("its columns lie too deep in one another");

/// Kinds of pages.
pub(super) const DATA_PAGE: i32 = 0;
pub(super) const DICTIONARY_PAGE: i32 = 2;
pub(super) const DATA_PAGE_V2: i32 = 3;

/// The head of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PageHead {
    pub(super) kind: i32,
    /// Bytes of the page unpacked, and as they lie in the file after the head.
    pub(super) unpacked: i32,
    pub(super) packed: i32,
    pub(super) values: i32,
    pub(super) encoding: i32,
    /// Bytes of levels in a page of the second version.
    pub(super) level_bytes: i32,
    /// Bytes of the head itself.
    pub(super) length: usize,
}

/// Reads the head of a page at the start of `bytes`.
pub(super) fn page_head(bytes: &[u8]) -> Result<PageHead, Unbelievable> {
    let mut walker = Walker { rest: bytes };
    let mut head = PageHead::default();
    walker.structure(&mut |walker, id, kind| {
        match (id, kind) {
            (1, I32) => head.kind = walker.int()?,
            (2, I32) => head.unpacked = walker.int()?,
            (3, I32) => head.packed = walker.int()?,
            // Of a data page, a dictionary, a data page of the second version.
            (5 | 7 | 8, STRUCT) => {
                let encoding = if id == 8 { 4 } else { 2 };
                walker.structure(&mut |walker, part, kind| {
                    match (part, kind) {
                        (1, I32) => head.values = walker.int()?,
                        (_, I32) if part == encoding => head.encoding = walker.int()?,
                        (5 | 6, I32) if id == 8 => {
                            let bytes = walker.int()?;
                            head.level_bytes = head.level_bytes.checked_add(bytes).filter(|_| bytes >= 0).ok_or(ODD)?;
                        }
                        _ => walker.skip(kind, MAX_DEPTH)?,
                    }
                    Ok(())
                })?;
            }
            _ => walker.skip(kind, MAX_DEPTH)?,
        }
        Ok(())
    })?;
    head.length = bytes.len() - walker.rest.len();
    Ok(head)
}

/// Whether a footer is as a table's can be.
pub(super) fn check_footer(bytes: &[u8]) -> Result<(), Unbelievable> {
    let mut walker = Walker { rest: bytes };
    walker.structure(&mut |walker, id, kind| match (id, kind) {
        (2, LIST) => check_schema(walker),
        (4, LIST) => {
            let groups = walker.list_of(STRUCT, MAX_GROUPS)?;
            (0..groups).try_for_each(|_| {
                walker.structure(&mut |walker, id, kind| match (id, kind) {
                    (1, LIST) => {
                        let columns = walker.list_of(STRUCT, MAX_COLUMNS)?;
                        (0..columns).try_for_each(|_| walker.skip(STRUCT, MAX_DEPTH))
                    }
                    _ => walker.skip(kind, MAX_DEPTH),
                })
            })
        }
        (5, LIST) => {
            let pairs = walker.list_of(STRUCT, MAX_COLUMNS)?;
            (0..pairs).try_for_each(|_| walker.skip(STRUCT, MAX_DEPTH))
        }
        _ => walker.skip(kind, MAX_DEPTH),
    })
}

/// The parts of the schema are a tree, written from its root with the number of children of each.
fn check_schema(walker: &mut Walker<'_>) -> Result<(), Unbelievable> {
    let parts = walker.list_of(STRUCT, MAX_COLUMNS)?;
    // Children that are still to come, at each depth.
    let mut open: Vec<i32> = Vec::new();
    for part in 0..parts {
        let mut children = 0;
        walker.structure(&mut |walker, id, kind| {
            if (id, kind) != (5, I32) {
                return walker.skip(kind, MAX_DEPTH);
            }
            children = walker.int()?;
            Ok(())
        })?;
        if !(0..=MAX_COLUMNS as i32).contains(&children) {
            return Err(MANY);
        }
        match open.last_mut() {
            Some(left) => *left -= 1,
            None if part == 0 => {}
            None => return Err(ODD),
        }
        open.push(children);
        if open.len() > MAX_NESTING {
            return Err(DEEP);
        }
        while open.last() == Some(&0) {
            open.pop();
        }
    }
    if open.is_empty() { Ok(()) } else { Err(ODD) }
}

/// Walks through Thrift's compact protocol.
struct Walker<'a> {
    rest: &'a [u8],
}

impl Walker<'_> {
    fn byte(&mut self) -> Result<u8, Unbelievable> {
        let (first, rest) = self.rest.split_first().ok_or(CUT)?;
        self.rest = rest;
        Ok(*first)
    }

    fn advance(&mut self, bytes: u64) -> Result<(), Unbelievable> {
        let bytes = usize::try_from(bytes).map_err(|_| CUT)?;
        self.rest = self.rest.get(bytes..).ok_or(CUT)?;
        Ok(())
    }

    fn unsigned(&mut self) -> Result<u64, Unbelievable> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(ODD)
    }

    /// A number of at most 32 bits.
    fn int(&mut self) -> Result<i32, Unbelievable> {
        let zigzag = u32::try_from(self.unsigned()?).map_err(|_| ODD)?;
        Ok((zigzag >> 1).cast_signed() ^ -((zigzag & 1).cast_signed()))
    }

    /// Type and number of a list's elements.
    fn list(&mut self) -> Result<(u8, u64), Unbelievable> {
        let head = self.byte()?;
        let length = match head >> 4 {
            15 => self.unsigned()?,
            short => u64::from(short),
        };
        Ok((head & 15, length))
    }

    /// The number of elements of a list that has to be of this type.
    fn list_of(&mut self, kind: u8, most: u64) -> Result<u64, Unbelievable> {
        let (found, length) = self.list()?;
        if found != kind && length > 0 {
            return Err(ODD);
        }
        if length > most {
            return Err(MANY);
        }
        Ok(length)
    }

    /// Gives number and type of each field of a structure; who is given one walks over its value.
    fn structure(
        &mut self,
        field: &mut dyn FnMut(&mut Self, i16, u8) -> Result<(), Unbelievable>,
    ) -> Result<(), Unbelievable> {
        let mut id = 0_i16;
        loop {
            let head = self.byte()?;
            let kind = head & 15;
            if kind == 0 {
                return Ok(());
            }
            id = match head >> 4 {
                0 => i16::try_from(self.int()?).map_err(|_| ODD)?,
                more => id.checked_add(i16::from(more)).ok_or(ODD)?,
            };
            field(self, id, kind)?;
        }
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Result<(), Unbelievable> {
        let deeper = depth.checked_sub(1).ok_or(DEEP)?;
        match kind {
            // A field's truth lies in its type.
            TRUE | FALSE => Ok(()),
            BYTE => self.advance(1),
            I16 | I32 | I64 => self.unsigned().map(drop),
            DOUBLE => self.advance(8),
            BINARY => {
                let length = self.unsigned()?;
                self.advance(length)
            }
            LIST | SET => {
                let (kind, length) = self.list()?;
                (0..length).try_for_each(|_| self.skip_element(kind, deeper))
            }
            MAP => {
                let length = self.unsigned()?;
                if length == 0 {
                    return Ok(());
                }
                let kinds = self.byte()?;
                (0..length).try_for_each(|_| {
                    self.skip_element(kinds >> 4, deeper)?;
                    self.skip_element(kinds & 15, deeper)
                })
            }
            STRUCT => self.structure(&mut |walker, _, kind| walker.skip(kind, deeper)),
            _ => Err(ODD),
        }
    }

    /// In lists a truth has a byte of its own.
    fn skip_element(&mut self, kind: u8, depth: usize) -> Result<(), Unbelievable> {
        if matches!(kind, TRUE | FALSE) { self.advance(1) } else { self.skip(kind, depth) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A number as Thrift's compact protocol has it.
    pub(in super::super) fn varint(mut value: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    }

    /// A field of 32 bits, so many numbers after the one before it.
    fn int(after: u8, value: i32) -> Vec<u8> {
        let mut bytes = vec![after << 4 | I32];
        bytes.extend(varint(u64::from(((value << 1) ^ (value >> 31)).cast_unsigned())));
        bytes
    }

    fn list(after: u8, elements: u64) -> Vec<u8> {
        let mut bytes = vec![after << 4 | LIST, 0xf0 | STRUCT];
        bytes.extend(varint(elements));
        bytes
    }

    /// A footer of parts with these numbers of children, and no groups.
    pub(in super::super) fn footer(children: &[i32]) -> Vec<u8> {
        let mut bytes = int(1, 1);
        bytes.extend(list(1, children.len() as u64));
        for of in children {
            // Repetition, name, children.
            bytes.extend([int(3, 0), vec![1 << 4 | BINARY, 1, b'a'], int(1, *of), vec![0]].concat());
        }
        bytes.extend([vec![1 << 4 | I64, 0], list(1, 0), vec![0]].concat());
        bytes
    }

    #[test]
    fn what_is_announced_has_to_be_there() {
        assert_eq!(check_footer(&footer(&[2, 0, 1, 0])), Ok(()));
        assert_eq!(check_footer(&footer(&[i32::MAX])), Err(MANY));
        assert_eq!(check_footer(&footer(&[-1])), Err(MANY));
        assert_eq!(check_footer(&footer(&[2, 0])), Err(ODD));
        assert_eq!(check_footer(&footer(&[1, 0, 0])), Err(ODD));
        assert_eq!(check_footer(&footer(&[1; 500])), Err(DEEP));
        for announced in [u64::MAX, 2000] {
            let many = [int(1, 1), list(1, announced)].concat();
            assert_eq!(check_footer(&many), Err(MANY));
        }
        let whole = footer(&[2, 0, 0]);
        for length in 0..whole.len() {
            assert!(check_footer(&whole[..length]).is_err(), "{length}");
        }
        // Lists in lists, as deep as they go.
        let deep = [vec![7 << 4 | LIST], vec![1 << 4 | LIST; 100_000]].concat();
        assert_eq!(check_footer(&deep), Err(DEEP));
        let endless = [vec![7 << 4 | MAP], varint(u64::MAX), vec![0x11]].concat();
        assert_eq!(check_footer(&endless), Err(CUT));
    }

    #[test]
    fn heads_of_pages_are_read() {
        let data = [int(1, 0), int(1, 400), int(1, 70), vec![2 << 4 | STRUCT], int(1, 100), int(1, 8), vec![0, 0, 9]];
        let expected =
            PageHead { unpacked: 400, packed: 70, values: 100, encoding: 8, length: 16, ..PageHead::default() };
        assert_eq!(page_head(&data.concat()), Ok(expected));
        let second = [
            int(1, 3),
            int(1, 9),
            int(1, 9),
            vec![5 << 4 | STRUCT],
            int(1, 5),
            int(3, 8),
            int(1, 4),
            int(1, 3),
            vec![0, 0],
        ];
        let head = page_head(&second.concat()).unwrap();
        assert_eq!((head.kind, head.values, head.encoding, head.level_bytes), (DATA_PAGE_V2, 5, 8, 7));
        let whole = data.concat();
        for length in 0..whole.len() - 1 {
            assert_eq!(page_head(&whole[..length]), Err(CUT), "{length}");
        }
    }
}
