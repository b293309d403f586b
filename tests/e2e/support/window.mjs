// The real window: the app under the system's WebKitWebDriver, on whatever display DISPLAY names.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/**
 * Who of a group of processes still runs; an entry that only waits to be read by its parent does not count. While a
 * program ends, its first thread may be such an entry before the others, and the window goes with the last of them.
 */
function running(group) {
  return readdirSync('/proc').map(Number).filter((pid) => {
    if (!(pid > 0)) return false
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [state, , its] = fields
      const threads = Number(fields[17])
      return Number(its) === group && (state !== 'Z' || threads > 1)
    } catch {
      return false // It ended meanwhile.
    }
  })
}

/** Waits until nobody of a driver's group runs but those; says whether it came to that. */
async function isAlone(driver, but, timeoutMs) {
  for (let waited = 0; ; waited += 50) {
    if (running(driver.pid).every((pid) => but.includes(pid))) return true
    if (waited >= timeoutMs) return false
    await sleep(50)
  }
}

/** Asks the driver and all that it started to end, and makes them end. */
async function stopGroup(driver) {
  const send = (signal) => {
    try {
      process.kill(-driver.pid, signal)
    } catch {
      // Nobody of the group is left.
    }
  }
  send('SIGTERM')
  if (!await isAlone(driver, [], 3_000)) send('SIGKILL')
}

/** Makes every request to the driver end: one that it never answers would end the whole test and not tell which it was. */
function answersWithin(session, limitMs) {
  const give = session.execute.bind(session)
  session.execute = async (command) => {
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the driver did not answer ${command.getName()} within ${limitMs} ms`)), limitMs)
    })
    try {
      return await Promise.race([give(command), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Starts the app, or a `program` that becomes it, with the given arguments and answers with its window. */
export async function openWindow(test, { args = [], data = dataFolder(test), env = {}, counted = undefined, program = app } = {}) {
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
  capabilities.set('webkitgtk:browserOptions', { binary: program, args })
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
  answersWithin(session, 90_000)
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
  /** Waits until the program has ended: who starts it again means to start it, not to meet it. */
  async function ended() {
    if (!await isAlone(driver, [driver.pid], 60_000)) throw new Error('the program runs on without its window')
  }
  async function leave() {
    await session.quit()
    await ended()
  }
  return { screen, session, leave, ended, data, driverPid: driver.pid }
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
