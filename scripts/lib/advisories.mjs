// Compares Cargo.lock with the security advisories of RustSec that are kept beside this script, without a network.
// An advisory that the lock file is affected by is an error, unless deny.toml ignores it and says why.
// Usage: node scripts/lib/advisories.mjs                prints what is wrong
//        node scripts/lib/advisories.mjs update FOLDER  keeps the advisories of a checkout of rustsec/advisory-db
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const database = join(here, 'advisories.json')

/** A version's numbers and the words after them: `1.2.3-rc.4` is [[1, 2, 3], ['rc', 4]]. */
function parts(version) {
  const [numbers, words = ''] = version.trim().split('+')[0].split(/-(.*)/s)
  const word = (text) => (/^\d+$/.test(text) ? Number(text) : text)
  return [numbers.split('.').map(Number), words ? words.split('.').map(word) : []]
}

/** Negative, zero or positive, as the first version is older, the same or newer. */
export function compare(one, other) {
  const [[a, aWords], [b, bWords]] = [parts(one), parts(other)]
  for (let at = 0; at < 3; at++) if ((a[at] ?? 0) !== (b[at] ?? 0)) return (a[at] ?? 0) - (b[at] ?? 0)
  if (aWords.length === 0 || bWords.length === 0) return bWords.length - aWords.length
  for (let at = 0; at < Math.max(aWords.length, bWords.length); at++) {
    const [x, y] = [aWords[at], bWords[at]]
    if (x === y) continue
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1
    if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1
    return x < y ? -1 : 1
  }
  return 0
}

/** The first version that `^version` or `~version` leaves out. */
function end(version, operator) {
  const [numbers] = parts(version)
  const first = operator === '~' ? Math.min(1, numbers.length - 1) : numbers.findIndex((number) => number > 0)
  const at = first < 0 ? numbers.length - 1 : first
  return [0, 1, 2].map((place) => (place < at ? numbers[place] : place === at ? numbers[at] + 1 : 0)).join('.')
}

/** Whether a version meets a requirement as Cargo writes it, such as `>= 0.4.1, < 0.5.0`. */
export function meets(version, requirement) {
  return requirement.split(',').every((one) => {
    const [, operator, bound] = one.trim().match(/^(>=|<=|>|<|=|\^|~)?\s*(\d\S*)$/) ?? []
    if (!bound) throw new Error(`${requirement} is no requirement`)
    const order = compare(version, bound)
    switch (operator) {
      case '>=': return order >= 0
      case '<=': return order <= 0
      case '>': return order > 0
      case '<': return order < 0
      case '=': return order === 0
      default: return order >= 0 && compare(version, end(bound, operator)) < 0
    }
  })
}

/** The advisories that packages are affected by. */
export function affecting(packages, advisories) {
  return packages.flatMap(({ name, version }) =>
    advisories
      .filter((advisory) => advisory.package === name)
      .filter(({ patched, unaffected }) => ![...patched, ...unaffected].some((requirement) => meets(version, requirement)))
      .map((advisory) => ({ ...advisory, version })),
  )
}

/** Name and version of each package of a Cargo.lock. */
export function locked(text) {
  return [...text.matchAll(/^name = "(.*)"\nversion = "(.*)"$/gm)].map(([, name, version]) => ({ name, version }))
}

/** Advisories that deny.toml ignores. Each has a reason, or cargo-deny would not read it so. */
export function ignored(text) {
  return [...text.matchAll(/\{ *id = "(RUSTSEC-[\d-]+)", *reason = "[^"]+" *\}/g)].map(([, id]) => id)
}

/** What is wrong in this repository, a sentence each. */
export function problems() {
  const { advisories } = JSON.parse(readFileSync(database, 'utf8'))
  const found = affecting(locked(readFileSync(join(root, 'Cargo.lock'), 'utf8')), advisories)
  const excused = ignored(readFileSync(join(root, 'deny.toml'), 'utf8'))
  const open = found.filter(({ id }) => !excused.includes(id))
  const needless = excused.filter((id) => !found.some((one) => one.id === id))
  return [
    ...open.map((one) => `${one.package} ${one.version}: ${one.id}${one.kind ? ` (${one.kind})` : ''}, https://rustsec.org/advisories/${one.id}`),
    ...needless.map((id) => `deny.toml ignores ${id}, which affects nothing here`),
  ]
}

/** The part of an advisory that is needed here; nothing for one that was withdrawn. */
export function readAdvisory(text) {
  const toml = text.match(/```toml\n([\s\S]*?)```/)?.[1] ?? ''
  const value = (key) => toml.match(new RegExp(`^${key} = "(.*)"`, 'm'))?.[1]
  const list = (key) => [...(toml.match(new RegExp(`^${key} = \\[([\\s\\S]*?)\\]`, 'm'))?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(([, one]) => one)
  if (value('withdrawn') !== undefined) return undefined
  const kind = value('informational')
  return { id: value('id'), package: value('package'), ...(kind ? { kind } : {}), patched: list('patched'), unaffected: list('unaffected') }
}

function update(folder) {
  const read = (path) => readAdvisory(readFileSync(path, 'utf8'))
  const files = readdirSync(join(folder, 'crates'), { recursive: true }).filter((name) => /RUSTSEC-[\d-]+\.md$/.test(name))
  const advisories = files.map((name) => read(join(folder, 'crates', name))).filter((one) => one && one.kind !== 'notice')
  advisories.sort((a, b) => (a.id < b.id ? -1 : 1))
  const date = execFileSync('git', ['-C', folder, 'log', '-1', '--format=%cs'], { encoding: 'utf8' }).trim()
  const lines = advisories.map((one) => `    ${JSON.stringify(one)}`)
  writeFileSync(database, `{\n  "source": "https://github.com/rustsec/advisory-db",\n  "date": "${date}",\n  "advisories": [\n${lines.join(',\n')}\n  ]\n}\n`)
  console.error(`${advisories.length} advisories of ${date}`)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv[2] === 'update') {
    update(process.argv[3])
  } else {
    const found = problems()
    for (const problem of found) console.error(`error: ${problem}`)
    process.exit(found.length > 0 ? 1 : 0)
  }
}
