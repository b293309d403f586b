// The Windows package: what must be inside, and that installer and uninstaller speak of the same files.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FILES, eachKind, kinds, missing } from './windows-files.mjs'

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
  const resources = installer.slice(installer.indexOf('!macro RemoveResources'), installer.indexOf('Section "Honinbo"'))
  const gone = installer.slice(installer.indexOf('Section "Uninstall"')).replace('  !insertmacro RemoveResources\n', () => resources)
  for (const file of FILES) {
    const [first, second] = file.split('/')
    const taken = second === undefined ? `Delete "$INSTDIR\\${first}"` : `RMDir /r "$INSTDIR\\${first}\\${second}"`
    assert.ok(gone.includes(taken), file)
  }
  // Whatever is written below a key of the installer's own is deleted with it.
  for (const key of ['UNINSTALL}', 'NOTICES}', 'CLASSES}\\Honinbo.record']) assert.ok(gone.includes(`DeleteRegKey HKCU "\${${key}"`), key)
  assert.doesNotMatch(gone, /APPDATA/, 'games and settings are left alone')
})

test('the uninstaller takes its own entry off the path, and running programs hear of it', () => {
  const gone = installer.slice(installer.indexOf('Section "Uninstall"'))
  assert.ok(gone.includes('${un.WordReplace} ";$0;" ";$INSTDIR;" ";" "+" $1'), 'a whole entry, which may be the first, the last or the only one')
  const [written, told] = ['WriteRegExpandStr HKCU "Environment" "Path"', 'SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE}'].map((step) => gone.indexOf(step))
  assert.ok(written > 0 && told > written)
})

test('a folder that may hold other things is never deleted with all that is in it', () => {
  const whole = [...installer.matchAll(/RMDir \/r "([^"]*)"/g)].map(([, folder]) => folder)
  assert.ok(whole.length > 0)
  for (const folder of whole) assert.match(folder, /^\$INSTDIR\\resources\\(onnxruntime|networks|licences|web)$/)
  assert.equal(installer.match(/^ *!insertmacro RemoveResources$/gm).length, 2, 'before a new version as well')
})

test('neither installing nor uninstalling begins while a program runs', () => {
  const sections = installer.split(/^Section /m).slice(1)
  assert.equal(sections.length, 2)
  for (const section of sections) {
    const changes = section.search(/^ *(File|Delete|RMDir|WriteReg|!insertmacro RemoveResources)/m)
    for (const program of FILES.filter((file) => file.endsWith('.exe'))) {
      const asked = section.search(new RegExp(`^ *!insertmacro StopWhileRunning \\w+ ${program.replace('.', '\\.')}$`, 'm'))
      assert.ok(asked > 0 && asked < changes, `${section.split('\n')[0]}: ${program}`)
    }
  }
  assert.match(installer, /SetErrorLevel 1\n *Abort/, 'who installs silently learns of it by the status')
})

test('Windows knows who the notices are from, by the name that the program gives itself', () => {
  const { identifier } = JSON.parse(readFileSync(join(root, 'src-tauri/tauri.conf.json'), 'utf8'))
  assert.ok(installer.includes(`!define NOTICES "\${CLASSES}\\AppUserModelId\\${identifier}"`))
  assert.ok(installer.includes('WriteRegStr HKCU "${NOTICES}" "DisplayName" "Honinbo"'))
  const [, icon] = /"\$\{NOTICES\}" "IconUri" "\$INSTDIR\\resources\\web\\(.*)"/.exec(installer)
  assert.ok(existsSync(join(root, 'ui/public', icon)), icon)
})

test('the installer takes the kinds of records from the table of formats', () => {
  const found = kinds()
  for (const extension of ['sgf', 'gib', 'ngf', 'ugf']) assert.ok(found.includes(extension), extension)
  assert.ok(!found.includes('zip') && !found.includes('gz'))
  assert.equal(eachKind(['sgf', 'gib']), '!macro EachKind do\n  !insertmacro ${do} "sgf"\n  !insertmacro ${do} "gib"\n!macroend\n')
  assert.match(installer, /^!include "kinds.nsh"$/m)
  for (const macro of ['Associate', 'Dissociate']) assert.match(installer, new RegExp(`^  !insertmacro EachKind ${macro}$`, 'm'))
})

test('the installer speaks every language of the window', () => {
  const strings = [...installer.matchAll(/^LangString (\w+) /gm)].map(([, name]) => name)
  for (const name of new Set(strings)) assert.equal(strings.filter((one) => one === name).length, 5, name)
})

test('the trial opens a server with rooms and asks whether it can work', () => {
  const trial = readFileSync(join(root, 'scripts/windows/trial'), 'utf8')
  assert.match(trial, /^run serve --rooms /m)
  assert.match(trial, /^check serve-rooms .*\/api\/ready$/m)
})
