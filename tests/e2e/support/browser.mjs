// A real browser: the system's Chromium, driven by Playwright.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { atEnd } from './endings.mjs'
import { Screen } from './screen.mjs'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** The one Chromium of this process, while anybody looks through it. */
let running
let lookers = 0
let idle

/** A browser's own half second to start and another third to end are spent once for the flows of a file, not for each. */
async function share() {
  clearTimeout(idle)
  lookers++
  // The sandbox needs privileges that a container does not give; nothing but our own page is opened.
  running ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'] })
  try {
    return await running
  } catch (fault) {
    running = undefined
    throw fault
  }
}
function leave() {
  lookers--
  // The next flow may begin at once; after the last one nothing may keep the process from ending.
  if (lookers === 0) {
    idle = setTimeout(() => {
      const last = running
      running = undefined
      void last.then((browser) => browser.close())
    }, 2_000)
  }
}

/**
 * Opens an address as in a browser of its own: nothing of another one's is kept in it. A `phone` has fingers and neither
 * mouse nor keys, and with `taps` a click is one. `faults` gathers what the page complains of; `close` ends it before the
 * test does.
 */
export async function openBrowser(test, url, { width = 1280, height = 800, scale = 1, locale = 'en-US', colorScheme = 'light', touch = false, phone = false, taps = false, reducedMotion = 'reduce', counted = undefined } = {}) {
  const browser = await share()
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, locale, colorScheme, hasTouch: touch || phone, isMobile: phone, reducedMotion })
  let open = true
  const close = async () => {
    if (!open) return
    open = false
    await context.close().finally(leave)
  }
  atEnd(test, close)
  const faults = []
  /** Opens the address in a tab of its own, of the same browser. */
  async function tab() {
    const page = await context.newPage()
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => { if (message.type() === 'error') faults.push(message.text()) })
    await page.goto(url)
    return { page, screen: screenOf(page, { taps, counted, faults }) }
  }
  return { ...await tab(), tab, context, close, faults }
}

function screenOf(page, { taps, counted, faults }) {
  const tap = (x, y) => page.touchscreen.tap(x, y)
  return new Screen({
    // As an expression: building a function inside the page would break its content security policy.
    evaluate: (source, ...args) => page.evaluate(`(function () { ${source} }).apply(null, ${JSON.stringify(args)})`),
    move: (x, y) => page.mouse.move(x, y),
    click: taps ? tap : (x, y) => page.mouse.click(x, y),
    doubleClick: (x, y) => page.mouse.dblclick(x, y),
    async drag(from, to) {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
      await page.mouse.move(to.x, to.y)
      await page.mouse.up()
    },
    press: (key, modifiers = []) => page.keyboard.press([...modifiers, key].join('+')),
    type: (text) => page.keyboard.type(text),
    picture: () => page.screenshot(),
  }, counted, faults)
}

/** Drops files on the page as a file manager would: each has a name and either a `text` or `bytes`. */
export async function dropFiles(page, files) {
  const carried = files.map(({ name, text, bytes }) => ({ name, text, encoded: bytes?.toString('base64') }))
  await page.evaluate((given) => {
    const transfer = new DataTransfer()
    for (const { name, text, encoded } of given) {
      const content = encoded === undefined ? text : Uint8Array.from(window.atob(encoded), (letter) => letter.charCodeAt(0))
      transfer.items.add(new File([content], name))
    }
    const at = document.querySelector('[role=application][data-size]') ?? document.body
    for (const type of ['dragenter', 'dragover', 'drop']) {
      at.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true, composed: true }))
    }
  }, carried)
}

/** Drops files of this disk on the page, as the browser itself does when they are dragged to it. */
export async function dropFromDisk(page, paths) {
  const session = await page.context().newCDPSession(page)
  const { width, height } = page.viewportSize()
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await session.send('Input.dispatchDragEvent', { type, x: width / 3, y: height / 2, data: { items: [], files: paths, dragOperationsMask: 1 } })
  }
  await session.detach()
}
