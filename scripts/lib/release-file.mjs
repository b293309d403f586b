// Says of a release what programs of earlier versions ask for: version, what is new, and the packages that replace them.
// Usage: node release-file.mjs TAG FOLDER ADDRESS PAGE > release.json
//   FOLDER   holds the packages; those that no program replaces itself by (archives, bills) are left out
//   ADDRESS  where the files of that folder are downloaded from; PAGE is for people
// The file is then signed with the key that programs were built with (`HONINBO_LIST_KEY`): minisign -S -m release.json
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { releaseNotes, shortened, versionOf } from './release-notes.mjs'

const root = join(import.meta.dirname, '../..')

const KINDS = [
  [/_amd64\.deb$/, 'deb', 'x86_64'],
  [/_arm64\.deb$/, 'deb', 'aarch64'],
  [/\.x86_64\.rpm$/, 'rpm', 'x86_64'],
  [/\.aarch64\.rpm$/, 'rpm', 'aarch64'],
  [/-windows-x86_64-setup\.exe$/, 'setup', 'x86_64'],
  [/\.dmg$/, 'dmg', 'aarch64'],
]

/** Bytes of notes that programs take; they refuse a release that says more, and would never offer it. */
export const MAX_NOTES = 100_000

/** The release as `honinbo_shelf::Release` reads it; `files` have `name` and `bytes`. */
export function releaseFile({ version, notes, files, address, page, at }) {
  const packages = files.flatMap(({ name, bytes }) => {
    const [, kind, processor] = KINDS.find(([end]) => end.test(name)) ?? []
    if (!kind) return []
    return { kind, processor, file: name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), addresses: [`${address}/${name}`] }
  })
  for (const [, kind, processor] of KINDS) {
    const found = packages.filter((one) => one.kind === kind && one.processor === processor).length
    if (found !== 1) throw new Error(`there is ${found === 0 ? 'no package' : 'more than one package'} of the kind ${kind} for ${processor}`)
  }
  // Seconds grow with every release, also where one is published again.
  return { serial: Math.floor(at.getTime() / 1000), version, date: at.toISOString().slice(0, 10), page, notes: { en: shortened(notes, MAX_NOTES, page) }, packages }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [tag = '', folder = '.', address = '', page = ''] = process.argv.slice(2)
  try {
    const notes = releaseNotes(tag, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), readFileSync(join(root, 'Cargo.toml'), 'utf8'))
    const files = readdirSync(folder).sort().map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
    console.log(JSON.stringify(releaseFile({ version: versionOf(tag).version, notes, files, address, page, at: new Date() }), null, 2))
  } catch (error) {
    console.error(`error: ${error.message}`)
    process.exitCode = 1
  }
}
