// Runs end-to-end flows: those of a file one after the other, so many files at a time. Nothing is tried twice.
// Files begin in the order they are given in; where several run at a time, each tells what it found when it is done.
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

/** The groups of the runners that are at work. */
const groups = new Set()
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody of the group is left.
  }
}
process.on('exit', () => {
  for (const pid of groups) endGroup(pid)
})

/**
 * Runs a file, hands on the lines of its report but for its sums, and returns the report with the runner's exit status.
 * A program that a flow left running holds up nothing: the runner exits after its last flow all the same, and then its
 * whole group is ended.
 */
async function run(file, tell) {
  const runner = spawn(process.execPath, ['--test', '--test-force-exit', '--test-reporter=tap', file], {
    stdio: ['ignore', 'pipe', 'inherit'], detached: true,
  })
  groups.add(runner.pid)
  runner.on('exit', () => {
    endGroup(runner.pid)
    groups.delete(runner.pid)
  })
  const ended = new Promise((resolve) => runner.on('close', resolve))
  let report = ''
  for await (const line of createInterface({ input: runner.stdout })) {
    report += `${line}\n`
    if (!/^# (tests|suites|pass|fail|cancelled|skipped|todo) \d+$/.test(line)) tell(`${line}\n`)
  }
  return { report, status: (await ended) ?? 1 }
}

/** Runs the files, so many at a time, and prints what each tells; answers with their reports and whether they took too long. */
async function runAll(files, atOnce, limitMs) {
  const left = [...files]
  const ran = []
  let late = false
  const limit = setTimeout(() => {
    late = true
    left.length = 0
    for (const pid of groups) endGroup(pid)
  }, limitMs)
  const works = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const kept = []
      ran.push(await run(file, atOnce > 1 ? (line) => kept.push(line) : (line) => process.stdout.write(line)))
      process.stdout.write(kept.join(''))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, works))
  clearTimeout(limit)
  return { ran, late }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals: files } = parseArgs({ options: { 'at-once': { type: 'string', default: '1' } }, allowPositionals: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  const { ran, late } = await runAll(files, Number(values['at-once']), Number(process.env.HONINBO_FLOWS_MINUTES ?? 25) * 60_000)
  if (late) process.stdout.write('not ok - the flows came to no end and were ended\n')
  const sum = (word) => ran.reduce((total, { report }) => total + closing(report, word), 0)
  const failed = sum('fail') + sum('cancelled') + (late ? 1 : 0)
  process.stdout.write(`# pass ${sum('pass')}\n# fail ${failed}\n# skipped ${sum('skipped')}\n`)
  process.exit(late ? 1 : Math.max(0, ...ran.map(({ status }) => status)))
}
