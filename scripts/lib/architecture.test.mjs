// Who depends on whom, as docs/architecture.md draws it. Asked of cargo, tests and examples included.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { circlesIn, codeOf, modulesOf, needsOf } from './rust-files.mjs'

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

test('ONNX Runtime, SQLite, PDF and the training framework are each known to one crate', () => {
  const graph = crates()
  const knows = (library) => [...graph].filter(([, { all }]) => all.includes(library)).map(([name]) => name)
  assert.deepEqual(knows('ort'), ['honinbo-net'])
  assert.deepEqual(knows('rusqlite'), ['honinbo-library'])
  assert.deepEqual(knows('candle-core'), ['honinbo-train'])
  assert.deepEqual(knows('object_store'), ['honinbo-train'])
  assert.deepEqual(knows('parquet'), ['honinbo-train'])
  assert.deepEqual(knows('krilla'), ['honinbo-booklet'])
})

test('only the shelf of networks, the asking of inference servers, logging in elsewhere and the stores of a training run and of a server open connections to somewhere else', () => {
  const graph = crates()
  const knows = (library) => [...graph].filter(([, { always }]) => always.includes(library)).map(([name]) => name)
  assert.deepEqual(knows('ureq').sort(), ['honinbo-oidc', 'honinbo-remote', 'honinbo-shelf', 'honinbo-train'])
  assert.deepEqual(knows('tonic'), ['honinbo-remote'])
  // The server answers with it, and opens no connection.
  assert.deepEqual(knows('rustls').sort(), ['honinbo-library', 'honinbo-oidc', 'honinbo-remote', 'honinbo-server', 'honinbo-shelf', 'honinbo-train'])
  assert.deepEqual(knows('tokio-postgres'), ['honinbo-library'])
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
    remote: ['evaluator', 'net', 'rules'],
    shelf: ['evaluator', 'net'],
    oidc: [],
    booklet: ['rules'],
    referee: ['rules'],
    library: ['record', 'rules'],
    train: ['evaluator', 'net', 'players', 'remote', 'rules', 'search', 'training'],
    training: ['record'],
    api: ['booklet', 'evaluator', 'library', 'net', 'players', 'record', 'referee', 'remote', 'rules', 'search', 'shelf', 'training'],
    server: ['api', 'library', 'oidc', 'players', 'rooms', 'rules'],
    cli: ['api', 'evaluator', 'library', 'net', 'oidc', 'players', 'protocols', 'record', 'referee', 'remote', 'rules', 'search', 'server', 'shelf', 'train', 'training'],
    app: ['api'],
  }
  for (const [room, wanted] of Object.entries(allowed)) {
    const known = graph.get(`honinbo-${room}`).always.filter((name) => name.startsWith('honinbo-'))
    assert.deepEqual(known.sort(), wanted.map((name) => `honinbo-${name}`), room)
  }
})

test('what a crate has not on purpose is not in its code', () => {
  const files = /\bstd::fs\b|\bfs::File\b|\bFile::(open|create)\b/
  const network = /\bstd::net\b|\bTcp(Stream|Listener)\b|\bUdpSocket\b/
  const programs = /\bstd::process::(Command|Child)\b|\bprocess::Command\b/
  const pipes = /\bio::(stdin|stdout|stderr)\b|\bprintln!/
  const threads = /\bthread::(spawn|scope|Builder)\b/
  const clocks = /\b(Instant|SystemTime)::now\b/
  const absent = {
    rules: [files, network, programs, pipes, threads, clocks],
    record: [files, network, programs, pipes, threads, clocks],
    evaluator: [files, network, programs, pipes, clocks],
    search: [files, network, programs, pipes, clocks],
    protocols: [files, network, programs, pipes],
    rooms: [files, network, programs, pipes, threads, clocks],
    booklet: [files, network, programs, pipes, threads, clocks],
    referee: [files, network, programs, pipes, threads, clocks],
    training: [network, programs, pipes, threads, clocks],
    oidc: [files, programs, pipes, threads, clocks],
  }
  for (const [room, patterns] of Object.entries(absent)) {
    const src = join(root, 'crates', room, 'src')
    for (const file of readdirSync(src, { recursive: true }).filter((name) => name.endsWith('.rs'))) {
      // Documentation, and the tests at the end of a file, may.
      const code = codeOf(readFileSync(join(src, file), 'utf8'))
      for (const pattern of patterns) assert.doesNotMatch(code, pattern, `${room}: ${file}`)
    }
  }
})

test('files that need each other are found, through names that others hand on too', () => {
  const modules = new Map(Object.entries({
    '': 'mod a;\nmod b;\nmod c;\npub use b::{deep::Deep, B};\n',
    a: 'use crate::{B as Other, c};\n/// As [`crate::c::C`].\npub struct A(pub Other);\nfn f() { c::g() }\n',
    b: 'pub mod deep;\nuse super::c::C;\npub(super) struct B(C);\n',
    'b::deep': 'pub(in super::super) struct Deep;\n',
    c: codeOf('use std::fmt;\n// use crate::a::A;\npub fn g() -> crate::Deep { b() }\n#[cfg(test)]\nmod tests {\n use crate::a::A;\n}\n'),
  }))
  const needs = needsOf(modules)
  assert.deepEqual([...needs.get('a')].sort(), ['b', 'c'])
  assert.deepEqual([[...needs.get('b')], [...needs.get('c')], [...needs.get('b::deep')]], [['c'], ['b::deep'], []])
  assert.deepEqual(circlesIn(needs), [])
  modules.set('b::deep', 'use super::super::a;\npub struct Deep(a::A);\n')
  assert.deepEqual(circlesIn(needsOf(modules)), [['a', 'b', 'b::deep', 'c']])
})

test('no two files of these crates need each other', () => {
  for (const room of ['booklet', 'evaluator', 'library', 'oidc', 'referee', 'training']) {
    const modules = modulesOf(join(root, 'crates', room, 'src'))
    assert.ok(modules.size > 5, room)
    assert.deepEqual(circlesIn(needsOf(modules)), [], room)
  }
})

test('a room of the back end knows the engine and rooms named before it', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const named = page.match(/^Its rooms are subjects.*?: (`settings\/`.*?`original\/`)/m)[1]
  const rooms = [...named.matchAll(/`(\w+)\/`/g)].map((found) => found[1])
  const src = join(root, 'crates/api/src')
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  assert.deepEqual([...rooms].sort(), folders.filter((name) => name !== 'types').sort())
  const isEngine = (module) => /^analysis::(engine|evaluations|resources)\b/.test(module)
  const rank = (module) => rooms.indexOf(module.split('::')[0])
  const wrong = []
  for (const [module, needed] of needsOf(modulesOf(src))) {
    // The list of commands names types and handlers, which are given the app.
    if (rank(module) < 0 || module.endsWith('::handlers')) continue
    for (const other of [...needed].filter((name) => rank(name) >= 0 && !isEngine(name))) {
      const isKnown = isEngine(module) ? ['analysis', 'games'].includes(rooms[rank(other)]) : rank(other) <= rank(module)
      if (!isKnown) wrong.push(`${module} -> ${other}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('limits are MAX_ and MIN_, and programs report and emit', () => {
  const folder = join(root, 'crates')
  const files = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
  const named = files.filter((name) => /^\w+\/(src|tests|examples|benches)\/.*\.rs$/.test(name)).filter((name) =>
    /\bconst (MOST|LONGEST|LARGEST)|\bfn tell/.test(readFileSync(join(folder, name), 'utf8')))
  assert.deepEqual(named, [])
})
