// What a release page says: the section of CHANGELOG.md for its version.
// Usage: node release-notes.mjs TAG [CHANGELOG]     TAG is v1.2.3 or 1.2.3; it must be the version of Cargo.toml
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')

/** The version that a tag names, and whether it is one to try before a release, such as `1.2.0-beta.1`. */
export function versionOf(tag) {
  const found = /^v?(\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?)$/.exec(tag)
  if (!found) throw new Error(`${tag} is no version such as v1.2.3`)
  return { version: found[1], prerelease: found[2] !== undefined }
}

/** The lines below `## VERSION`, up to the next heading of that kind; a date may follow the version. */
export function notesFor(changelog, version) {
  const lines = changelog.split('\n')
  const begin = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} - `))
  if (begin < 0) throw new Error(`CHANGELOG.md has no section "## ${version}"; rename "## Unreleased" when it is released`)
  const length = lines.slice(begin + 1).findIndex((line) => line.startsWith('## '))
  const notes = lines.slice(begin + 1, length < 0 ? undefined : begin + 1 + length).join('\n').trim()
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return notes
}

/** Characters that GitHub takes as the text of a release page; with more it refuses the page. */
const MAX_PAGE = 125_000

/** A text of at most `most` bytes: whole lines from its beginning and, where something is left out, where all of it is. */
export function shortened(text, most, whole) {
  if (Buffer.byteLength(text) <= most) return text
  const end = `\n\n… ${whole}`
  let left = most - Buffer.byteLength(end) + 1 // The last line ends without a line break.
  const lines = text.split('\n')
  const cut = lines.findIndex((line) => (left -= Buffer.byteLength(line) + 1) < 0)
  return lines.slice(0, cut).join('\n').trimEnd() + end
}

/** Fails unless the AppStream metadata offers that version to everybody. */
export function checkMetainfo(metainfo, version) {
  const entry = metainfo.match(/<release [^>]*>/g)?.find((one) => one.includes(`version="${version}"`))
  if (!entry) throw new Error(`the AppStream metadata has no release ${version}`)
  if (entry.includes('type="development"')) throw new Error(`the AppStream metadata calls ${version} a development version: take the type away, and give it the day's date`)
}

/** The notes for a tag, which must be the version that the programs say of themselves. */
export function releaseNotes(tag, changelog, cargo) {
  const { version, prerelease } = versionOf(tag)
  if (prerelease) throw new Error(`${version} is a version to try: the newest release is offered to everybody`)
  const own = /^version = "(.*)"$/m.exec(cargo)?.[1]
  if (own !== version) throw new Error(`the tag is ${version}, Cargo.toml says ${own}`)
  return notesFor(changelog, version)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [tag = '', changelog = join(root, 'CHANGELOG.md')] = process.argv.slice(2)
  try {
    const notes = releaseNotes(tag, readFileSync(changelog, 'utf8'), readFileSync(join(root, 'Cargo.toml'), 'utf8'))
    checkMetainfo(readFileSync(join(root, 'src-tauri/linux/io.github.honinbo.metainfo.xml'), 'utf8'), versionOf(tag).version)
    const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY = 'honinbo/honinbo' } = process.env
    console.log(shortened(notes, MAX_PAGE, `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob/${tag}/CHANGELOG.md`))
  } catch (error) {
    console.error(`error: ${error.message}`)
    process.exitCode = 1
  }
}
