// The Windows package: what must be inside, and that installer and uninstaller speak of the same files.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FILES, missing } from './windows-files.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const installer = readFileSync(join(root, 'scripts/windows/honinbo.nsi'), 'utf8')

test('a folder with all files is whole, and each that is missing or empty is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'windows-'))
  try {
    for (const file of FILES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), 'x')
    }
    assert.deepEqual(missing(folder), [])
    rmSync(join(folder, 'honinbo.exe'))
    writeFileSync(join(folder, 'resources/web/index.html'), '')
    assert.deepEqual(missing(folder), ['honinbo.exe', 'resources/web/index.html'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the uninstaller takes away everything that the installer puts there', () => {
  const gone = installer.slice(installer.indexOf('Section "Uninstall"'))
  for (const file of FILES) {
    const [first, second] = file.split('/')
    const taken = second === undefined ? `Delete "$INSTDIR\\${first}"` : `RMDir /r "$INSTDIR\\${first}\\${second}"`
    assert.ok(gone.includes(taken), file)
  }
  // Whatever is written below a key of the installer's own is deleted with it.
  for (const key of ['UNINSTALL}', 'CLASSES}\\Honinbo.record']) assert.ok(gone.includes(`DeleteRegKey HKCU "\${${key}"`), key)
  assert.doesNotMatch(gone, /APPDATA/, 'games and settings are left alone')
})

test('the installer knows every kind of record that the package for Debian opens, and every language of the window', () => {
  const bindings = readFileSync(join(root, 'ui/src/api/bindings.ts'), 'utf8')
  const kinds = [...bindings.matchAll(/name: "([A-Z]+)", extensions: \["(\w+)"/g)].map(([, , extension]) => extension)
  for (const extension of kinds.filter((one) => !['zip', 'gz'].includes(one))) {
    assert.ok(installer.includes(`Associate "${extension}"`), extension)
    assert.ok(installer.includes(`Dissociate "${extension}"`), extension)
  }
  const strings = [...installer.matchAll(/^LangString (\w+) /gm)].map(([, name]) => name)
  for (const name of new Set(strings)) assert.equal(strings.filter((one) => one === name).length, 5, name)
})
