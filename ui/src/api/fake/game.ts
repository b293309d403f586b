import type {
  ApiError, BoardTopology, GameInfo, GameUpdate, GameView, LinkView, MarkShape, MarkView, NewGame, PositionView, RecordDiagnostic, Side, Step, TreeView,
} from '../bindings'
import { emptyPosition, mayBePlaced, placed, type FakePosition } from './position'
import { readSgf, sgfCoordinates, sgfPoint, type SgfNode } from './sgf'

interface Node {
  id: number
  parent: number
  children: number[]
  lastVisited: number
  /** A point, -1 a pass, -2 no move. */
  move: number
  color: number
  comment: string
  marks: MarkView[]
  links: LinkView[]
  setup: [point: number, color: number][]
  /** Who is to move from here on, where the record says so: 1 black, -1 white, 0 as it follows. */
  turn: number
}

const HANDICAP_ORDER = [[3, 15], [15, 3], [15, 15], [3, 3], [9, 9], [3, 9], [15, 9], [9, 3], [9, 15]] as const
const MARKS: Record<string, MarkShape> = { TR: 'triangle', SQ: 'square', CR: 'circle', MA: 'cross', LB: 'label', SL: 'selected', DD: 'dimmed', TB: 'territoryBlack', TW: 'territoryWhite' }

export class Refused extends Error {
  constructor(readonly error: ApiError) { super(error.kind) }
}

/** An open game of the back end in memory. */
export class FakeGame {
  nodes = new Map<number, Node>()
  current = 0
  revision = 1
  modified = false
  recordId: string | null = null
  fileName: string | null = null
  diagnostics: RecordDiagnostic[] = []
  topology: BoardTopology = 'plane'
  private nextId = 1
  private positions = new Map<number, FakePosition>()
  private past: { nodes: Map<number, Node>, current: number }[] = []
  private future: { nodes: Map<number, Node>, current: number }[] = []

  constructor(readonly gameId: string, readonly width: number, readonly height: number, public info: GameInfo) {
    this.nodes.set(0, { id: 0, parent: 0, children: [], lastVisited: -1, move: -2, color: 0, comment: '', marks: [], links: [], setup: [], turn: 0 })
  }

  static fresh(gameId: string, asked: NewGame): FakeGame {
    const game = new FakeGame(gameId, asked.width, asked.height, {
      black: asked.black, blackRank: '', white: asked.white, whiteRank: '', title: '', event: '', place: '', date: '', result: '',
      rules: asked.rules, komi: asked.komi, handicap: asked.handicap,
    })
    game.topology = asked.topology ?? 'plane'
    for (const [x, y] of HANDICAP_ORDER.slice(0, asked.handicap)) {
      const scale = (value: number, side: number): number => Math.round(value / 18 * (side - 1))
      game.node(0).setup.push([scale(y, asked.height) * asked.width + scale(x, asked.width), 1])
    }
    return game
  }

  static fromSgf(gameId: string, text: string, name: string): FakeGame {
    const { root, problems } = readSgf(text)
    const value = (key: string): string => root.properties.get(key)?.[0] ?? ''
    const [width = 19, height = width] = (value('SZ') || '19').split(':').map(Number)
    const game = new FakeGame(gameId, width, height, {
      black: value('PB'), blackRank: value('BR'), white: value('PW'), whiteRank: value('WR'), title: value('GN'), event: value('EV'),
      place: value('PC'), date: value('DT'), result: value('RE'), rules: value('RU').toLowerCase() || 'chinese',
      komi: Number(value('KM')) || 0, handicap: Number(value('HA')) || 0,
    })
    game.fileName = name || null
    game.diagnostics = problems.map(problem => ({ ...problem, serious: true }))
    const waiting: [SgfNode, number][] = [[root, -1]]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [from, parent] = next
      const id = parent < 0 ? 0 : game.read(from, parent)
      if (parent < 0) game.decorate(game.node(0), from)
      for (const child of [...from.children].reverse()) waiting.push([child, id])
    }
    return game
  }

  private read(from: SgfNode, parent: number): number {
    const color = from.properties.has('B') ? 1 : from.properties.has('W') ? -1 : 0
    const text = from.properties.get(color === 1 ? 'B' : 'W')?.[0] ?? ''
    const node = this.append(parent, color === 0 ? -2 : sgfPoint(text, this.width, this.height), color)
    this.decorate(node, from)
    return node.id
  }

  private decorate(node: Node, from: SgfNode): void {
    node.comment = from.properties.get('C')?.[0] ?? ''
    for (const [key, color] of [['AB', 1], ['AW', -1], ['AE', 0]] as const) {
      for (const text of from.properties.get(key) ?? []) node.setup.push([sgfPoint(text, this.width, this.height), color])
    }
    for (const [key, arrow] of [['LN', false], ['AR', true]] as const) {
      for (const text of from.properties.get(key) ?? []) {
        const [start = '', end = ''] = text.split(':')
        node.links.push({ from: sgfPoint(start, this.width, this.height), to: sgfPoint(end, this.width, this.height), arrow })
      }
    }
    node.turn = { B: 1, W: -1 }[from.properties.get('PL')?.[0] ?? ''] ?? 0
    for (const [key, shape] of Object.entries(MARKS)) {
      for (const text of from.properties.get(key) ?? []) {
        node.marks.push({ point: sgfPoint(text, this.width, this.height), shape, label: shape === 'label' ? text.slice(3) : '' })
      }
    }
  }

  private append(parent: number, move: number, color: number): Node {
    const node: Node = { id: this.nextId++, parent, children: [], lastVisited: -1, move, color, comment: '', marks: [], links: [], setup: [], turn: 0 }
    this.nodes.set(node.id, node)
    this.node(parent).children.push(node.id)
    return node
  }

  node(id: number): Node {
    const node = this.nodes.get(id)
    if (!node) throw new Refused({ kind: 'notFound', message: `there is no node ${id} in this game` })
    return node
  }

  private position(id: number): FakePosition {
    const known = this.positions.get(id)
    if (known) return known
    // From the nearest known ancestor on, without recursion: games may be long.
    const path: Node[] = []
    let node = this.node(id)
    let start: FakePosition | undefined
    while (!start) {
      path.push(node)
      if (node.id === 0) break
      node = this.node(node.parent)
      start = this.positions.get(node.id)
    }
    let position: FakePosition = start ?? emptyPosition(this.width * this.height)
    let number = this.moveNumber(path.at(-1)?.id ?? 0)
    for (const step of path.reverse()) {
      if (step.setup.length > 0) {
        position = { ...position, stones: position.stones.slice() }
        for (const [point, color] of step.setup) position.stones[point] = color
      }
      if (step.color !== 0) {
        if (step.id !== path[0]?.id) number++
        const after: FakePosition | string = step.move >= 0 ? placed(position, step.move, step.color, number, this.width, this.height) : { ...position, ko: null }
        if (typeof after !== 'string') position = after
      }
      if (this.positions.size > 4000) this.positions.clear()
      this.positions.set(step.id, position)
    }
    return position
  }

  private moveNumber(id: number): number {
    let count = 0
    for (let node = this.node(id); ; node = this.node(node.parent)) {
      if (node.color !== 0) count++
      if (node.id === 0) return count
    }
  }

  private toMove(id: number): number {
    for (let node = this.node(id); ; node = this.node(node.parent)) {
      if (node.turn !== 0) return node.turn
      if (node.color !== 0) return -node.color
      if (node.id === 0) return this.info.handicap > 1 ? -1 : 1
    }
  }

  private select(id: number): void {
    this.current = id
    for (let node = this.node(id); node.id !== 0; node = this.node(node.parent)) this.node(node.parent).lastVisited = node.id
  }

  private remember(): void {
    const copy = new Map([...this.nodes].map(([id, node]) => [id, { ...node, children: [...node.children], marks: [...node.marks], links: [...node.links], setup: [...node.setup] }]))
    this.past.push({ nodes: copy, current: this.current })
    if (this.past.length > 50) this.past.shift()
    this.future = []
    this.modified = true
  }

  play(vertex: number | null): GameUpdate {
    const color = this.toMove(this.current)
    const move = vertex ?? -1
    const known = this.node(this.current).children.find(id => this.node(id).move === move && this.node(id).color === color)
    if (known !== undefined) { this.select(known); return this.update(false) }
    if (move >= 0) {
      const after = placed(this.position(this.current), move, color, 0, this.width, this.height)
      if (typeof after === 'string') {
        throw new Refused({ kind: 'illegalMove', reason: after, message: `the rules refuse this point (${after})` })
      }
    }
    this.remember()
    this.select(this.append(this.current, move, color).id)
    return this.update(true)
  }

  goTo(id: number): GameUpdate { this.node(id); this.select(id); return this.update(false) }

  navigate(step: Step): GameUpdate {
    const onward = (id: number): number => {
      const node = this.node(id)
      return node.children.includes(node.lastVisited) ? node.lastVisited : node.children[0] ?? id
    }
    const walk = (count: number): void => { for (let done = 0; done < count; done++) this.select(onward(this.current)) }
    const back = (count: number): void => { for (let done = 0; done < count; done++) this.current = this.node(this.current).parent }
    const sibling = (by: number): void => {
      const around = this.node(this.node(this.current).parent).children
      const next = around[around.indexOf(this.current) + by]
      if (next !== undefined) this.select(next)
    }
    switch (step) {
      case 'first': this.current = 0; break
      case 'last': while (onward(this.current) !== this.current) this.select(onward(this.current)); break
      case 'next': walk(1); break
      case 'previous': back(1); break
      case 'tenNext': walk(10); break
      case 'tenPrevious': back(10); break
      case 'nextVariation': sibling(1); break
      case 'previousVariation': sibling(-1); break
      case 'mainLine': {
        const main = new Set<number>([0])
        for (let id = 0; ;) { const next = this.node(id).children[0]; if (next === undefined) break; main.add(next); id = next }
        while (!main.has(this.current)) this.current = this.node(this.current).parent
        break
      }
    }
    return this.update(false)
  }

  remove(id: number): GameUpdate {
    if (id === 0) throw new Refused({ kind: 'invalidRequest', message: 'the root of a game cannot be deleted' })
    this.remember()
    const parent = this.node(this.node(id).parent)
    const inside = new Set<number>()
    const waiting = [id]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) { inside.add(next); waiting.push(...this.node(next).children) }
    parent.children = parent.children.filter(child => child !== id)
    if (inside.has(this.current)) this.current = parent.id
    for (const gone of inside) this.nodes.delete(gone)
    return this.update(true)
  }

  promote(id: number): GameUpdate {
    this.remember()
    for (let node = this.node(id); node.id !== 0; node = this.node(node.parent)) {
      const parent = this.node(node.parent)
      parent.children = [node.id, ...parent.children.filter(child => child !== node.id)]
    }
    return this.update(true)
  }

  moveAmongSiblings(id: number, up: boolean): GameUpdate {
    const around = this.node(this.node(id).parent).children
    const from = around.indexOf(id)
    const to = from + (up ? -1 : 1)
    if (id === 0 || to < 0 || to >= around.length) return this.update(true)
    this.remember()
    const now = this.node(this.node(id).parent).children
    now.splice(to, 0, ...now.splice(from, 1))
    return this.update(true)
  }

  /** A node and what follows it as a record of its own. */
  copy(id: number): string {
    const write = (from: number): string => {
      const node = this.node(from)
      const own = node.color === 0 ? ';' : `;${node.color === 1 ? 'B' : 'W'}[${sgfCoordinates(node.move, this.width)}]`
      const comment = node.comment ? `C[${node.comment.replace(/[\]\\]/g, '\\$&')}]` : ''
      const rest = node.children.map(write)
      return own + comment + (rest.length > 1 ? rest.map(text => `(${text})`).join('') : rest.join(''))
    }
    return id === 0 ? this.sgf() : `(;GM[1]SZ[${this.width}:${this.height}]${write(id)})`
  }

  paste(id: number, text: string): GameUpdate {
    const refuse = (message: string): Refused => new Refused({ kind: 'invalidRequest', message })
    if (!text.includes('(')) throw refuse('there is no record in what was copied')
    const { root } = readSgf(text)
    const tops = root.properties.has('B') || root.properties.has('W') ? [root] : root.children
    if (tops.length === 0) throw refuse('there is no move in what was copied')
    this.node(id)
    this.remember()
    let first = -1
    const waiting: [SgfNode, number][] = [...tops].reverse().map(top => [top, id])
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const made = this.read(next[0], next[1])
      if (first < 0) first = made
      for (const child of [...next[0].children].reverse()) waiting.push([child, made])
    }
    this.select(first)
    return this.update(true)
  }

  /** The node that takes set-up stones: this one, or a new one after a move. */
  private setupNode(): Node {
    const here = this.node(this.current)
    if (here.color === 0) return here
    const made = this.append(this.current, -2, 0)
    this.select(made.id)
    return made
  }

  setStones(points: readonly number[], stone: Side | null): GameUpdate {
    this.remember()
    const color = stone === 'black' ? 1 : stone === 'white' ? -1 : 0
    const node = this.setupNode()
    node.setup = [...node.setup.filter(([point]) => !points.includes(point)), ...points.map((point): [number, number] => [point, color])]
    this.positions.clear()
    return this.update(true)
  }

  setToMove(side: Side): GameUpdate {
    this.remember()
    this.setupNode().turn = side === 'black' ? 1 : -1
    return this.update(true)
  }

  setMarks(id: number, marks: readonly MarkView[], links: readonly LinkView[]): GameUpdate {
    this.node(id)
    this.remember()
    Object.assign(this.node(id), { marks: [...marks], links: [...links] })
    return this.update(false)
  }

  /** The position at a node; one stays where one is. */
  viewAt(id: number): PositionView {
    const here = this.current
    this.node(id)
    this.current = id
    const view = this.view()
    this.current = here
    return view
  }

  turnBack(): GameUpdate { return this.swap(this.past, this.future) }
  turnOn(): GameUpdate { return this.swap(this.future, this.past) }

  private swap(from: typeof this.past, to: typeof this.past): GameUpdate {
    const state = from.pop()
    if (state) {
      to.push({ nodes: this.nodes, current: this.current })
      this.nodes = state.nodes
      this.current = state.current
      this.positions.clear()
    }
    return this.update(true)
  }

  setComment(id: number, text: string): GameUpdate {
    this.remember()
    this.node(id).comment = text
    return this.update(true)
  }

  update(shapeChanged: boolean): GameUpdate {
    if (shapeChanged) this.revision++
    return {
      gameId: this.gameId, position: this.view(), tree: shapeChanged ? this.tree() : null, info: shapeChanged ? this.info : null, modified: this.modified,
      canUndo: this.past.length > 0, canRedo: this.future.length > 0,
    }
  }

  whole(): GameView {
    return {
      gameId: this.gameId, width: this.width, height: this.height, topology: this.topology, info: this.info, tree: this.tree(),
      position: this.view(), diagnostics: this.diagnostics, recordId: this.recordId, modified: this.modified, fileName: this.fileName,
      canUndo: this.past.length > 0, canRedo: this.future.length > 0,
    }
  }

  private tree(): TreeView {
    const tree: TreeView = { revision: this.revision, ids: [], parents: [], moves: [], colors: [], comments: [] }
    const place = new Map<number, number>()
    const waiting = [0]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const node = this.node(id)
      place.set(id, tree.ids.length)
      tree.ids.push(id)
      tree.parents.push(place.get(node.parent) ?? 0)
      tree.moves.push(node.move)
      tree.colors.push(node.color)
      tree.comments.push(node.comment ? 1 : 0)
      for (let index = node.children.length - 1; index >= 0; index--) waiting.push(node.children[index] ?? 0)
    }
    return tree
  }

  view(): PositionView {
    const node = this.node(this.current)
    const position = this.position(this.current)
    const color = this.toMove(this.current)
    const line: number[] = []
    for (let up = node; ; up = this.node(up.parent)) { line.unshift(up.id); if (up.id === 0) break }
    const lineIndex = line.length - 1
    for (let down = node; down.children.length > 0;) {
      const next = down.children.includes(down.lastVisited) ? down.lastVisited : down.children[0] ?? 0
      line.push(next)
      down = this.node(next)
    }
    const legal = Array.from(position.stones, (stone, point) =>
      stone === 0 && mayBePlaced(position, point, color, this.width, this.height) ? 1 : 0)
    return {
      nodeId: node.id, moveNumber: this.moveNumber(node.id), line, lineIndex,
      stones: [...position.stones], moveNumbers: [...position.numbers], toMove: color === 1 ? 'black' : 'white',
      lastMove: node.move >= 0 ? node.move : null, lastWasPass: node.move === -1, ko: position.ko, legal,
      capturedByBlack: position.capturedByBlack, capturedByWhite: position.capturedByWhite,
      children: node.children.map(id => ({ nodeId: id, vertex: this.node(id).move >= 0 ? this.node(id).move : null })),
      comment: node.comment, marks: node.marks, links: node.links,
      gameOver: node.move === -1 && this.node(node.parent).move === -1,
    }
  }

  /** The main line as SGF; enough for developing. */
  sgf(): string {
    const size = this.width === this.height ? String(this.width) : `${this.width}:${this.height}`
    let text = `(;GM[1]FF[4]CA[UTF-8]SZ[${size}]PB[${this.info.black}]PW[${this.info.white}]KM[${this.info.komi}]RE[${this.info.result}]`
    for (let id = this.node(0).children[0]; id !== undefined; id = this.node(id).children[0]) {
      const node = this.node(id)
      text += `;${node.color === 1 ? 'B' : 'W'}[${sgfCoordinates(node.move, this.width)}]`
    }
    return `${text})\n`
  }
}
