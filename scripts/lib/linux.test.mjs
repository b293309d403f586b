// What the package gives a Linux desktop.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageFiles } from './package-files.mjs'

const root = join(import.meta.dirname, '../..')
const metainfo = 'src-tauri/linux/io.github.honinbo.metainfo.xml'

test('the AppStream metadata is valid', (t) => {
  const checked = spawnSync('appstreamcli', ['validate', '--no-net', join(root, metainfo)], { encoding: 'utf8' })
  if (checked.error) return t.skip('appstreamcli is not there; scripts/setup test installs it')
  assert.equal(checked.status, 0, checked.stdout + checked.stderr)
})

test('the AppStream metadata is that of this program', () => {
  const text = readFileSync(join(root, metainfo), 'utf8')
  const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1]
  const { identifier } = JSON.parse(readFileSync(join(root, 'src-tauri/tauri.conf.json'), 'utf8'))
  assert.match(text, new RegExp(`<id>${identifier}</id>`))
  assert.match(text, new RegExp(`<release version="${version}"`))
})

test('the AppStream metadata says as much in every language', () => {
  const text = readFileSync(join(root, metainfo), 'utf8')
  const told = (pattern) => [...text.matchAll(pattern)].length
  for (const tag of ['name', 'summary', 'p', 'li']) {
    const english = told(new RegExp(`^\\s*<${tag}>(?!The Honinbo authors)`, 'gm'))
    assert.ok(english > 0, tag)
    for (const language of ['ja', 'ko', 'zh_CN', 'zh_TW']) assert.equal(told(new RegExp(`<${tag} xml:lang="${language}">`, 'g')), english, `${tag} ${language}`)
  }
})

test('the rpm package needs what packages of Fedora and openSUSE provide, and the same glibc as the deb', () => {
  const { deb, rpm } = JSON.parse(readFileSync(join(root, 'src-tauri/tauri.package.json'), 'utf8')).bundle.linux
  // The bundler takes each for a name, a comparison too; and libraries are called the same everywhere.
  for (const name of rpm.depends) assert.match(name, /^lib[\w+]+\.so\.\d+\((GLIBC_[\d.]+)?\)\(64bit\)$/)
  for (const name of rpm.recommends) assert.match(name, /^[\w.+-]+$/)
  const glibc = (words) => words.map((word) => /^libc(?:6 \(>= |\.so\.6\(GLIBC_)([\d.]+)\)/.exec(word)?.[1]).filter(Boolean)
  assert.deepEqual(glibc(rpm.depends), glibc(deb.depends))
  assert.equal(glibc(deb.depends).length, 1)
})

test('every page and completion has its place in the package', (t) => {
  const pages = mkdtempSync(join(tmpdir(), 'pages-'))
  t.after(() => rmSync(pages, { recursive: true }))
  mkdirSync(join(pages, 'man1'))
  for (const page of ['honinbo.1.gz', 'honinbo-run.1.gz']) writeFileSync(join(pages, 'man1', page), '')
  const { files } = packageFiles('/x/honinbo', pages).bundle.linux.deb
  assert.equal(files['/usr/bin/honinbo'], '/x/honinbo')
  assert.equal(files['/usr/share/man/man1/honinbo-run.1.gz'], join(pages, 'man1/honinbo-run.1.gz'))
  assert.equal(Object.keys(files).length, 7)
})

test('systemd knows every line of the unit for a server', (t) => {
  const unit = readFileSync(join(root, 'packaging/server/honinbo.service'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'unit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // The package need not be installed here, nor its manual pages.
  const file = join(folder, 'honinbo.service')
  writeFileSync(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true').replace(/^Documentation=.*\n/m, ''))
  const checked = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  if (checked.error) return t.skip('systemd-analyze is not there')
  // Of other units of this machine nothing is asked.
  assert.deepEqual(checked.stderr.split('\n').filter((line) => line.includes(file)), [])
})

test('a server in the unit sees the addresses of its machine, which it announces by multicast DNS', () => {
  assert.match(readFileSync(join(root, 'packaging/server/honinbo.service'), 'utf8'), /^RestrictAddressFamilies=.*\bAF_NETLINK\b/m)
})
