import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const bash = (script) => spawnSync('bash', ['-c', script], { cwd: root, encoding: 'utf8' })

test('every script can be run and is understood by bash', () => {
  const scripts = readdirSync(join(root, 'scripts')).filter((name) => statSync(join(root, 'scripts', name)).isFile())
  assert.ok(scripts.includes('run') && scripts.includes('test') && scripts.includes('package'))
  for (const name of scripts) {
    assert.ok(statSync(join(root, 'scripts', name)).mode & 0o100, `${name} may be executed`)
    assert.equal(spawnSync('bash', ['-n', join(root, 'scripts', name)]).status, 0, name)
  }
})

test('a file that is not there, a word that means nothing: one sentence and status 1', () => {
  for (const [command, said] of [
    ['scripts/run no-such-file.sgf', /there is no file no-such-file\.sgf/],
    ['scripts/run a.sgf b.sgf', /one file at most/],
    ['scripts/setup nonsense', /unknown word: nonsense/],
    ['scripts/package nonsense', /unknown word: nonsense/],
    ['scripts/package-appimage nonsense', /unknown word: nonsense/],
    ['CARGO_TARGET_DIR=/nowhere scripts/package-appimage', /there is no package in \/nowhere\/release\/bundle\/deb/],
  ]) {
    const { status, stderr } = bash(command)
    assert.equal(status, 1, command)
    assert.match(stderr, said)
  }
})

test('who may not install packages is told the exact command', () => {
  const { status, stderr } = bash(`
    . scripts/lib/common.sh
    missing_packages() { echo xvfb; echo chromium; }
    id() { echo 1000; }
    have() { [ "$1" = apt-get ]; }
    ensure_packages window-test browser-test`)
  assert.equal(status, 1)
  assert.match(stderr, /sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium xvfb/)
})

test('who may install gets what is missing, and hears if that did not help', () => {
  const { status, stderr } = bash(`
    . scripts/lib/common.sh
    missing_packages() { echo xvfb; }
    id() { echo 0; }
    have() { [ "$1" = apt-get ]; }
    apt-get() { echo "called: $*" >&2; }
    ensure_packages window-test`)
  assert.equal(status, 1)
  assert.match(stderr, /called: install -y --no-install-recommends xvfb/)
  assert.match(stderr, /still missing after the installation: xvfb/)
})

test('an image is not packed without what the toolkit only recommends', (t) => {
  const bare = mkdtempSync(join(tmpdir(), 'honinbo-bare-'))
  t.after(() => rmSync(bare, { recursive: true }))
  const missing = () => bash(`. scripts/lib/common.sh; cc() { echo ../..${bare}; }; missing_packages appimage`).stdout.split('\n')
  const wanted = ['ibus-gtk3', 'fcitx5-frontend-gtk3', 'librsvg2-common', 'dconf-gsettings-backend']
  for (const name of wanted) assert.ok(missing().includes(name), name)
  for (const file of ['gtk-3.0/3.0.0/immodules/im-ibus.so', 'gtk-3.0/3.0.0/immodules/im-fcitx5.so', 'gdk-pixbuf-2.0/2.10.0/loaders/libpixbufloader_svg.so', 'gio/modules/libdconfsettings.so']) {
    mkdirSync(dirname(join(bare, file)), { recursive: true })
    writeFileSync(join(bare, file), '')
  }
  for (const name of wanted) assert.ok(!missing().includes(name), name)
})

test('nothing is asked for when nothing is missing', () => {
  const { status, stderr } = bash('. scripts/lib/common.sh; missing_packages() { :; }; ensure_packages window')
  assert.equal(status, 0, stderr)
  assert.equal(stderr, '')
})

test('the interface is built once in a fresh clone, and again when a file of it came, changed or went', (t) => {
  const clone = mkdtempSync(join(tmpdir(), 'honinbo-clone-'))
  t.after(() => rmSync(clone, { recursive: true }))
  mkdirSync(join(clone, 'ui/src'), { recursive: true })
  for (const file of ['package-lock.json', 'ui/index.html', 'ui/src/main.ts']) writeFileSync(join(clone, file), '')
  const builds = () => {
    const { status, stderr } = bash(`
      . scripts/lib/common.sh
      root=${clone} cache=${clone}/.cache
      npm() { sleep 0.05; mkdir -p ui/dist; rm -f ui/dist/*; touch ui/dist/index.html; }
      ensure_ui`)
    assert.equal(status, 0, stderr)
    return stderr.includes('building the interface')
  }
  // Its folder is made by the first build, which changes the folder that holds it.
  assert.deepEqual([builds(), builds(), builds()], [true, false, false])
  writeFileSync(join(clone, 'ui/src/more.ts'), '')
  assert.deepEqual([builds(), builds()], [true, false])
  unlinkSync(join(clone, 'ui/src/more.ts'))
  assert.deepEqual([builds(), builds()], [true, false])
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  assert.deepEqual([builds(), builds()], [true, false])
})

test('a package for Windows leaves nothing mounted, also when a step fails', () => {
  const script = readFileSync(join(root, 'scripts/package-windows'), 'utf8')
  const [known, caught, mounted] = ['chroot="$work/root"', '\ntrap unmount EXIT\n', 'mount --bind'].map((part) => script.indexOf(part))
  assert.ok(known > 0 && known < caught && caught < mounted)
})

test('what is downloaded is pinned by version and by checksum', () => {
  const resources = readFileSync(join(root, 'scripts/resources'), 'utf8')
  assert.ok((resources.match(/[0-9a-f]{64}/g) ?? []).length >= 6)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.link || !path.includes('node_modules/')) continue
    assert.ok(entry.integrity, `${path} has a checksum`)
    assert.equal(entry.resolved, undefined, `${path} names no registry`)
  }
})

test('a test in Rust that does not run says so by the testkit, where it is counted', () => {
  // Both ways to say it would count as passed, and a variable that is set to 0 as set.
  const others = [/eprintln!\(\s*"skipped\b/i, /var(_os)?\(\s*"HONINBO_SLOW_TESTS"/]
  const { stdout } = spawnSync('git', ['ls-files', '*.rs'], { cwd: root, encoding: 'utf8' })
  const tracked = stdout.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
  const files = tracked.filter((file) => !file.startsWith('crates/testkit/'))
  assert.ok(files.length > 100)
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const other of others) assert.doesNotMatch(text, other, `${file}: use honinbo_testkit::fixtures`)
  }
})
