// Finds dependencies of the Rust crates that nothing names: in a crate's own list, and in the workspace's.
// Usage: node scripts/lib/dependencies.mjs     prints them and fails when there are any
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Whether Rust code names a crate. A word in a comment is no use; an example in a documentation comment is one. */
export function names(code, crate) {
  const name = crate.replaceAll('-', '_')
  const plain = code.replaceAll(/(^|[^:/])\/\/(?![/!]).*$/gm, '$1')
  return new RegExp(`(^|[^\\w:])(::)?${name}(::|!)|\\b(use|extern crate) (::)?${name}\\b`, 'm').test(plain)
}

/** Dependencies that nothing names. `crates`: name, dependencies ({ name, kind }), and code by kind. */
export function unused(crates) {
  return crates.flatMap(({ name, dependencies, code }) =>
    dependencies
      // What the program is built from may be needed by its tests alone, but then it belongs to them.
      .filter((dependency) => !names(code[dependency.kind ?? 'normal'] ?? '', dependency.name))
      .map((dependency) => `${name}: ${dependency.name}${dependency.kind ? ` (${dependency.kind})` : ''}`),
  )
}

/** Names of a manifest's `[workspace.dependencies]` that no manifest takes over. */
export function notTakenOver(workspace, manifests) {
  const section = workspace.match(/^\[workspace\.dependencies\]\n([\s\S]*?)(?=^\[)/m)?.[1] ?? ''
  const offered = [...section.matchAll(/^([\w-]+) *=/gm)].map(([, name]) => name)
  const all = manifests.join('\n')
  return offered.filter((name) => !new RegExp(`^${name}(\\.workspace *= *true| *=.*workspace *= *true)`, 'm').test(all))
}

/** The text of all Rust files below some paths. */
function codeOf(...paths) {
  return paths
    .filter((path) => existsSync(path))
    .map((path) => {
      if (statSync(path).isFile()) return readFileSync(path, 'utf8')
      const files = readdirSync(path, { recursive: true }).filter((name) => name.endsWith('.rs'))
      return files.map((name) => readFileSync(join(path, name), 'utf8')).join('\n')
    })
    .join('\n')
}

/** What fuzz targets include from beside them. */
function besides(folder) {
  return [join(folder, 'fuzz_targets'), ...readdirSync(folder).filter((name) => name.endsWith('.rs')).map((name) => join(folder, name))]
}

function cratesOf(manifest) {
  const metadata = execFileSync('cargo', ['metadata', '--no-deps', '--format-version=1', '--manifest-path', manifest], {
    encoding: 'utf8', maxBuffer: 1 << 28,
  })
  return JSON.parse(metadata).packages.map((found) => {
    const folder = dirname(found.manifest_path)
    const sources = (...kinds) =>
      found.targets.filter((target) => target.kind.some((kind) => kinds.includes(kind))).map((target) => dirname(target.src_path))
    return {
      name: found.name,
      manifest: readFileSync(found.manifest_path, 'utf8'),
      dependencies: found.dependencies.map(({ name, rename, kind }) => ({ name: rename ?? name, kind })),
      code: {
        normal: codeOf(...sources('lib', 'bin', 'rlib', 'cdylib', 'staticlib'), ...(folder.endsWith('/fuzz') ? besides(folder) : [])),
        dev: codeOf(join(folder, 'src'), ...sources('test', 'example', 'bench')),
        build: codeOf(join(folder, 'build.rs')),
      },
    }
  })
}

/** What is wrong in this repository, a sentence each. */
export function problems() {
  const fuzz = readdirSync(join(root, 'crates'))
    .map((name) => join(root, 'crates', name, 'fuzz/Cargo.toml'))
    .filter((path) => existsSync(path))
  const crates = cratesOf(join(root, 'Cargo.toml'))
  const workspace = readFileSync(join(root, 'Cargo.toml'), 'utf8')
  return [
    ...unused([...crates, ...fuzz.flatMap(cratesOf)]).map((one) => `${one} is not used`),
    ...notTakenOver(workspace, crates.map((crate) => crate.manifest)).map((one) => `the workspace's ${one} is taken over by no crate`),
  ]
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = problems()
  for (const problem of found) console.error(`error: ${problem}`)
  process.exit(found.length > 0 ? 1 : 0)
}
