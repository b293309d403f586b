// A real browser: the system's Chromium, driven by Playwright.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { atEnd } from './endings.mjs'
import { Screen } from './screen.mjs'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** Opens an address in a browser of its own; a `phone` has fingers and neither mouse nor keys, and with `taps` a click is one. `faults` gathers what the page complains of. */
export async function openBrowser(test, url, { width = 1280, height = 800, scale = 1, locale = 'en-US', colorScheme = 'light', touch = false, phone = false, taps = false, reducedMotion = 'reduce', counted = undefined } = {}) {
  // The sandbox needs privileges that a container does not give; nothing but our own page is opened.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'] })
  atEnd(test, () => browser.close())
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, locale, colorScheme, hasTouch: touch || phone, isMobile: phone, reducedMotion })
  const faults = []
  /** Opens the address in a tab of its own, of the same browser. */
  async function tab() {
    const page = await context.newPage()
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => { if (message.type() === 'error') faults.push(message.text()) })
    await page.goto(url)
    return { page, screen: screenOf(page, { taps, counted, faults }) }
  }
  return { ...await tab(), tab, context, browser, faults }
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
