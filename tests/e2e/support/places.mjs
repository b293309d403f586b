// Where a story is told: the app in a browser, or in its real window. A story asks its place for a screen, for what lies
// outside the page (files that come and go, the end of the program), and is the same in both.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openControl, startTestServer } from '../../../ui/src/testing/program.mjs'
import { dropFiles, openBrowser } from './browser.mjs'
import { atEnd } from './endings.mjs'
import { dataFolder, ownFolder, serve } from './machine.mjs'
import { stop } from './programs.mjs'
import { answerDialog, openWindow } from './window.mjs'

/**
 * @typedef {object} Place
 * @property {'browser' | 'window'} kind
 * @property {string} data the data folder
 * @property {{clicks: number, keys: number}} counted what was pressed so far, on all screens of the story
 * @property {number} startedMs how long the program took to start, all times together
 * @property {readonly string[]} faults what the page complained of
 * @property {(options?: {files?: readonly {name: string, text: string}[]}) => Promise<import('./screen.mjs').Screen>} open
 *   starts the program, with files as a file manager gives them
 * @property {(files: readonly {name: string, text: string}[], deed: () => Promise<unknown>) => Promise<void>} chooses
 *   answers the dialog for files that a deed opens
 * @property {(deed: () => Promise<unknown>) => Promise<{name: string, bytes: Buffer}>} saved the file that a deed makes
 * @property {() => Promise<void>} leave ends the program as a person does
 * @property {() => Promise<void>} crash ends it as a power cut does
 * @property {(name: string) => Promise<void>} moment a moment worth a picture
 */

/** What both kinds of place share. */
function base(kind, data, pictures) {
  return {
    kind, data, counted: { clicks: 0, keys: 0 }, startedMs: 0, faults: [],
    async moment(name) {
      if (pictures === undefined) return
      mkdirSync(pictures, { recursive: true })
      writeFileSync(join(pictures, `${name}.png`), await this.screen.picture())
    },
    async timed(start) {
      const began = performance.now()
      const answer = await start()
      this.startedMs += performance.now() - began
      return answer
    },
  }
}

/** With HONINBO_PICTURES every moment of every story leaves a picture in that folder. */
const PICTURES = process.env.HONINBO_PICTURES

/** `honinbo serve --http` and Chromium. `browser` is for the browser alone: its size, its theme. */
export function inBrowser(test, { browser = {}, pictures = PICTURES, ...options } = {}) {
  const place = base('browser', dataFolder(test, options), pictures)
  let server
  let client
  return Object.assign(place, {
    async open({ files = [] } = {}) {
      await place.timed(async () => {
        server = await serve(test, { data: place.data })
        client = await openBrowser(test, server.url, { ...browser, counted: place.counted })
        place.screen = client.screen
        place.page = client.page
        place.faults = client.faults
        await client.screen.find('[data-action=theme]', '', { timeoutMs: 90_000 })
      })
      if (files.length > 0) await place.drop(files)
      return client.screen
    },
    drop: (files) => dropFiles(client.page, files),
    async chooses(files, deed) {
      const [chooser] = await Promise.all([client.page.waitForEvent('filechooser', { timeout: 120_000 }), deed()])
      await chooser.setFiles(files.map(({ name, text }) => ({ name, mimeType: 'application/x-go-sgf', buffer: Buffer.from(text) })))
    },
    async saved(deed) {
      const [download] = await Promise.all([client.page.waitForEvent('download', { timeout: 120_000 }), deed()])
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
    },
    async leave() {
      await client.close()
      await stop(server.child)
    },
    async crash() {
      const gone = new Promise((resolve) => { server.child.on('exit', resolve) })
      server.child.kill('SIGKILL')
      await gone
      await client.close()
    },
  })
}

/** The test server and Chromium: the same handlers and the same page, with an engine and a clock that are the test's. */
export function onTestServer(test, { browser = {}, pictures = PICTURES, preferences = {} } = {}) {
  const place = base('browser', '', pictures)
  const files = { 'settings.toml': `window = '${JSON.stringify({ welcomed: true, ...preferences })}'\n` }
  let client
  let control
  return Object.assign(place, {
    async open({ files: dropped = [] } = {}) {
      await place.timed(async () => {
        const server = await startTestServer()
        atEnd(test, () => server.end())
        control = await openControl(server.port, { files, page: true })
        atEnd(test, () => control.end())
        client = await openBrowser(test, control.url, { ...browser, counted: place.counted })
        place.screen = client.screen
        place.page = client.page
        place.faults = client.faults
        await client.screen.find('[data-action=theme]', '', { timeoutMs: 90_000 })
      })
      if (dropped.length > 0) await dropFiles(client.page, dropped)
      return client.screen
    },
    advance: (milliseconds) => control.ask({ advance: milliseconds }),
  })
}

/** The desktop app under WebKitWebDriver. */
export function inWindow(test, { pictures = PICTURES, ...options } = {}) {
  const place = base('window', dataFolder(test, options), pictures)
  let window
  const written = (files) => {
    const folder = ownFolder(test)
    return files.map(({ name, text }) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    })
  }
  return Object.assign(place, {
    async open({ files = [] } = {}) {
      const args = written(files)
      await place.timed(async () => {
        window = await openWindow(test, { data: place.data, args, counted: place.counted })
        place.screen = window.screen
        await window.screen.find('[data-action=theme]', '', { timeoutMs: 90_000 })
      })
      return window.screen
    },
    async chooses(files, deed) {
      await answerDialog(window.session, 'open', written(files))
      await deed()
    },
    async saved(deed) {
      const path = join(ownFolder(test), 'saved')
      await answerDialog(window.session, 'save', path)
      await deed()
      let before = -1
      // A picture is written in one go, but not at once: it is all there when it no longer grows.
      const bytes = await window.screen.until(`the file ${path}`, () => {
        const now = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
        const still = now.length > 0 && now.length === before
        before = now.length
        return still ? now : null
      }, { timeoutMs: 120_000 })
      return { name: basename(path), bytes }
    },
    leave: () => window.leave(),
    async crash() {
      process.kill(-window.driverPid, 'SIGKILL')
      await window.session.quit().catch(() => undefined)
    },
  })
}
