// Prints how many tests a log names as passed, failed and skipped: `12 0 1`.
// Understands cargo test, cargo nextest, Vitest and the TAP of node --test.
// A Rust test that finds out by itself that it cannot run ends like one that passed and leaves a line, `program test<tab>
// reason`, in the list of skipped tests; it counts as skipped.
// Usage: node scripts/lib/count-tests.mjs LOG [SKIPPED]
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Sums the closing lines of all the runners in a log; `list` is the text of the list of skipped tests. */
export function countTests(text, list = '') {
  // Colours would hide the figures.
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/\u001b\[[0-9;]*m/g, '')
  const patterns = [
    [/^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored;/gm, { passed: 1, failed: 2, skipped: 3 }],
    [/^# pass (\d+)$/gm, { passed: 1 }],
    [/^# fail (\d+)$/gm, { failed: 1 }],
    [/^# cancelled (\d+)$/gm, { failed: 1 }],
    [/^# skipped (\d+)$/gm, { skipped: 1 }],
    [/^\s*Tests {2}(?:(\d+) failed \| )?(?:(\d+) passed)?(?: \| (\d+) skipped)?/gm, { failed: 1, passed: 2, skipped: 3 }],
  ]
  const sums = { passed: 0, failed: 0, skipped: 0 }
  for (const [pattern, groups] of patterns) {
    for (const match of plain.matchAll(pattern)) {
      for (const [kind, group] of Object.entries(groups)) sums[kind] += Number(match[group] ?? 0)
    }
  }
  for (const [line] of plain.matchAll(/^\s*Summary \[.*\] +\d+.* tests? run: .*$/gm)) {
    // What nextest calls skipped was not asked for.
    sums.passed += Number(line.match(/(\d+) passed/)?.[1] ?? 0)
    for (const kind of ['failed', 'timed out', 'exec failed']) sums.failed += Number(line.match(new RegExp(`(\\d+) ${kind}`))?.[1] ?? 0)
  }
  const late = skippedTests(list).length
  sums.passed -= late
  sums.skipped += late
  return sums
}

/** The tests that a list names, each once, with the first reason: `program test: reason`. */
export function skippedTests(list) {
  const reasons = new Map()
  for (const line of list.split('\n').filter(Boolean)) {
    const [name, reason = ''] = line.split('\t')
    if (!reasons.has(name)) reasons.set(name, reason)
  }
  return [...reasons].map(([name, reason]) => `${name}: ${reason}`)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , log, list] = process.argv
  const { passed, failed, skipped } = countTests(readFileSync(log, 'utf8'), list && existsSync(list) ? readFileSync(list, 'utf8') : '')
  process.stdout.write(`${passed} ${failed} ${skipped}\n`)
}
