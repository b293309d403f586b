// The real window: the app under the system's WebKitWebDriver, on whatever display DISPLAY names.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Builder, Capabilities, Key, Origin } from 'selenium-webdriver'
import { atEnd } from './endings.mjs'
import { app, dataFolder } from './machine.mjs'
import { Screen } from './screen.mjs'

const driverProgram = ['/usr/bin/WebKitWebDriver', '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/WebKitWebDriver'].find(existsSync)

const KEYS = {
  ArrowLeft: Key.ARROW_LEFT, ArrowRight: Key.ARROW_RIGHT, ArrowUp: Key.ARROW_UP, ArrowDown: Key.ARROW_DOWN,
  Enter: Key.ENTER, Escape: Key.ESCAPE, Tab: Key.TAB, Home: Key.HOME, End: Key.END, PageUp: Key.PAGE_UP, PageDown: Key.PAGE_DOWN,
  Delete: Key.DELETE, F1: Key.F1, F2: Key.F2, Backspace: Key.BACK_SPACE, ' ': ' ', Control: Key.CONTROL, Shift: Key.SHIFT, Alt: Key.ALT, Meta: Key.META,
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Asks the driver and all that it started to end, and makes them end. */
async function stopGroup(driver) {
  const send = (signal) => {
    try {
      process.kill(-driver.pid, signal)
      return true
    } catch {
      return false // Nobody of the group is left.
    }
  }
  if (!send('SIGTERM')) return
  for (let waited = 0; waited < 3_000; waited += 50) {
    await sleep(50)
    if (!send(0)) return
  }
  send('SIGKILL')
}

/** Starts the app with the given arguments and answers with its window. */
export async function openWindow(test, { args = [], data = dataFolder(test), env = {}, counted = undefined } = {}) {
  if (!driverProgram) throw new Error('WebKitWebDriver is not installed: run scripts/setup test')
  const port = await freePort()
  const driver = spawn(driverProgram, [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, TAURI_WEBVIEW_AUTOMATION: 'true', HONINBO_DATA: data, LANG: 'en_US.UTF-8', LANGUAGE: 'en', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, so that an app that outlives its session is ended with it.
    detached: true,
  })
  let noise = ''
  driver.stderr.on('data', (chunk) => { noise += chunk })
  const capabilities = new Capabilities()
  capabilities.set('browserName', 'wry')
  capabilities.set('webkitgtk:browserOptions', { binary: app, args })
  let session
  atEnd(test, async () => {
    await Promise.race([session?.quit().catch(() => undefined), sleep(5_000)])
    await stopGroup(driver)
  })
  for (let attempt = 1; ; attempt++) {
    try {
      session = await new Builder().usingServer(`http://127.0.0.1:${port}/`).withCapabilities(capabilities).build()
      break
    } catch (error) {
      // The driver needs a moment to listen; anything else is the app's fault.
      if (attempt >= 40 || !/ECONNREFUSED/.test(String(error))) throw new Error(`the window did not open: ${error}\n${noise}`, { cause: error })
      await sleep(50)
    }
  }
  const at = (x, y) => ({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT, duration: 0 })
  const screen = new Screen({
    evaluate: (source, ...given) => session.executeScript(source, ...given),
    move: (x, y) => session.actions().move(at(x, y)).perform(),
    click: (x, y) => session.actions().move(at(x, y)).press().release().perform(),
    doubleClick: (x, y) => session.actions().move(at(x, y)).press().release().press().release().perform(),
    drag: (from, to) => session.actions().move(at(from.x, from.y)).press().move(at((from.x + to.x) / 2, (from.y + to.y) / 2)).move(at(to.x, to.y)).release().perform(),
    async press(key, modifiers = []) {
      let actions = session.actions()
      for (const modifier of modifiers) actions = actions.keyDown(KEYS[modifier])
      actions = actions.sendKeys(KEYS[key] ?? key)
      for (const modifier of modifiers.toReversed()) actions = actions.keyUp(KEYS[modifier])
      await actions.perform()
    },
    type: (text) => session.actions().sendKeys(text).perform(),
    picture: async () => Buffer.from(await session.takeScreenshot(), 'base64'),
  }, counted)
  return { screen, session, data, driverPid: driver.pid }
}

/**
 * The next time the app opens one of the system's dialogs (`save`, `open`), this is the person's answer. Those dialogs lie
 * outside the web view, where WebDriver has no hands; the app's own part, from the button to the file, is the real one.
 */
export async function answerDialog(session, which, answer) {
  await session.executeScript(`
    const [which, answer] = arguments
    const real = window.fetch
    window.fetch = (to, ...rest) => {
      if (!decodeURIComponent(String(to)).endsWith('plugin:dialog|' + which)) return real(to, ...rest)
      window.fetch = real
      return Promise.resolve(new Response(JSON.stringify(answer), { headers: { 'Tauri-Response': 'ok', 'Content-Type': 'application/json' } }))
    }
  `, which, answer)
}
