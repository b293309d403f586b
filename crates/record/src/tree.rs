//! `GameTree`: the nodes of one game record, in an arena.
//!
//! Nodes, properties and values are entries of flat vectors that point into one text, which begins with the game
//! as it was read. What nobody edits is therefore written back exactly as it came: raw values, the order of
//! properties, unknown ones, white space. Nothing walks the tree recursively, however deep it is.

use std::borrow::Cow;

use crate::charset::{self, Charset};
use crate::value;

/// A node of one [`GameTree`]. It stays valid while the tree lives, also across edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: Self = Self(0);

    /// A dense number below [`GameTree::slot_count`], for tables beside the tree and for the seam to other programs.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece of the tree's text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    fn length(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }
}

pub(crate) const NONE: u32 = u32::MAX;

/// Bytes without a use below which a text is not written anew.
const MIN_DEAD_BYTES: usize = 4096;

#[derive(Debug, Clone)]
pub(crate) struct NodeData {
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    pub(crate) next_sibling: u32,
    pub(crate) previous_sibling: u32,
    pub(crate) first_property: u32,
    pub(crate) last_property: u32,
    /// Stood in its own round brackets.
    pub(crate) bracketed: bool,
    /// Cut off by [`GameTree::detach`].
    pub(crate) detached: bool,
    /// Written with a semicolon; false only for a node whose semicolon was missing.
    pub(crate) before_open: Span,
    pub(crate) before: Span,
    pub(crate) before_close: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct PropertyData {
    pub(crate) next: u32,
    pub(crate) first_value: u32,
    pub(crate) n_values: u32,
    pub(crate) before: Span,
    pub(crate) ident: Span,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueData {
    pub(crate) before: Span,
    pub(crate) raw: Span,
}

/// One game record: a tree of nodes with properties.
#[derive(Debug, Clone)]
pub struct GameTree {
    pub(crate) text: String,
    pub(crate) nodes: Vec<NodeData>,
    pub(crate) properties: Vec<PropertyData>,
    pub(crate) values: Vec<ValueData>,
    pub(crate) charset: Charset,
    pub(crate) n_detached: usize,
    /// Bytes of `text` that edits have left without a use.
    dead_bytes: usize,
}

/// Where a subtree was before [`GameTree::detach`], to put it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detached {
    node: NodeId,
    previous_sibling: u32,
}

impl Detached {
    /// The top of the subtree that was cut off.
    #[must_use]
    pub fn node(self) -> NodeId {
        self.node
    }
}

/// A property of a node.
#[derive(Clone, Copy)]
pub struct Property<'t> {
    tree: &'t GameTree,
    data: &'t PropertyData,
}

impl<'t> Property<'t> {
    /// The name as the standard writes it: capital letters only, so that `Black` of old files is `B`.
    #[must_use]
    pub fn ident(&self) -> Cow<'t, str> {
        canonical_ident(self.raw_ident())
    }

    /// The name as the file has it.
    #[must_use]
    pub fn raw_ident(&self) -> &'t str {
        self.tree.slice(self.data.ident)
    }

    /// The values as they stand between the brackets, escapes included.
    pub fn raw_values(&self) -> impl ExactSizeIterator<Item = &'t str> + use<'t> {
        let tree = self.tree;
        tree.value_range(self.data).iter().map(move |value| tree.slice(value.raw))
    }

    /// The values as plain text.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = Cow<'t, str>> + use<'t> {
        self.raw_values().map(value::unescape)
    }
}

impl GameTree {
    /// A tree with an empty root.
    #[must_use]
    pub fn new() -> Self {
        let mut tree = Self::empty();
        tree.push_node(None, Span::default());
        tree.nodes[0].bracketed = true;
        tree
    }

    pub(crate) fn empty() -> Self {
        Self {
            text: String::new(),
            nodes: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
            charset: Charset::UTF_8,
            n_detached: 0,
            dead_bytes: 0,
        }
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// Number of nodes that hang in the tree, from an exact count of the detached ones.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len() - self.n_detached
    }

    /// Number of nodes ever made: every [`NodeId::index`] is below it.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.nodes.len()
    }

    /// The node with this index, if it hangs in the tree.
    #[must_use]
    pub fn node(&self, index: usize) -> Option<NodeId> {
        let id = NodeId(u32::try_from(index).ok()?);
        self.nodes.get(index)?;
        self.is_attached(id).then_some(id)
    }

    /// True unless the node or an ancestor was detached. Cost: the depth of the node.
    #[must_use]
    pub fn is_attached(&self, id: NodeId) -> bool {
        if self.n_detached == 0 {
            return true;
        }
        let mut at = id.0;
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.detached {
                return false;
            }
            at = node.parent;
        }
        true
    }

    /// The character set the record came in, and is written in by [`GameTree::to_bytes`].
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// The node before this one.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id.index()].parent)
    }

    /// The main continuation.
    #[must_use]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id.index()].first_child)
    }

    /// The next variation of the same move.
    #[must_use]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id.index()].next_sibling)
    }

    /// The variation before this one.
    #[must_use]
    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id.index()].previous_sibling)
    }

    /// The continuations, main one first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |&child| self.next_sibling(child))
    }

    /// This node and its first children to the end of the line.
    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |&node| self.first_child(node))
    }

    /// The nodes from the root to this one, both included.
    #[must_use]
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&node| self.parent(node)).collect();
        path.reverse();
        path
    }

    /// This node and everything below it, each node before its children, in the order of the file.
    pub fn subtree(&self, top: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = Some(top);
        std::iter::from_fn(move || {
            let current = next?;
            next = self.first_child(current).or_else(|| {
                let mut at = current;
                while at != top {
                    if let Some(sibling) = self.next_sibling(at) {
                        return Some(sibling);
                    }
                    at = self.parent(at)?;
                }
                None
            });
            Some(current)
        })
    }

    /// The properties of a node in their order.
    pub fn properties(&self, id: NodeId) -> impl Iterator<Item = Property<'_>> {
        let mut next = self.nodes[id.index()].first_property;
        std::iter::from_fn(move || {
            let data = self.properties.get(next as usize)?;
            next = data.next;
            Some(Property { tree: self, data })
        })
    }

    /// The first property of this name.
    #[must_use]
    pub fn property(&self, id: NodeId, ident: &str) -> Option<Property<'_>> {
        self.properties(id).find(|property| ident_matches(property.raw_ident(), ident))
    }

    /// The first value of a property, escapes included.
    #[must_use]
    pub fn raw_value(&self, id: NodeId, ident: &str) -> Option<&str> {
        self.property(id, ident)?.raw_values().next()
    }

    /// The first value of a property as plain text.
    #[must_use]
    pub fn text_value(&self, id: NodeId, ident: &str) -> Option<Cow<'_, str>> {
        self.raw_value(id, ident).map(value::unescape)
    }

    pub(crate) fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    pub(crate) fn value_range(&self, data: &PropertyData) -> &[ValueData] {
        &self.values[data.first_value as usize..(data.first_value + data.n_values) as usize]
    }

    /// Adds a node as the last child; `None` only for the root.
    pub(crate) fn push_node(&mut self, parent: Option<NodeId>, before: Span) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("readers and edits stop long before 2^32 nodes");
        self.nodes.push(NodeData {
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            previous_sibling: NONE,
            first_property: NONE,
            last_property: NONE,
            bracketed: false,
            detached: false,
            before_open: Span::default(),
            before,
            before_close: Span::default(),
        });
        if let Some(parent) = parent {
            self.link(id, parent.0, self.nodes[parent.index()].last_child);
        }
        NodeId(id)
    }

    /// Hangs a node below `parent`, behind `previous` (or first).
    fn link(&mut self, id: u32, parent: u32, previous: u32) {
        let next = if previous == NONE {
            std::mem::replace(&mut self.nodes[parent as usize].first_child, id)
        } else {
            std::mem::replace(&mut self.nodes[previous as usize].next_sibling, id)
        };
        if next == NONE {
            self.nodes[parent as usize].last_child = id;
        } else {
            self.nodes[next as usize].previous_sibling = id;
        }
        let node = &mut self.nodes[id as usize];
        (node.parent, node.previous_sibling, node.next_sibling) = (parent, previous, next);
    }

    fn unlink(&mut self, id: u32) {
        let (parent, previous, next) = {
            let node = &self.nodes[id as usize];
            (node.parent, node.previous_sibling, node.next_sibling)
        };
        if previous == NONE {
            self.nodes[parent as usize].first_child = next;
        } else {
            self.nodes[previous as usize].next_sibling = next;
        }
        if next == NONE {
            self.nodes[parent as usize].last_child = previous;
        } else {
            self.nodes[next as usize].previous_sibling = previous;
        }
    }

    // ---- Edits ----

    /// Adds an empty node as the last continuation of `parent`.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        self.push_node(Some(parent), Span::default())
    }

    /// Cuts a node and everything below it out of the tree; `None` for the root and for what is already cut.
    ///
    /// Nothing is destroyed: [`GameTree::reattach`] puts it back where it was.
    pub fn detach(&mut self, id: NodeId) -> Option<Detached> {
        if id == NodeId::ROOT || self.nodes[id.index()].detached {
            return None;
        }
        let size = self.subtree(id).count();
        let previous_sibling = self.nodes[id.index()].previous_sibling;
        self.unlink(id.0);
        self.nodes[id.index()].detached = true;
        self.n_detached += size;
        Some(Detached { node: id, previous_sibling })
    }

    /// Puts a subtree back that [`GameTree::detach`] cut off. Does nothing when it is already there.
    pub fn reattach(&mut self, detached: Detached) {
        let id = detached.node;
        if !self.nodes[id.index()].detached {
            return;
        }
        let parent = self.nodes[id.index()].parent;
        // The former neighbour may have been cut off or moved since: then the end of the list is the safe place.
        let previous = match detached.previous_sibling {
            NONE => NONE,
            at if self.nodes[at as usize].parent == parent && !self.nodes[at as usize].detached => at,
            _ => self.nodes[parent as usize].last_child,
        };
        self.nodes[id.index()].detached = false;
        self.link(id.0, parent, previous);
        let size = self.subtree(id).count();
        self.n_detached -= size;
    }

    /// Moves a variation before the one in front of it; false when it already is the first.
    pub fn move_up(&mut self, id: NodeId) -> bool {
        let previous = self.nodes[id.index()].previous_sibling;
        if id == NodeId::ROOT || previous == NONE {
            return false;
        }
        let before = self.nodes[previous as usize].previous_sibling;
        let parent = self.nodes[id.index()].parent;
        self.unlink(id.0);
        self.link(id.0, parent, before);
        true
    }

    /// Moves a variation behind the next one; false when it already is the last.
    pub fn move_down(&mut self, id: NodeId) -> bool {
        match self.next_sibling(id) {
            Some(next) => self.move_up(next),
            None => false,
        }
    }

    /// Makes the line through this node the main line: it and its ancestors become first children.
    pub fn promote_to_main_line(&mut self, id: NodeId) {
        for node in self.path(id).into_iter().skip(1) {
            let parent = self.nodes[node.index()].parent;
            self.unlink(node.0);
            self.link(node.0, parent, NONE);
        }
    }

    /// Sets a property to values that are already escaped; in place when it exists, else at the end of the node.
    /// Further properties of the same name are removed. No values at all removes the property.
    pub fn set_raw<S: AsRef<str>>(&mut self, id: NodeId, ident: &str, raw_values: impl IntoIterator<Item = S>) {
        let raw_values: Vec<S> = raw_values.into_iter().collect();
        if raw_values.is_empty() {
            self.remove_property(id, ident);
            return;
        }
        if self.says(id, ident, &raw_values) {
            return;
        }
        let first_value = u32_len(self.values.len());
        for raw in raw_values {
            let raw = self.append_text(raw.as_ref());
            self.values.push(ValueData { before: Span::default(), raw });
        }
        let n_values = u32_len(self.values.len()) - first_value;
        if let Some(at) = self.find_property(id, ident) {
            self.dead_bytes += self.bytes_of_values(at);
            let data = &mut self.properties[at as usize];
            (data.first_value, data.n_values) = (first_value, n_values);
            self.remove_after(id, at, ident);
        } else {
            let ident = self.append_text(ident);
            self.push_property(id, Span::default(), ident, first_value, n_values);
        }
        self.compact_if_mostly_dead();
    }

    /// Whether a node has one property of this name, and it these values.
    fn says<S: AsRef<str>>(&self, id: NodeId, ident: &str, raw_values: &[S]) -> bool {
        let mut same = self.properties(id).filter(|property| ident_matches(property.raw_ident(), ident));
        let is_equal =
            same.next().is_some_and(|found| found.raw_values().eq(raw_values.iter().map(|raw| raw.as_ref())));
        is_equal && same.next().is_none()
    }

    /// Sets a property to one plain text, which is escaped. The private characters that stand for invalid bytes become
    /// U+FFFD: written as they are they would be read back as four invalid bytes each.
    pub fn set_text(&mut self, id: NodeId, ident: &str, text: &str) {
        self.set_raw(id, ident, [value::escape(&charset::displayable(text))]);
    }

    /// Removes every property of this name; true when there was one.
    pub fn remove_property(&mut self, id: NodeId, ident: &str) -> bool {
        let mut removed = false;
        let (mut previous, mut at) = (NONE, self.nodes[id.index()].first_property);
        while at != NONE {
            let next = self.properties[at as usize].next;
            if ident_matches(self.slice(self.properties[at as usize].ident), ident) {
                self.unlink_property(id, previous, next);
                self.dead_bytes += self.bytes_of_property(at);
                removed = true;
            } else {
                previous = at;
            }
            at = next;
        }
        self.compact_if_mostly_dead();
        removed
    }

    fn remove_after(&mut self, id: NodeId, kept: u32, ident: &str) {
        let (mut previous, mut at) = (kept, self.properties[kept as usize].next);
        while at != NONE {
            let next = self.properties[at as usize].next;
            if ident_matches(self.slice(self.properties[at as usize].ident), ident) {
                self.unlink_property(id, previous, next);
                self.dead_bytes += self.bytes_of_property(at);
            } else {
                previous = at;
            }
            at = next;
        }
    }

    fn bytes_of_values(&self, property: u32) -> usize {
        let values = self.value_range(&self.properties[property as usize]);
        values.iter().map(|value| value.before.length() + value.raw.length()).sum()
    }

    fn bytes_of_property(&self, property: u32) -> usize {
        let data = &self.properties[property as usize];
        data.before.length() + data.ident.length() + self.bytes_of_values(property)
    }

    /// Leaves out what no node refers to, cut-off ones included, once that is more than everything else: edits only
    /// append, and a comment may be set for hours.
    fn compact_if_mostly_dead(&mut self) {
        if self.dead_bytes < MIN_DEAD_BYTES || self.dead_bytes <= self.text.len().saturating_sub(self.dead_bytes) {
            return;
        }
        self.dead_bytes = 0;
        let text = std::mem::take(&mut self.text);
        let properties = std::mem::take(&mut self.properties);
        let values = std::mem::take(&mut self.values);
        let kept = &mut self.text;
        let mut keep = |span: &Span| {
            let start = u32_len(kept.len());
            kept.push_str(text.get(span.start as usize..span.end as usize).unwrap_or_default());
            Span { start, end: u32_len(kept.len()) }
        };
        for node in &mut self.nodes {
            for span in [&mut node.before_open, &mut node.before, &mut node.before_close] {
                *span = keep(span);
            }
            let mut at = std::mem::replace(&mut node.first_property, NONE);
            node.last_property = NONE;
            while let Some(old) = properties.get(at as usize) {
                let (before, ident) = (keep(&old.before), keep(&old.ident));
                let first_value = u32_len(self.values.len());
                let old_values = old.first_value as usize..(old.first_value + old.n_values) as usize;
                for value in values.get(old_values).unwrap_or_default() {
                    let (before, raw) = (keep(&value.before), keep(&value.raw));
                    self.values.push(ValueData { before, raw });
                }
                let new = u32_len(self.properties.len());
                self.properties.push(PropertyData { next: NONE, first_value, n_values: old.n_values, before, ident });
                match self.properties.get_mut(node.last_property as usize) {
                    Some(last) => last.next = new,
                    None => node.first_property = new,
                }
                node.last_property = new;
                at = old.next;
            }
        }
    }

    fn unlink_property(&mut self, id: NodeId, previous: u32, next: u32) {
        if previous == NONE {
            self.nodes[id.index()].first_property = next;
        } else {
            self.properties[previous as usize].next = next;
        }
        if next == NONE {
            self.nodes[id.index()].last_property = previous;
        }
    }

    fn find_property(&self, id: NodeId, ident: &str) -> Option<u32> {
        let mut at = self.nodes[id.index()].first_property;
        while at != NONE {
            let data = &self.properties[at as usize];
            if ident_matches(self.slice(data.ident), ident) {
                return Some(at);
            }
            at = data.next;
        }
        None
    }

    pub(crate) fn push_property(&mut self, id: NodeId, before: Span, ident: Span, first_value: u32, n_values: u32) {
        let at = u32_len(self.properties.len());
        self.properties.push(PropertyData { next: NONE, first_value, n_values, before, ident });
        let last = std::mem::replace(&mut self.nodes[id.index()].last_property, at);
        if last == NONE {
            self.nodes[id.index()].first_property = at;
        } else {
            self.properties[last as usize].next = at;
        }
    }

    /// Puts U+FFFD for each private character that stands for an invalid byte, wherever it is.
    pub(crate) fn replace_invalid_bytes(&mut self) {
        if matches!(charset::displayable(&self.text), Cow::Borrowed(_)) {
            return;
        }
        let nodes =
            self.nodes.iter_mut().flat_map(|node| [&mut node.before_open, &mut node.before, &mut node.before_close]);
        let properties = self.properties.iter_mut().flat_map(|property| [&mut property.before, &mut property.ident]);
        let values = self.values.iter_mut().flat_map(|value| [&mut value.before, &mut value.raw]);
        for span in nodes.chain(properties).chain(values) {
            let piece = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
            if let Cow::Owned(shown) = charset::displayable(piece) {
                let start = u32_len(self.text.len());
                self.text.push_str(&shown);
                *span = Span { start, end: u32_len(self.text.len()) };
            }
        }
    }

    pub(crate) fn append_text(&mut self, text: &str) -> Span {
        let start = u32_len(self.text.len());
        self.text.push_str(text);
        Span { start, end: u32_len(self.text.len()) }
    }
}

impl Default for GameTree {
    fn default() -> Self {
        Self::new()
    }
}

/// Readers refuse inputs above 1 GiB and what edits leave behind is left out again, so 32 bits always hold.
fn u32_len(length: usize) -> u32 {
    u32::try_from(length).expect("a game record's text stays below 4 GiB")
}

fn some(index: u32) -> Option<NodeId> {
    (index != NONE).then_some(NodeId(index))
}

/// Capital letters and digits of a name; a name without capitals is taken as a whole.
pub(crate) fn canonical_ident(raw: &str) -> Cow<'_, str> {
    if raw.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_') {
        return Cow::Borrowed(raw);
    }
    if raw.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Cow::Owned(raw.chars().filter(|c| !c.is_ascii_lowercase()).collect());
    }
    Cow::Owned(raw.to_ascii_uppercase())
}

fn ident_matches(raw: &str, ident: &str) -> bool {
    raw == ident || (raw.bytes().any(|byte| byte.is_ascii_lowercase()) && canonical_ident(raw) == ident)
}

#[cfg(test)]
mod tests {
    use crate::{NodeId, read_sgf};

    #[test]
    fn a_text_does_not_grow_with_the_number_of_edits() {
        let sgf = "(;GM[1] XX[un:known\\]][two]\n\n( ;B[aa]C[x]\tN[kept])\n(;B[bb]YY[cut\noff]))";
        let mut tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
        let nodes: Vec<NodeId> = tree.subtree(tree.root()).collect();
        let cut = tree.detach(nodes[2]).unwrap();
        for edit in 0..10_000 {
            let text = format!("comment {edit} ").repeat(edit % 40);
            tree.set_comment(nodes[1], &text);
            if edit % 7 == 0 {
                tree.set_raw(nodes[0], "LB", [format!("aa:{edit}"), "bb:2".to_owned()]);
                tree.remove_property(nodes[0], "LB");
            }
            let live = tree.to_sgf().len();
            assert!(tree.text.len() < 3 * live + 2 * super::MIN_DEAD_BYTES, "{edit}: {} of {live}", tree.text.len());
            assert!(tree.values.len() + tree.properties.len() < 2000, "{edit}");
        }
        tree.set_comment(nodes[1], "x");
        tree.reattach(cut);
        // The property whose text became empty on the way has come back at the end of its node.
        assert_eq!(tree.to_sgf(), sgf.replace("C[x]\tN[kept]", "\tN[kept]C[x]"));
    }

    #[test]
    fn what_is_said_already_is_not_written_again() {
        let mut tree = read_sgf(b"(;SZ[9]C [same]\nC[again])").games.remove(0).tree;
        let (root, length) = (tree.root(), tree.text.len());
        tree.set_text(root, "SZ", "9");
        assert_eq!(tree.text.len(), length);
        // One of two is not all that there is.
        tree.set_comment(root, "same");
        assert_eq!(tree.to_sgf(), "(;SZ[9]C[same])");
    }
}
