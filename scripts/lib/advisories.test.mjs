import assert from 'node:assert/strict'
import { test } from 'node:test'
import { affecting, compare, ignored, locked, meets, problems, readAdvisory } from './advisories.mjs'

test('versions have an order', () => {
  const order = ['0.9.10', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-rc.2', '1.0.0-rc.15', '1.0.0', '1.0.1', '1.10.0+meta']
  for (let at = 1; at < order.length; at++) {
    assert.ok(compare(order[at - 1], order[at]) < 0, `${order[at - 1]} < ${order[at]}`)
    assert.ok(compare(order[at], order[at - 1]) > 0)
  }
  assert.equal(compare('1.0', '1.0.0+x'), 0)
})

test('requirements are those of Cargo', () => {
  for (const [version, requirement, met] of [
    ['1.2.3', '>= 1.2.3', true], ['1.2.2', '>=1.2.3', false], ['1.3.0', '>= 1.2, < 1.3', false], ['1.2.9', '>= 1.2, < 1.3', true],
    ['0.4.5', '^0.4.2', true], ['0.5.0', '^0.4.2', false], ['0.13.11', '0.13.10', true], ['1.9.0', '1.2', true], ['2.0.0', '1.2', false],
    ['0.0.3', '^0.0.3', true], ['0.0.4', '^0.0.3', false], ['1.2.9', '~1.2.3', true], ['1.3.0', '~1.2.3', false],
    ['1.0.0', '= 1.0.0', true], ['1.0.1', '=1.0.0', false], ['1.0.0', '> 1.0.0', false], ['1.0.0-rc.1', '< 1.0.0', true], ['0.3.2', '^ 0.3.1', true],
  ]) {
    assert.equal(meets(version, requirement), met, `${version} ${requirement}`)
  }
  assert.throws(() => meets('1.0.0', '>= '), /no requirement/)
})

test('an advisory is read, and affects what is neither patched nor unaffected', () => {
  const text = '```toml\n[advisory]\nid = "RUSTSEC-2026-0001"\npackage = "a"\ninformational = "unsound"\n\n[versions]\npatched = [">= 1.2.0", "^0.9.3"]\nunaffected = ["< 0.5"]\n```\n# Title\n'
  const advisory = readAdvisory(text)
  assert.deepEqual(advisory, { id: 'RUSTSEC-2026-0001', package: 'a', kind: 'unsound', patched: ['>= 1.2.0', '^0.9.3'], unaffected: ['< 0.5'] })
  assert.equal(readAdvisory(text.replace('package', 'withdrawn = "2026-01-01"\npackage')), undefined)
  const packages = locked(['0.4.0', '0.9.2', '0.9.3', '1.1.0', '1.2.0'].map((version) => `[[package]]\nname = "a"\nversion = "${version}"\n`).join('\n'))
  assert.deepEqual(affecting(packages, [advisory]).map((one) => one.version), ['0.9.2', '1.1.0'])
  assert.deepEqual(affecting([{ name: 'b', version: '1.0.0' }], [advisory]), [])
})

test('what is ignored has a reason', () => {
  assert.deepEqual(ignored('ignore = [\n  { id = "RUSTSEC-2024-0001", reason = "why" },\n  "RUSTSEC-2024-0002",\n]'), ['RUSTSEC-2024-0001'])
})

test('no advisory affects the lock file but those that deny.toml ignores', () => {
  assert.deepEqual(problems(), [])
})
