//! The pairs of least total cost: a perfect matching of a general graph.
//!
//! Edmonds' primal-dual algorithm in O(n³), as Galil describes it in "Efficient algorithms for finding maximum matching in
//! graphs", Computing Surveys 18 (1986): vertices have labels, alternating trees grow along tight edges, odd cycles shrink
//! to blossoms, labels change by the smallest slack.

use std::collections::VecDeque;

/// Largest cost of an edge. Sums over a matching and doubled labels stay far below what fits.
pub(super) const MAX_COST: i128 = 1 << 100;

/// An edge between two vertices, numbered from 1; 0 is none.
#[derive(Debug, Clone, Copy, Default)]
struct Edge {
    from: usize,
    to: usize,
    /// 0 is no edge.
    weight: i128,
}

/// How a vertex or blossom stands in the trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    Outer,
    Inner,
}

/// Pairs all vertices of a graph so that the costs of the pairs add up to as little as possible. `cost(a, b)`, with
/// `a < b`, is between 0 and [`MAX_COST`], or `None` where the two may not be paired. Answers the partner of each vertex;
/// `None` where not all can be paired.
pub(super) fn cheapest_pairs(count: usize, cost: impl Fn(usize, usize) -> Option<i128>) -> Option<Vec<usize>> {
    if !count.is_multiple_of(2) {
        return None;
    }
    let mut graph = Graph::new(count);
    for a in 0..count {
        for b in a + 1..count {
            if let Some(cost) = cost(a, b) {
                // The heaviest matching is a perfect one where there is one, since one edge more outweighs all costs.
                let weight = (count as i128 + 1) * MAX_COST - cost.clamp(0, MAX_COST);
                graph.edges[a + 1][b + 1] = Edge { from: a + 1, to: b + 1, weight };
                graph.edges[b + 1][a + 1] = Edge { from: b + 1, to: a + 1, weight };
            }
        }
    }
    graph.solve();
    let partner = |vertex: usize| graph.mate[vertex].checked_sub(1);
    (1..=count).map(partner).collect()
}

/// Vertices have the numbers from 1 to `vertices`, blossoms those above.
struct Graph {
    vertices: usize,
    /// The largest number in use.
    nodes: usize,
    edges: Vec<Vec<Edge>>,
    /// Dual variables: of vertices doubled labels, of blossoms what they add.
    dual: Vec<i128>,
    /// The vertex at the other end of the matched edge.
    mate: Vec<usize>,
    /// The vertex with the tightest edge to a node.
    slack: Vec<usize>,
    /// The outermost blossom that a node is in.
    top: Vec<usize>,
    parent: Vec<usize>,
    /// Which part of a blossom holds a vertex.
    part: Vec<Vec<usize>>,
    label: Vec<Label>,
    visited: Vec<u64>,
    visit: u64,
    /// The nodes around a blossom, its base first.
    ring: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
}

impl Graph {
    fn new(vertices: usize) -> Self {
        let size = 2 * vertices + 2;
        let mut edges = vec![vec![Edge::default(); size]; size];
        for (from, row) in edges.iter_mut().enumerate() {
            for (to, edge) in row.iter_mut().enumerate() {
                *edge = Edge { from, to, weight: 0 };
            }
        }
        Self {
            vertices,
            nodes: vertices,
            edges,
            dual: vec![0; size],
            mate: vec![0; size],
            slack: vec![0; size],
            top: vec![0; size],
            parent: vec![0; size],
            part: vec![vec![0; vertices + 1]; size],
            label: vec![Label::Free; size],
            visited: vec![0; size],
            visit: 0,
            ring: vec![Vec::new(); size],
            queue: VecDeque::new(),
        }
    }

    fn solve(&mut self) {
        let mut heaviest = 0;
        for from in 1..=self.vertices {
            self.top[from] = from;
            self.part[from][from] = from;
            heaviest = self.edges[from][1..=self.vertices].iter().fold(heaviest, |most, edge| most.max(edge.weight));
        }
        self.dual[1..=self.vertices].fill(heaviest);
        while self.grow() {}
    }

    fn slack_of(&self, edge: Edge) -> i128 {
        self.dual[edge.from] + self.dual[edge.to] - 2 * self.edges[edge.from][edge.to].weight
    }

    fn offer_slack(&mut self, vertex: usize, node: usize) {
        let known = self.slack[node];
        if known == 0 || self.slack_of(self.edges[vertex][node]) < self.slack_of(self.edges[known][node]) {
            self.slack[node] = vertex;
        }
    }

    fn find_slack(&mut self, node: usize) {
        self.slack[node] = 0;
        for vertex in 1..=self.vertices {
            let is_outer = self.label[self.top[vertex]] == Label::Outer;
            if self.edges[vertex][node].weight > 0 && self.top[vertex] != node && is_outer {
                self.offer_slack(vertex, node);
            }
        }
    }

    /// The vertices inside a node are to be looked at.
    fn enqueue(&mut self, node: usize) {
        if node <= self.vertices {
            self.queue.push_back(node);
            return;
        }
        for inner in self.ring[node].clone() {
            self.enqueue(inner);
        }
    }

    fn set_top(&mut self, node: usize, top: usize) {
        self.top[node] = top;
        if node > self.vertices {
            for inner in self.ring[node].clone() {
                self.set_top(inner, top);
            }
        }
    }

    /// The place of a part in its blossom, which is turned round so that the way to the base has an even length.
    fn even_place(&mut self, blossom: usize, part: usize) -> usize {
        let ring = &mut self.ring[blossom];
        let place = ring.iter().position(|&node| node == part).unwrap_or_default();
        if place % 2 == 1 {
            ring[1..].reverse();
            return ring.len() - place;
        }
        place
    }

    fn set_mate(&mut self, node: usize, other: usize) {
        let edge = self.edges[node][other];
        self.mate[node] = edge.to;
        if node > self.vertices {
            let part = self.part[node][edge.from];
            let place = self.even_place(node, part);
            for nth in 0..place {
                let (inner, next) = (self.ring[node][nth], self.ring[node][nth ^ 1]);
                self.set_mate(inner, next);
            }
            self.set_mate(part, other);
            self.ring[node].rotate_left(place);
        }
    }

    fn augment(&mut self, mut node: usize, mut other: usize) {
        loop {
            let next = self.top[self.mate[node]];
            self.set_mate(node, other);
            if next == 0 {
                return;
            }
            let above = self.top[self.parent[next]];
            self.set_mate(next, above);
            (node, other) = (above, next);
        }
    }

    /// Where two ways to the roots meet; 0 where they do not.
    fn meeting(&mut self, mut one: usize, mut other: usize) -> usize {
        self.visit += 1;
        while one != 0 || other != 0 {
            if one != 0 {
                if self.visited[one] == self.visit {
                    return one;
                }
                self.visited[one] = self.visit;
                one = self.top[self.mate[one]];
                if one != 0 {
                    one = self.top[self.parent[one]];
                }
            }
            std::mem::swap(&mut one, &mut other);
        }
        0
    }

    fn shrink(&mut self, one: usize, base: usize, other: usize) {
        let free = (self.vertices + 1..=self.nodes).find(|&node| self.top[node] == 0);
        let blossom = free.unwrap_or(self.nodes + 1);
        self.nodes = self.nodes.max(blossom);
        self.dual[blossom] = 0;
        self.label[blossom] = Label::Outer;
        self.mate[blossom] = self.mate[base];
        let mut ring = vec![base];
        for (nth, start) in [one, other].into_iter().enumerate() {
            let mut node = start;
            while node != base {
                let inner = self.top[self.mate[node]];
                ring.extend([node, inner]);
                self.enqueue(inner);
                node = self.top[self.parent[inner]];
            }
            if nth == 0 {
                ring[1..].reverse();
            }
        }
        self.ring[blossom].clone_from(&ring);
        self.set_top(blossom, blossom);
        for node in 1..=self.nodes {
            self.edges[blossom][node].weight = 0;
            self.edges[node][blossom].weight = 0;
        }
        self.part[blossom].fill(0);
        for inner in ring {
            for node in 1..=self.nodes {
                let (new, known) = (self.edges[inner][node], self.edges[blossom][node]);
                if known.weight == 0 || self.slack_of(new) < self.slack_of(known) {
                    self.edges[blossom][node] = new;
                    self.edges[node][blossom] = self.edges[node][inner];
                }
            }
            for vertex in 1..=self.vertices {
                if self.part[inner][vertex] != 0 {
                    self.part[blossom][vertex] = inner;
                }
            }
        }
        self.find_slack(blossom);
    }

    fn expand(&mut self, blossom: usize) {
        for inner in self.ring[blossom].clone() {
            self.set_top(inner, inner);
        }
        let entry = self.part[blossom][self.edges[blossom][self.parent[blossom]].from];
        let place = self.even_place(blossom, entry);
        let ring = self.ring[blossom].clone();
        for pair in ring[..place].chunks_exact(2) {
            let (inner, outer) = (pair[0], pair[1]);
            self.parent[inner] = self.edges[outer][inner].from;
            self.label[inner] = Label::Inner;
            self.label[outer] = Label::Outer;
            self.slack[inner] = 0;
            self.find_slack(outer);
            self.enqueue(outer);
        }
        self.label[entry] = Label::Inner;
        self.parent[entry] = self.parent[blossom];
        for &rest in &ring[place + 1..] {
            self.label[rest] = Label::Free;
            self.find_slack(rest);
        }
        self.top[blossom] = 0;
    }

    /// Follows a tight edge; true where that made the matching larger.
    fn follow(&mut self, edge: Edge) -> bool {
        let (from, to) = (self.top[edge.from], self.top[edge.to]);
        match self.label[to] {
            Label::Free => {
                self.parent[to] = edge.from;
                self.label[to] = Label::Inner;
                let next = self.top[self.mate[to]];
                self.slack[to] = 0;
                self.slack[next] = 0;
                self.label[next] = Label::Outer;
                self.enqueue(next);
                false
            }
            Label::Outer => {
                let base = self.meeting(from, to);
                if base == 0 {
                    self.augment(from, to);
                    self.augment(to, from);
                    return true;
                }
                self.shrink(from, base, to);
                false
            }
            Label::Inner => false,
        }
    }

    fn tops(&self, from: usize) -> Vec<usize> {
        (from..=self.nodes).filter(|&node| self.top[node] == node).collect()
    }

    /// Grows trees from every unmatched node until the matching is larger by one; false when it cannot be.
    fn grow(&mut self) -> bool {
        self.label[..=self.nodes].fill(Label::Free);
        self.slack[..=self.nodes].fill(0);
        self.queue.clear();
        for node in self.tops(1) {
            if self.mate[node] == 0 {
                self.parent[node] = 0;
                self.label[node] = Label::Outer;
                self.enqueue(node);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            while let Some(vertex) = self.queue.pop_front() {
                if self.label[self.top[vertex]] == Label::Inner {
                    continue;
                }
                for other in 1..=self.vertices {
                    let edge = self.edges[vertex][other];
                    if edge.weight == 0 || self.top[vertex] == self.top[other] {
                        continue;
                    }
                    if self.slack_of(edge) == 0 {
                        if self.follow(edge) {
                            return true;
                        }
                    } else {
                        self.offer_slack(vertex, self.top[other]);
                    }
                }
            }
            if !self.change_duals() {
                return false;
            }
            self.queue.clear();
            for node in self.tops(1) {
                let nearest = self.slack[node];
                if nearest != 0
                    && self.top[node] == node
                    && self.top[nearest] != node
                    && self.slack_of(self.edges[nearest][node]) == 0
                    && self.follow(self.edges[nearest][node])
                {
                    return true;
                }
            }
            for blossom in self.tops(self.vertices + 1) {
                if self.label[blossom] == Label::Inner && self.dual[blossom] == 0 {
                    self.expand(blossom);
                }
            }
        }
    }

    /// Changes labels by as much as keeps every edge's slack; false where a label would fall to nothing, which is when no
    /// heavier matching exists.
    fn change_duals(&mut self) -> bool {
        let mut by = i128::MAX;
        for blossom in self.tops(self.vertices + 1) {
            if self.label[blossom] == Label::Inner {
                by = by.min(self.dual[blossom] / 2);
            }
        }
        for node in self.tops(1) {
            let nearest = self.slack[node];
            if nearest == 0 {
                continue;
            }
            let slack = self.slack_of(self.edges[nearest][node]);
            match self.label[node] {
                Label::Free => by = by.min(slack),
                Label::Outer => by = by.min(slack / 2),
                Label::Inner => {}
            }
        }
        let is_outer = |vertex: usize| self.label[self.top[vertex]] == Label::Outer;
        if (1..=self.vertices).any(|vertex| is_outer(vertex) && self.dual[vertex] <= by) {
            return false;
        }
        for vertex in 1..=self.vertices {
            match self.label[self.top[vertex]] {
                Label::Outer => self.dual[vertex] -= by,
                Label::Inner => self.dual[vertex] += by,
                Label::Free => {}
            }
        }
        for blossom in self.tops(self.vertices + 1) {
            match self.label[blossom] {
                Label::Outer => self.dual[blossom] += 2 * by,
                Label::Inner => self.dual[blossom] -= 2 * by,
                Label::Free => {}
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least cost of all ways to pair the vertices that are left.
    fn by_hand(left: &[usize], costs: &[Vec<Option<i128>>]) -> Option<i128> {
        let Some((&first, rest)) = left.split_first() else { return Some(0) };
        let ways = rest.iter().enumerate().filter_map(|(nth, &other)| {
            let cost = costs[first][other]?;
            let mut others = rest.to_vec();
            others.remove(nth);
            Some(cost + by_hand(&others, costs)?)
        });
        ways.min()
    }

    fn total(pairs: &[usize], costs: &[Vec<Option<i128>>]) -> i128 {
        pairs.iter().enumerate().filter(|(a, b)| a < b).map(|(a, &b)| costs[a][b].unwrap()).sum()
    }

    fn graph() -> impl Strategy<Value = Vec<Vec<Option<i128>>>> {
        // Few different costs make many ties and blossoms; some edges are missing.
        (1_usize..=4, prop_oneof![Just(3_i128), Just(1000), Just(MAX_COST)]).prop_flat_map(|(pairs, most)| {
            let edge = prop_oneof![4 => (0..=most).prop_map(Some), 1 => Just(None)];
            prop::collection::vec(prop::collection::vec(edge, 2 * pairs), 2 * pairs)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn no_other_pairs_cost_less(costs in graph()) {
            let all: Vec<usize> = (0..costs.len()).collect();
            let found = cheapest_pairs(costs.len(), |a, b| costs[a][b]);
            let expected = by_hand(&all, &costs);
            prop_assert_eq!(found.is_some(), expected.is_some());
            if let Some(pairs) = found {
                for (one, &other) in pairs.iter().enumerate() {
                    prop_assert!(one != other && pairs[other] == one);
                }
                prop_assert_eq!(total(&pairs, &costs), expected.unwrap());
            }
        }
    }

    #[test]
    fn an_odd_number_and_a_vertex_without_edges_cannot_be_paired() {
        assert_eq!(cheapest_pairs(3, |_, _| Some(1)), None);
        assert_eq!(cheapest_pairs(4, |_, b| (b != 3).then_some(1)), None);
        assert_eq!(cheapest_pairs(0, |_, _| Some(1)), Some(vec![]));
    }

    #[test]
    fn two_hundred_vertices_are_paired_as_well_as_neighbours_in_a_row_are() {
        let place = |vertex: usize| (vertex * 77 % 200) as i128;
        let pairs = cheapest_pairs(200, |a, b| Some((place(a) - place(b)).pow(2))).unwrap();
        assert!(
            pairs.iter().enumerate().all(|(a, &b)| (place(a) - place(b)).abs() == 1 && place(a) / 2 == place(b) / 2)
        );
    }
}
