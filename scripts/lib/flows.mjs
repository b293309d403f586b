// Runs end-to-end flows one after the other, and those that fail once more.
// A flow that passes then is named with FLAKY: it is a fault to be found, in the flow or in the program.
// Flows that come to no end within HONINBO_FLOWS_MINUTES (25) are ended, with every program that they started.
// Usage: node scripts/lib/flows.mjs FILE...
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** Names of the flows that a TAP report of `node --test` says failed, innermost ones only. */
export function failedFlows(report) {
  const failed = []
  for (const line of report.split('\n')) {
    const found = line.match(/^ *not ok \d+ - (.*?)(?: # .*)?$/)
    if (found) failed.push(found[1].replace(/\\(.)/g, '$1'))
  }
  return failed.filter((name) => !/\.test\.mjs$/.test(name))
}

/** Matches the names and nothing else, for `--test-name-pattern`. */
export function patternOf(names) {
  return `^(?:${names.map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')})$`
}

/** What the closing lines of a TAP report say. */
function closing(report, word) {
  return Number(report.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0)
}

/**
 * Runs the files, shows the report as it grows but for its sums, and returns it with the runner's exit status.
 * A program that a flow left running holds up nothing: the runner exits after its last flow all the same, and then its
 * whole group is ended.
 */
async function run(files, names, limitMs) {
  const only = names.length > 0 ? ['--test-name-pattern', patternOf(names)] : []
  const runner = spawn(process.execPath, ['--test', '--test-force-exit', '--test-reporter=tap', '--test-concurrency=1', ...only, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'], detached: true,
  })
  const endGroup = () => {
    try {
      process.kill(-runner.pid, 'SIGKILL')
    } catch {
      // Nobody of the group is left.
    }
  }
  process.on('exit', endGroup)
  let late = false
  const limit = setTimeout(() => {
    late = true
    endGroup()
  }, limitMs)
  runner.on('exit', endGroup)
  const ended = new Promise((resolve) => runner.on('close', resolve))
  let report = ''
  for await (const line of createInterface({ input: runner.stdout })) {
    report += `${line}\n`
    if (!/^# (tests|suites|pass|fail|cancelled|skipped|todo) \d+$/.test(line)) process.stdout.write(`${line}\n`)
  }
  const status = (await ended) ?? 1
  clearTimeout(limit)
  return { report, status, late }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = process.argv.slice(2)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  const end = Date.now() + Number(process.env.HONINBO_FLOWS_MINUTES ?? 25) * 60_000
  const first = await run(files, [], end - Date.now())
  let { status, late } = first
  const failed = failedFlows(first.report)
  let passed = closing(first.report, 'pass')
  let still = failed
  // A runner that failed without naming a flow has nothing that could be tried again.
  if (status !== 0 && failed.length > 0 && !first.late) {
    process.stdout.write(`\ntrying again: ${failed.join(', ')}\n\n`)
    const second = await run(files, failed, end - Date.now())
    status = second.status
    still = failedFlows(second.report)
    const mended = failed.filter((name) => !still.includes(name))
    for (const name of mended) process.stdout.write(`FLAKY ${name}\n`)
    passed += mended.length
    late = second.late
  }
  if (late) process.stdout.write('not ok - the flows came to no end and were ended\n')
  process.stdout.write(`# pass ${passed}\n# fail ${still.length + (late ? 1 : 0)}\n`)
  process.exit(status)
}
