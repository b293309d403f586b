// Who depends on whom, as docs/architecture.md draws it. Asked of cargo, tests and examples included.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Every crate of the workspace by name, with the names of what it depends on, for tests (`dev`) or always. */
function crates() {
  const { stdout, stderr, status } = spawnSync(
    'cargo',
    ['metadata', '--no-deps', '--offline', '--locked', '--format-version', '1'],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  assert.equal(status, 0, stderr)
  const packages = JSON.parse(stdout).packages
  return new Map(packages.map(({ name, dependencies: listed }) => [
    name,
    {
      always: listed.filter((one) => one.kind !== 'dev').map((one) => one.name),
      all: listed.map((one) => one.name),
    },
  ]))
}

/** What a crate depends on, directly or through other crates of the workspace; in its own tests too with `all`. */
function reached(graph, start, kind) {
  const found = new Set()
  const visit = (name, edges) => {
    for (const next of graph.get(name)?.[edges] ?? []) {
      if (found.has(next)) continue
      found.add(next)
      visit(next, 'always')
    }
  }
  visit(start, kind)
  return found
}

test('who asks about positions knows no ONNX, not even in tests', () => {
  const graph = crates()
  for (const name of ['rules', 'record', 'evaluator', 'search', 'players', 'protocols', 'library', 'testkit']) {
    const all = reached(graph, `honinbo-${name}`, 'all')
    assert.ok(graph.has(`honinbo-${name}`), name)
    assert.ok(!all.has('ort') && !all.has('honinbo-net'), `honinbo-${name} reaches ort through ${[...all].join(', ')}`)
  }
  // The walk does find it where it is.
  assert.ok(reached(graph, 'honinbo-api', 'always').has('ort'))
})

test('ONNX Runtime, SQLite and the training framework are each known to one crate', () => {
  const graph = crates()
  const knows = (library) => [...graph].filter(([, { all }]) => all.includes(library)).map(([name]) => name)
  assert.deepEqual(knows('ort'), ['honinbo-net'])
  assert.deepEqual(knows('rusqlite'), ['honinbo-library'])
  assert.deepEqual(knows('candle-core'), ['honinbo-train'])
})

test('only the shelf of networks opens a connection to somewhere else', () => {
  const graph = crates()
  const knows = (library) => [...graph].filter(([, { always }]) => always.includes(library)).map(([name]) => name)
  assert.deepEqual(knows('ureq'), ['honinbo-shelf'])
  // The server answers with it, and opens no connection.
  assert.deepEqual(knows('rustls').sort(), ['honinbo-server', 'honinbo-shelf'])
  for (const library of ['reqwest', 'hyper-tls', 'curl', 'tauri-plugin-http', 'tauri-plugin-updater']) assert.deepEqual(knows(library), [], library)
})

test('arrows point one way', () => {
  const graph = crates()
  const allowed = {
    rules: [],
    record: ['rules'],
    evaluator: ['rules'],
    search: ['evaluator', 'rules'],
    protocols: ['evaluator', 'record', 'rules', 'search'],
    players: ['evaluator', 'record', 'rules', 'search'],
    rooms: ['players', 'record', 'rules', 'search'],
    net: ['evaluator', 'rules'],
    shelf: ['evaluator', 'net'],
    library: ['record', 'rules'],
    train: ['evaluator', 'net', 'players', 'rules', 'search'],
  }
  for (const [room, wanted] of Object.entries(allowed)) {
    const known = graph.get(`honinbo-${room}`).always.filter((name) => name.startsWith('honinbo-'))
    assert.deepEqual(known.sort(), wanted.map((name) => `honinbo-${name}`), room)
  }
})
