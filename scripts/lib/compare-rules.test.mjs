import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compareRules } from './compare-rules.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const pair = (theirs, ours, marks = ['9x9: 3 stones']) => ({
  katago: { games: ['9x9: 3 stones'], figures: [{ name: 'copy', nanoseconds: theirs }] },
  honinbo: { more: { games: marks }, figures: [{ name: 'other', nanoseconds: 1 }, { name: 'copy', nanoseconds: ours }] },
})

test('each figure has the medians of both sides and the ratios of the pairs', () => {
  const { figures, pairs } = compareRules([pair(100, 50), pair(300, 100), pair(90, 60)])
  assert.equal(pairs, 3)
  assert.deepEqual(figures.copy, {
    katagoNanoseconds: 100, honinboNanoseconds: 60, ratio: { median: 2, least: 1.5, most: 3 },
  })
})

test('times of different games are not compared', () => {
  assert.throws(() => compareRules([pair(1, 1), pair(1, 1, ['9x9: 4 stones'])]), /the games differ.*4 stones/)
})

test('a folder that is not KataGo is refused with what to do', () => {
  const { status, stderr } = spawnSync(join(root, 'scripts/compare-rules'), ['/nowhere'], { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /there is no source of KataGo in \/nowhere/)
  assert.match(stderr, /git clone/)
})
