// What CONTRIBUTING.md promises to those who extend the house: its files are there, and no other file holds a list of
// rulesets, formats, blocks, commands or routes that would have to grow too. And every fuzz target is kept running.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const read = (path) => readFileSync(join(root, path), 'utf8')
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n').filter((path) => path !== '' && existsSync(join(root, path)))

/** Files of the programs by path; without tests, and without what `scripts/bindings` writes. */
const programs = new Map(tracked
  .filter((path) => /\.(rs|ts|vue|nsi)$/.test(path) && !/\.test\.|^tests\/|\/(tests|fuzz|testing|examples|bench|testkit)\//.test(path))
  .filter((path) => !/^ui\/src\/api\/(bindings|clubBindings)\.ts$/.test(path))
  .map((path) => [path, read(path).split(/^#\[cfg\(test\)\]\nmod tests/m)[0]]))

/** The files that name at least so many of some things. */
function listing(patterns, atLeast) {
  return [...programs].filter(([, text]) => patterns.filter((pattern) => pattern.test(text)).length >= atLeast).map(([path]) => path)
}

test('the files that a usual change touches are there', () => {
  const changes = read('CONTRIBUTING.md').match(/^## Usual changes[\s\S]*?(?=^## )/m)[0]
  const paths = [...changes.matchAll(/`((?:crates|src-tauri|ui|tests|scripts)\/[^`\s]*)`/g)].map(([, path]) => path)
  assert.ok(paths.length > 20, `${paths.length}`)
  for (const path of paths) {
    // What is new has a name of its own; a subject is one of those that there are.
    const folder = path.split(/\/[^/]*(?:NAME|TAG)/)[0].replace('SUBJECT', 'games')
    assert.ok(existsSync(join(root, folder)), path)
  }
})

test('a ruleset is named by two files', () => {
  const presets = [...read('crates/rules/src/preset.rs').matchAll(/Preset::(\w+) => "[\w-]+"/g)].map(([, name]) => name)
  assert.ok(presets.length >= 16, presets.join())
  assert.deepEqual(listing(presets.map((name) => new RegExp(`\\bPreset::${name}\\b`)), 4), [
    // Those that other people's engines know by name; all others are told to them rule by rule.
    'crates/players/src/external/player.rs',
    'crates/rules/src/preset.rs',
    'crates/rules/src/ruleset_sgf.rs',
  ])
})

test('a format of records is named by two files', () => {
  const formats = read('crates/record/src/formats/mod.rs').match(/^const OTHERS.*= \[(.*)\];$/m)[1].match(/\w+(?=::FORMAT)/g)
  assert.ok(formats.length >= 3, formats.join())
  assert.deepEqual(listing(formats.map((name) => new RegExp(`\\b${name}::|RecordFormat::${name}\\b|(?:["'.(|]|, )${name}\\b`, 'i')), 2), ['crates/record/src/formats/mod.rs'])
})

test('a block of a network is named by three files', () => {
  const blocks = read('crates/net/src/file/blocks.rs').match(/^pub enum Block \{\n([\s\S]*?)^\}/m)[1].match(/^ {4}\w+(?=\()/gm)
  assert.ok(blocks.length >= 5, blocks.join())
  assert.deepEqual(listing(blocks.map((name) => new RegExp(`\\bBlock::${name.trim()}\\b`)), 2), [
    'crates/net/src/file/blocks.rs',
    'crates/net/src/kernels/trunk.rs',
    'crates/net/src/onnx/blocks.rs',
    // Those that are trained; every other kind is refused there without being named.
    'crates/train/src/network.rs',
    'crates/train/src/shape.rs',
  ])
})

test('a command is named by its list and its handler, and for windows by what is generated', () => {
  const subjects = readdirSync(join(root, 'crates/api/src')).filter((name) => existsSync(join(root, 'crates/api/src', name, 'list.rs')))
  assert.ok(subjects.length >= 7, subjects.join())
  const commands = subjects.flatMap((subject) => {
    const named = [...read(`crates/api/src/${subject}/list.rs`).matchAll(/^ +(\w+): \w+ => /gm)].map(([, name]) => name)
    assert.ok(named.length > 0, subject)
    const handlers = read(`crates/api/src/${subject}/handlers.rs`)
    for (const name of named) assert.match(handlers, new RegExp(`\\bfn ${name}\\b`), `${subject}: ${name}`)
    return named
  })
  assert.ok(commands.length > 100, `${commands.length}`)
  // A host with a list of commands of its own would name many of them, in quotes or as handlers.
  const long = commands.filter((name) => name.includes('_'))
  const hosts = listing(long.map((name) => new RegExp(`"${name}"|\\bcommands::${name}\\b`)), 8)
  assert.deepEqual(hosts.filter((path) => path.endsWith('.rs')), [])
})

test('a route is named by the table of routes, and a page that asks has its types from there', () => {
  const table = read('crates/server/src/routes/table.rs')
  const paths = [...table.matchAll(/path: "(\/api\/[^"]+)"/g)].map(([, path]) => path)
  assert.ok(paths.length > 40, `${paths.length}`)
  const rust = listing(paths.map((path) => new RegExp(`"${path.replace(/[{}]/g, '\\$&')}"`)), 5).filter((path) => path.endsWith('.rs'))
  assert.deepEqual(rust, ['crates/server/src/routes/table.rs'])
  // A type that is written twice would name the fields of the first one again.
  const written = read('ui/src/api/clubBindings.ts')
  const fields = [...new Set([...written.matchAll(/^\t(\w+_\w+)\??: /gm)].map(([, field]) => field))]
  assert.ok(fields.length > 40, `${fields.length}`)
  const types = listing(fields.map((field) => new RegExp(`^\\s*(?:readonly )?${field}\\??: [^,]+$`, 'm')), 4)
  assert.deepEqual(types.filter((path) => path.startsWith('ui/')), [])
})

test('a language is named by the files that CONTRIBUTING names', () => {
  const change = read('CONTRIBUTING.md').match(/^### A language[\s\S]*?(?=^## )/m)[0]
  const named = [...change.matchAll(/`([^`\s]+)`/g)].map(([, path]) => path)
  const naming = tracked.filter((path) => /\.(rs|ts|vue|css|mjs|desktop|xml|nsi)$/.test(path) && !/\.test\.ts$|^scripts\/lib\//.test(path) && /zh[-_](Hant|TW)|TradChinese/.test(read(path)))
  assert.ok(naming.length >= 9, naming.join())
  assert.deepEqual(naming.filter((path) => !named.some((name) => path === name || path.startsWith(`${name}/`))), [])
})

test('every fuzz target has kept inputs, which run with the tests, and its hour in the nightly workflow', () => {
  const nightly = read('.github/workflows/nightly.yml')
  const targets = readdirSync(join(root, 'crates')).flatMap((crate) => {
    const folder = join(root, 'crates', crate, 'fuzz/fuzz_targets')
    return existsSync(folder) ? readdirSync(folder).map((file) => [crate, file.replace('.rs', '')]) : []
  })
  assert.ok(targets.length >= 16, `${targets.length}`)
  for (const [crate, target] of targets) {
    assert.ok(readdirSync(join(root, 'crates', crate, 'fuzz/corpus', target)).length > 0, `${crate} ${target}`)
    assert.ok(nightly.includes(`          - ${crate} ${target}\n`), `${crate} ${target} is not in nightly.yml`)
    assert.match(read(`crates/${crate}/fuzz/Cargo.toml`), new RegExp(`^name = "${target}"$`, 'm'), `${crate} ${target}`)
    const replayed = tracked.some((path) => path.startsWith(`crates/${crate}/`) && path.endsWith('.rs') && read(path).includes(`replay("${crate}", "${target}"`))
    assert.ok(replayed, `${crate} ${target} is not replayed by a test`)
  }
})

test('the program that is fuzzed has the dependencies of the program', () => {
  const section = (path) => read(path).match(/^\[dependencies\]\n([\s\S]*?)\n\n/m)[1].match(/^[\w-]+/gm)
  const fuzzed = section('crates/cli/fuzz/Cargo.toml')
  assert.deepEqual(section('crates/cli/Cargo.toml').filter((name) => !fuzzed.includes(name)), [])
  // And what the workspace asks of them: the program does not compile without.
  const features = (path, name) => read(path).match(new RegExp(`^${name} = \\{.*features = \\[([^\\]]*)\\]`, 'm'))?.[1].match(/[\w-]+/g) ?? []
  for (const name of fuzzed) {
    const missing = features('Cargo.toml', name).filter((feature) => !features('crates/cli/fuzz/Cargo.toml', name).includes(feature))
    assert.deepEqual(missing, [], name)
  }
})
