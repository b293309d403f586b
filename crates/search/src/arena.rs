//! The store of nodes: numbered slots in chunks that never move, each behind its own lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use honinbo_rules::Color;
use parking_lot::{Mutex, MutexGuard};

use crate::node::NodeState;

/// Number of a node in its [`Arena`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// Position among all slots ever used, below [`Arena::slots`].
    pub(crate) fn slot(self) -> usize {
        self.0 as usize
    }
}

const CHUNK_BITS: u32 = 10;
const CHUNK: usize = 1 << CHUNK_BITS;
/// 16 million nodes, far above what memory limits allow.
const MAX_CHUNKS: usize = 1 << 14;

type Chunk = Box<[Mutex<NodeState>]>;

/// Nodes by number. Adding and reading need no exclusive access; freeing is for the time between searches.
#[derive(Debug)]
pub(crate) struct Arena {
    chunks: Box<[OnceLock<Chunk>]>,
    used: AtomicUsize,
    live: AtomicUsize,
    free: Mutex<Vec<NodeId>>,
}

impl Arena {
    pub(crate) fn new() -> Self {
        Self {
            chunks: (0..MAX_CHUNKS).map(|_| OnceLock::new()).collect(),
            used: AtomicUsize::new(0),
            live: AtomicUsize::new(0),
            free: Mutex::new(Vec::new()),
        }
    }

    /// Slots ever used, live or free.
    pub(crate) fn slots(&self) -> usize {
        self.used.load(Ordering::Acquire)
    }

    /// Live nodes.
    pub(crate) fn len(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    /// Stores a node; `None` once all slots are taken.
    pub(crate) fn insert(&self, state: NodeState) -> Option<NodeId> {
        let recycled = self.free.lock().pop();
        let id = match recycled {
            Some(id) => id,
            None => {
                let slot = self.used.fetch_add(1, Ordering::AcqRel);
                if slot >= MAX_CHUNKS * CHUNK {
                    self.used.store(MAX_CHUNKS * CHUNK, Ordering::Release);
                    return None;
                }
                NodeId(slot as u32)
            }
        };
        *self.lock(id) = state;
        self.live.fetch_add(1, Ordering::Relaxed);
        Some(id)
    }

    /// Locks one node.
    pub(crate) fn lock(&self, id: NodeId) -> MutexGuard<'_, NodeState> {
        let chunk = self.chunks[id.slot() >> CHUNK_BITS]
            .get_or_init(|| (0..CHUNK).map(|_| Mutex::new(NodeState::new(Color::Black))).collect());
        chunk[id.slot() & (CHUNK - 1)].lock()
    }

    /// Takes a node out; its slot will be used again. Nothing may point to it any more.
    pub(crate) fn remove(&mut self, id: NodeId) -> NodeState {
        let state = std::mem::replace(&mut *self.lock(id), NodeState::new(Color::Black));
        self.free.get_mut().push(id);
        self.live.fetch_sub(1, Ordering::Relaxed);
        state
    }

    /// Which slots are free.
    pub(crate) fn free_slots(&mut self) -> &[NodeId] {
        self.free.get_mut()
    }

    /// Number of the node in a slot.
    pub(crate) fn id_of_slot(slot: usize) -> NodeId {
        NodeId(slot as u32)
    }
}
