// What the desktop hears of the app: files that are used, notices, and games that are dragged out. On Linux.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as flows from '../flows.mjs'
import { listenToBus, startBus } from '../support/bus.mjs'
import { game, ownFolder } from '../support/machine.mjs'
import { runToEnd } from '../support/programs.mjs'
import { openWindow } from '../support/window.mjs'

test('a file that was opened is among the recent ones, and a notice reaches the desktop', { timeout: 300_000 }, async (t) => {
  const home = ownFolder(t)
  const bus = await startBus(t)
  const heard = await listenToBus(t, bus, "type='method_call',interface='org.freedesktop.Notifications'")
  const { screen, session } = await openWindow(t, { args: [game], env: { DBUS_SESSION_BUS_ADDRESS: bus, XDG_DATA_HOME: home } })
  await flows.gameIsShown(screen)
  const recent = join(home, 'recently-used.xbel')
  await screen.until('the file among the recent ones', () => existsSync(recent) && readFileSync(recent, 'utf8').includes(pathToFileURL(game).href))

  // Nobody is asked before it is wanted, and the window is in front: the way to the desktop alone is tried.
  await session.executeScript(`window.__TAURI_INTERNALS__.invoke('plugin:notification|notify', { options: { title: 'The review is finished', body: 'Alice – Bob' } }).catch(() => undefined)`)
  await screen.until('the notice', () => heard().includes('The review is finished'))
  assert.match(heard(), /member=Notify[\s\S]*Alice – Bob/)
})

test('a game is dragged out of the window into another program as a file, and dropped back it opens nothing', { timeout: 300_000 }, async (t) => {
  const { screen, session, data } = await openWindow(t, { args: [game] })
  await flows.gameIsShown(screen)
  await session.manage().window().setRect({ x: 0, y: 0, width: 1200, height: 800 })
  await screen.until('the smaller window', async () => (await session.executeScript('return innerWidth')) === 1200)
  const tabs = await screen.count('.tabs .tab')
  const drag = async (...elsewhere) => {
    const tab = await screen.find('.tabs .tab.active .title')
    const places = [300, 300, 1250, 200, tab.x, tab.y, ...elsewhere].map(one => String(Math.round(one)))
    return runToEnd('/usr/bin/python3', [fileURLToPath(new URL('../support/drop_target.py', import.meta.url)), ...places])
  }
  const { status, stdout, stderr } = await drag()
  assert.equal(status, 0, stderr)
  const file = fileURLToPath(stdout.trim())
  assert.ok(file.startsWith(data), file)
  assert.match(readFileSync(file, 'utf8'), /;B\[/)
  // Over its own board the window says that files may be dropped, and takes this one for what it is.
  assert.equal((await drag(600, 400)).status, 0)
  await screen.settled()
  assert.equal(await screen.count('.tabs .tab'), tabs)
})
