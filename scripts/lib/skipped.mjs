// Prints what did not run, one line each, without the line that counts them.
// Reads what is there of: skipped.txt (written by Rust's tests), left-out.txt (by scripts/test) and the runners' logs.
// Usage: node scripts/lib/skipped.mjs RESULTS-FOLDER
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { skippedTests } from './count-tests.mjs'

/** What did not run, by the files of a folder of results: each `name: reason`, or a name alone. */
export function didNotRun(folder) {
  const text = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  const listed = skippedTests(`${text('skipped.txt')}\n${text('left-out.txt')}`)
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log')).sort()
  const inLogs = logs.flatMap((name) => [...text(name).matchAll(/^ *ok \d+ - (.* # SKIP.*)$/gm)].map(([, line]) => line))
  return [...listed.sort(), ...inLogs]
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const line of didNotRun(process.argv[2])) process.stdout.write(`  ${line}\n`)
}
