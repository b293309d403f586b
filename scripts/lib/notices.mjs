// Writes the notices of every Rust crate and npm package that is compiled into the programs.
// Usage: node scripts/lib/notices.mjs OUT.txt
// Fails on a licence that is not on the list below, so that a new dependency cannot bring in another kind unseen.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const allowed = new Set([
  '0BSD', 'Apache-2.0', 'Apache-2.0 WITH LLVM-exception', 'BSD-2-Clause', 'BSD-3-Clause', 'BSL-1.0', 'CC0-1.0',
  'ISC', 'MIT', 'MIT-0', 'MPL-2.0', 'Unicode-3.0', 'Unlicense', 'Zlib',
])

/** Whether an SPDX expression can be met with allowed licences alone. */
function isAllowed(expression) {
  const tokens = expression.replaceAll('/', ' OR ').match(/\(|\)|[^\s()]+/g) ?? []
  let at = 0
  function primary() {
    if (tokens[at] === '(') {
      at++
      const value = either()
      at++
      return value
    }
    let name = tokens[at++]
    if (tokens[at] === 'WITH') name += ` WITH ${tokens[(at += 2) - 1]}`
    return allowed.has(name)
  }
  function both() {
    let value = primary()
    while (tokens[at] === 'AND') {
      at++
      value = primary() && value
    }
    return value
  }
  function either() {
    let value = both()
    while (tokens[at] === 'OR') {
      at++
      value = both() || value
    }
    return value
  }
  return tokens.length > 0 && either()
}

/** The texts of a package's licence files, nearest folder only. */
function licenceTexts(folder) {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(name) && !/\.(rs|html)$/i.test(name))
    .sort()
    .flatMap((name) => {
      try {
        return [readFileSync(join(folder, name), 'utf8').trim()]
      } catch {
        return [] // A folder named LICENSES.
      }
    })
}

function rustCrates() {
  const target = execFileSync('rustc', ['-vV'], { encoding: 'utf8' }).match(/host: (.*)/)[1]
  const metadata = JSON.parse(
    execFileSync('cargo', ['metadata', '--locked', '--format-version=1', `--filter-platform=${target}`], {
      cwd: root, encoding: 'utf8', maxBuffer: 1 << 28,
    }),
  )
  const packages = new Map(metadata.packages.map((found) => [found.id, found]))
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]))
  const seen = new Set()
  const waiting = metadata.packages
    .filter((found) => ['honinbo-app', 'honinbo-cli'].includes(found.name) && !found.source)
    .map((found) => found.id)
  while (waiting.length > 0) {
    const id = waiting.pop()
    if (seen.has(id)) continue
    seen.add(id)
    for (const dependency of nodes.get(id).deps) {
      // What only builds or tests the program is not in it.
      if (dependency.dep_kinds.some((kind) => kind.kind === null)) waiting.push(dependency.pkg)
    }
  }
  return [...seen]
    .map((id) => packages.get(id))
    .filter((found) => found.source)
    .map((found) => ({
      name: found.name, version: found.version, licence: found.license ?? '', url: found.repository ?? '',
      authors: found.authors.join(', '), texts: licenceTexts(dirname(found.manifest_path)),
    }))
}

function npmPackages() {
  const seen = new Map()
  const waiting = [{ manifest: join(root, 'ui/package.json'), from: join(root, 'ui') }]
  while (waiting.length > 0) {
    const { manifest, from } = waiting.pop()
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
    for (const name of Object.keys(dependencies)) {
      let folder = from
      while (!existsSync(join(folder, 'node_modules', name, 'package.json'))) {
        if (folder === dirname(folder)) throw new Error(`the npm package ${name} is not installed`)
        folder = dirname(folder)
      }
      const found = join(folder, 'node_modules', name)
      if (seen.has(found)) continue
      const about = JSON.parse(readFileSync(join(found, 'package.json'), 'utf8'))
      const author = typeof about.author === 'string' ? about.author : about.author?.name
      seen.set(found, {
        name, version: about.version, licence: about.license ?? '', url: about.homepage ?? '',
        authors: author ?? '', texts: licenceTexts(found),
      })
      waiting.push({ manifest: join(found, 'package.json'), from: found })
    }
  }
  return [...seen.values()]
}

const all = [...rustCrates(), ...npmPackages()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
const refused = all.filter((found) => !isAllowed(found.licence))
if (refused.length > 0) {
  for (const found of refused) console.error(`error: ${found.name} ${found.version} has the licence "${found.licence}"`)
  process.exit(1)
}

// Many packages carry the same text: each is written once, under a number.
const numbers = new Map()
const lines = [
  'Honinbo contains these works of others. Each is followed by the numbers of its licence texts below.', '',
]
for (const found of all) {
  const own = found.texts.map((text) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size + 1)
    return `[${numbers.get(text)}]`
  })
  lines.push(`${found.name} ${found.version}: ${found.licence}${found.authors ? `; ${found.authors}` : ''}${found.url ? `; ${found.url}` : ''} ${own.join(' ')}`.trimEnd())
}
for (const [text, number] of numbers) lines.push('', '-'.repeat(100), `[${number}]`, '', text)
writeFileSync(process.argv[2], `${lines.join('\n')}\n`)
console.error(`${all.length} works, ${numbers.size} licence texts`)
