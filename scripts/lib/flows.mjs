// Runs end-to-end flows: those of a file one after the other, the files so many at a time. Nothing is tried twice.
// Flows that come to no end within HONINBO_FLOWS_MINUTES (25) are ended, with every program that they started.
// Usage: node scripts/lib/flows.mjs [--at-once N] FILE...
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

/** What the closing lines of a TAP report say. */
function closing(report, word) {
  return Number(report.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0)
}

/**
 * Runs the files, shows the report as it grows but for its sums, and returns it with the runner's exit status.
 * A program that a flow left running holds up nothing: the runner exits after its last flow all the same, and then its
 * whole group is ended.
 */
async function run(files, atOnce, limitMs) {
  const runner = spawn(process.execPath, ['--test', '--test-force-exit', '--test-reporter=tap', `--test-concurrency=${atOnce}`, ...files], {
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
  const { values, positionals: files } = parseArgs({ options: { 'at-once': { type: 'string', default: '1' } }, allowPositionals: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  const { report, status, late } = await run(files, Number(values['at-once']), Number(process.env.HONINBO_FLOWS_MINUTES ?? 25) * 60_000)
  if (late) process.stdout.write('not ok - the flows came to no end and were ended\n')
  const failed = closing(report, 'fail') + closing(report, 'cancelled') + (late ? 1 : 0)
  process.stdout.write(`# pass ${closing(report, 'pass')}\n# fail ${failed}\n# skipped ${closing(report, 'skipped')}\n`)
  process.exit(late ? 1 : status)
}
