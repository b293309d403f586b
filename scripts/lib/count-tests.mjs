// Prints how many tests a log names as passed and failed: `12 0`.
// Understands cargo test, cargo nextest, Vitest and the TAP of node --test.
// Usage: node scripts/lib/count-tests.mjs LOG
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Sums the closing lines of all the runners in a log. */
export function countTests(text) {
  // Colours would hide the figures.
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/\u001b\[[0-9;]*m/g, '')
  const patterns = [
    [/^test result: .*? (\d+) passed; (\d+) failed;/gm, 1, 2],
    [/^# pass (\d+)$/gm, 1, 0],
    [/^# fail (\d+)$/gm, 0, 1],
    [/^# cancelled (\d+)$/gm, 0, 1],
    [/^\s*Tests {2}(?:(\d+) failed \| )?(?:(\d+) passed)?/gm, 2, 1],
  ]
  let passed = 0
  let failed = 0
  for (const [pattern, passedGroup, failedGroup] of patterns) {
    for (const match of plain.matchAll(pattern)) {
      if (passedGroup) passed += Number(match[passedGroup] ?? 0)
      if (failedGroup) failed += Number(match[failedGroup] ?? 0)
    }
  }
  for (const [line] of plain.matchAll(/^\s*Summary \[.*\] +\d+.* tests? run: .*$/gm)) {
    passed += Number(line.match(/(\d+) passed/)?.[1] ?? 0)
    for (const kind of ['failed', 'timed out', 'exec failed']) failed += Number(line.match(new RegExp(`(\\d+) ${kind}`))?.[1] ?? 0)
  }
  return { passed, failed }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { passed, failed } = countTests(readFileSync(process.argv[2], 'utf8'))
  process.stdout.write(`${passed} ${failed}\n`)
}
