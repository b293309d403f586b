import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTests, skippedTests } from './count-tests.mjs'

test('sums the closing lines of every runner', () => {
  const log = [
    'test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s',
    'test result: FAILED. 4 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s',
    '     Summary [   2.345s] 12 tests run: 10 passed (1 slow), 1 failed, 1 timed out, 3 skipped',
    ' Test Files  2 passed (2)',
    '      \u001b[1mTests\u001b[22m  1 failed | 20 passed | 2 skipped (23)',
    '# tests 7', '# pass 6', '# fail 1', '# cancelled 0', '# skipped 3',
  ].join('\n')
  assert.deepEqual(countTests(log), { passed: 3 + 4 + 10 + 20 + 6, failed: 2 + 2 + 1 + 1, skipped: 1 + 2 + 3 })
})

test('counts nothing in a log without tests', () => {
  assert.deepEqual(countTests('error[E0308]: mismatched types\n'), { passed: 0, failed: 0, skipped: 0 })
})

test('a run without failures names none', () => {
  const log = '     Summary [   0.1s] 2 tests run: 2 passed, 0 skipped\n      Tests  5 passed (5)\n'
  assert.deepEqual(countTests(log), { passed: 7, failed: 0, skipped: 0 })
})

test('a test that says that it did not run has not passed, however often it says so', () => {
  const log = '     Summary [   0.1s] 9 tests run: 9 passed, 0 skipped\n'
  const list = 'golden all_networks\tslow\nladder steps\tno network\ngolden all_networks\tno library\n'
  assert.deepEqual(countTests(log, list), { passed: 7, failed: 0, skipped: 2 })
  assert.deepEqual(skippedTests(list), ['golden all_networks: slow', 'ladder steps: no network'])
})
