import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
  write('docs/a.md', '# A\n\n## Second `part`\n\n[up](../README.md) [x](b.md#x) [site](https://example.org/y)\n')
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
