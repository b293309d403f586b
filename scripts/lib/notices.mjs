// Writes the notices of every Rust crate and npm package that is compiled into the programs.
// Usage: node scripts/lib/notices.mjs OUT.txt [TARGET]     TARGET as Rust names it; this machine unless named
// Fails on a licence that is not on the list below, so that a new dependency cannot bring in another kind unseen, and on
// a work without a licence text. The texts that works do not carry themselves are in licences/, out of their
// repositories; licences/index.json says which work has which, licences/other-systems.json those that only macOS or Windows
// have. A repository without such a file has the text that its licence's name stands for.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const allowed = new Set([
  '0BSD', 'Apache-2.0', 'Apache-2.0 WITH LLVM-exception', 'BSD-2-Clause', 'BSD-3-Clause', 'BSL-1.0', 'CC0-1.0',
  'ISC', 'MIT', 'MIT-0', 'MPL-2.0', 'Unicode-3.0', 'Unlicense', 'Zlib',
])

/** Whether an SPDX expression can be met with allowed licences alone. */
export function isAllowed(expression) {
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

const kept = join(dirname(fileURLToPath(import.meta.url)), 'licences')

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

function rustCrates(target) {
  const metadata = JSON.parse(
    execFileSync('cargo', ['metadata', '--locked', '--format-version=1', `--filter-platform=${target}`], {
      cwd: root, encoding: 'utf8', maxBuffer: 1 << 28,
    }),
  )
  // The metadata name what a feature could want as well; the tree has what is compiled. What only builds or tests the program
  // is not in it.
  const tree = execFileSync(
    'cargo',
    ['tree', '--locked', `--target=${target}`, '--edges=normal', '--prefix=none', '--format={p}', '-p=honinbo-app', '-p=honinbo-cli', '--features=honinbo-app/custom-protocol'],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  const compiled = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ')))
  return metadata.packages
    .filter((found) => found.source && compiled.has(`${found.name} v${found.version}`))
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

/** What is no package: the forms of Chinese characters in `crates/library/src/facts/han_forms.txt` come from it. */
const DATA = { name: 'Unicode Han Database', version: '15.0', licence: 'Unicode-3.0', url: 'https://www.unicode.org/charts/unihan.html', authors: 'Unicode, Inc.' }

/** Gives the works without a text the one that is kept for them, by name; gives what is wrong, a sentence each. Those of `due` are to be among them. */
export function withKeptTexts(works, index, read, due = Object.keys(index)) {
  const problems = []
  for (const work of works) {
    const file = index[work.name]
    if (work.texts.length === 0 && file) work.texts = [read(file).trim()]
    if (work.texts.length === 0) problems.push(`${work.name} ${work.version} carries no licence text`)
    if (!isAllowed(work.licence)) problems.push(`${work.name} ${work.version} has the licence "${work.licence}"`)
  }
  const names = new Set(works.map((work) => work.name))
  for (const name of due) if (!names.has(name)) problems.push(`the licence kept for ${name} belongs to nothing`)
  return problems
}

/** All works that are compiled into the programs for a system, by name, and what is wrong with their licences. */
export function collect(target = execFileSync('rustc', ['-vV'], { encoding: 'utf8' }).match(/host: (.*)/)[1]) {
  const works = [...rustCrates(target), ...npmPackages(), { ...DATA, texts: [] }].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const indexOf = (file) => JSON.parse(readFileSync(join(kept, file), 'utf8'))
  const [index, elsewhere] = ['index.json', 'other-systems.json'].map(indexOf)
  return { works, problems: withKeptTexts(works, { ...index, ...elsewhere }, (file) => readFileSync(join(kept, file), 'utf8'), target.endsWith('-linux-gnu') ? Object.keys(index) : []) }
}

/** The notices. Many works carry the same text: each is written once, under a number. */
export function noticesOf(works) {
  const numbers = new Map()
  const lines = [
    'Honinbo contains these works of others. Each is followed by the numbers of its licence texts below.', '',
  ]
  for (const found of works) {
    const own = found.texts.map((text) => {
      if (!numbers.has(text)) numbers.set(text, numbers.size + 1)
      return `[${numbers.get(text)}]`
    })
    lines.push(`${found.name} ${found.version}: ${found.licence}${found.authors ? `; ${found.authors}` : ''}${found.url ? `; ${found.url}` : ''} ${own.join(' ')}`)
  }
  for (const [text, number] of numbers) lines.push('', '-'.repeat(100), `[${number}]`, '', text)
  return { text: `${lines.join('\n')}\n`, texts: numbers.size }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { works, problems } = collect(process.argv[3])
  for (const problem of problems) console.error(`error: ${problem}`)
  if (problems.length > 0) process.exit(1)
  const { text, texts } = noticesOf(works)
  writeFileSync(process.argv[2], text)
  console.error(`${works.length} works, ${texts} licence texts`)
}
