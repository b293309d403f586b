// What the desktop hears of the app: files that are used, and notices. On Linux.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as flows from '../flows.mjs'
import { listenToBus, startBus } from '../support/bus.mjs'
import { game, ownFolder } from '../support/machine.mjs'
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
