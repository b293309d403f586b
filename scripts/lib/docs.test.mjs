import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { anchorOf, links, problems } from './docs.mjs'

test('every link of the documents leads somewhere, and the summary has every page', () => {
  assert.deepEqual(problems(join(import.meta.dirname, '../..')), [])
})

test('what is wrong is named with its file', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'docs-'))
  t.after(() => rmSync(root, { recursive: true }))
  const write = (file, text) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  write('README.md', '[a](docs/a.md#second-part) [b](docs/a.md#third-part) [c](docs)\n')
  write('docs/SUMMARY.md', '- [A](a.md)\n- [A again](a.md)\n- [Gone](gone.md)\n')
  write('docs/a.md', '# A\n\n## Second `part`\n\n### <a id="third"></a>Part three\n\n[up](../README.md) [x](b.md#x) [own](#third) [words](#part-three) [site](https://example.org/y)\n')
  write('docs/b.md', '# B\n\n```\n# x\n[no link](nowhere.md)\n```\n\n[folder](deep)\n')
  write('docs/deep/c.md', '[b](../b.md)\n')
  assert.deepEqual(problems(root).sort(), [
    'README.md: docs/a.md#third-part names no heading',
    'a.md is listed 2 times in docs/SUMMARY.md',
    'b.md is listed 0 times in docs/SUMMARY.md',
    'deep/c.md is listed 0 times in docs/SUMMARY.md',
    'docs/SUMMARY.md: nothing is at gone.md',
    'docs/a.md: ../README.md is no page of the site',
    'docs/a.md: b.md#x names no heading',
    'docs/b.md: deep is no page of the site',
  ])
})

test('headings and links are read as the site reads them', () => {
  assert.equal(anchorOf('One position, on `several` cores'), 'one-position-on-several-cores')
  assert.equal(anchorOf('本因坊 [the name](x.md)'), '本因坊-the-name')
  assert.deepEqual(links('[a](b.md) `[c](d.md)` ![e](f.png) [g](mailto:h@i)'), ['b.md', 'f.png'])
})

test('what the page about the architecture names is in the code', () => {
  const root = join(import.meta.dirname, '../..')
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
  const code = files.filter((file) => /\.(rs|ts|vue|mjs|js|toml|json|yml)$|^scripts\//.test(file) && !file.includes('/corpus/'))
  const text = code.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8').replace(/```[\s\S]*?```/g, '')
  const names = [...new Set([...page.matchAll(/`([^`]+)`/g)].map(([, name]) => name))].filter((name) => !name.startsWith('/') && !name.includes('*'))
  assert.ok(names.length > 100, `${names.length}`)
  const isFile = (name) => files.some((file) => `/${file}`.endsWith(`/${name}`) || `/${file}`.includes(`/${name.replace(/\/$/, '')}/`))
  assert.deepEqual(names.filter((name) => !isFile(name) && !text.includes(name)), [])
})

test('every test that the page about security names is there', () => {
  const root = join(import.meta.dirname, '../..')
  const files = execFileSync('git', ['ls-files', '*.rs'], { cwd: root, encoding: 'utf8' }).split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
  // Fields and answers have two words at most.
  const names = [...new Set([...page.matchAll(/`([a-z0-9]+(?:_[a-z0-9]+){2,})`/g)].map(([, name]) => name))]
  assert.ok(names.length > 50, `${names.length}`)
  assert.deepEqual(names.filter((name) => !text.includes(`fn ${name}(`)), [])
})

test('every route of a server with rooms has a line in the page about protocols, and no other has one', () => {
  const root = join(import.meta.dirname, '../..')
  const page = readFileSync(join(root, 'docs/protocol.md'), 'utf8')
  const table = readFileSync(join(root, 'crates/server/src/routes/table.rs'), 'utf8')
  const code = execFileSync('git', ['grep', '-hoE', '"/(api|ws)/[^"]+"', '--', 'crates/server/src', 'crates/oidc/src'], { cwd: root, encoding: 'utf8' })
  // Parameters have names of their own in both.
  const plain = (path) => path.replace(/\{\w+\}|\b[A-Z]{2,}\b/g, '*').replace(/\?.*/, '')
  const routes = [...table.matchAll(/method: "(\w+)",\s*path: "([^"]+)"/g)].map(([, method, path]) => `${method.toUpperCase()} ${plain(path)}`)
  assert.ok(routes.length > 50, `${routes.length}`)
  const told = [...page.matchAll(/`(GET|POST|PUT|DELETE) (\/[^\s`]+)`/g)].map(([, method, path]) => `${method} ${plain(path)}`)
  const paths = new Set([...page.matchAll(/`[A-Z ]*(\/[^\s`]+)`/g)].map(([, path]) => plain(path)))
  assert.deepEqual(routes.filter((route) => !told.includes(route) && !paths.has(route.split(' ')[1])), [])
  const known = new Set([...routes, ...[...code.matchAll(/"([^"]+)"/g)].flatMap(([, path]) => [`GET ${plain(path)}`, `POST ${plain(path)}`])])
  assert.deepEqual(told.filter((route) => !known.has(route)), [])
})

test('the commands of the window that the page about protocols shows are there', () => {
  const root = join(import.meta.dirname, '../..')
  const page = readFileSync(join(root, 'docs/protocol.md'), 'utf8')
  const bindings = readFileSync(join(root, 'ui/src/api/bindings.ts'), 'utf8')
  const shown = [...page.matchAll(/"command":"(\w+)"/g)].map(([, name]) => name)
  assert.ok(shown.length >= 2, `${shown.length}`)
  assert.deepEqual(shown.filter((name) => !bindings.includes(`"${name}"`)), [])
})
