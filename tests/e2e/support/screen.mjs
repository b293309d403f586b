// What a test does with a window, whatever draws it: a browser or the desktop app's web view.
// `hands` are the few things that differ: evaluate, mouse, keys and a picture.
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {object} Hands
 * @property {(source: string, ...args: unknown[]) => Promise<any>} evaluate runs the body of a function in the page
 * @property {(x: number, y: number) => Promise<void>} move moves the mouse, CSS pixels of the page
 * @property {(x: number, y: number) => Promise<void>} click moves there and clicks
 * @property {(x: number, y: number) => Promise<void>} doubleClick moves there and clicks twice
 * @property {(from: {x: number, y: number}, to: {x: number, y: number}) => Promise<void>} drag from one place to another with the button held
 * @property {(key: string, modifiers?: string[]) => Promise<void>} press one key, named as in KeyboardEvent.key
 * @property {(text: string) => Promise<void>} type text into what has the focus
 * @property {() => Promise<Buffer>} picture a PNG of the page
 */

// Finds what a person would call by its role and name; runs inside the page.
const FIND = `
  const [role, name, exact, scope] = arguments
  const selectors = {
    button: 'button, [role=button]', dialog: 'dialog[open], [role=dialog], [role=alertdialog]', textbox: 'input:not([type]), input[type=text], input[type=search], textarea, [role=textbox], [role=searchbox]',
    menuitem: '[role=menuitem], [role=menuitemradio], [role=menuitemcheckbox]', radio: 'input[type=radio], [role=radio]', option: 'option, [role=option]', row: '[role=row], tr, [role=listitem], li',
    combobox: 'select, [role=combobox]', checkbox: 'input[type=checkbox], [role=checkbox], [role=switch]', tab: '[role=tab]', alert: '[role=alert], [role=status]', board: '[role=application][data-size]', img: 'img, [role=img]', slider: '[role=slider], input[type=range]', any: '*',
  }
  const nameOf = (element) => {
    const labelled = element.getAttribute('aria-labelledby')
    if (labelled) return labelled.split(/\\s+/).map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    return element.getAttribute('aria-label') ?? (element.labels?.length ? [...element.labels].map((l) => l.textContent).join(' ') : '') ?? ''
  }
  const wanted = String(name ?? '').toLowerCase()
  const within = scope ? document.querySelector(scope) : document
  if (!within) return null
  const seen = [...within.querySelectorAll(selectors[role] ?? role)].filter((element) => {
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || getComputedStyle(element).visibility === 'hidden') return false
    const known = (nameOf(element) || element.textContent || element.title || element.placeholder || '').trim().replace(/\\s+/g, ' ').toLowerCase()
    return wanted === '' || (exact ? known === wanted : known.includes(wanted))
  })
`

/** Hands whose clicks and keys are counted: a drag is one click, a chord one key, a typed letter one key. */
function counting(hands, counted) {
  const count = (what, much, deed) => (...given) => {
    counted[what] += much(...given)
    return deed(...given)
  }
  return {
    ...hands,
    click: count('clicks', () => 1, hands.click), doubleClick: count('clicks', () => 2, hands.doubleClick), drag: count('clicks', () => 1, hands.drag),
    press: count('keys', () => 1, hands.press), type: count('keys', (text) => [...text].length, hands.type),
  }
}

export class Screen {
  /**
   * @param {Hands} hands
   * @param {{clicks: number, keys: number}} counted what a person would have pressed so far; several screens may share it
   * @param {string[]} faults what the page has complained of; said where something was waited for in vain
   */
  constructor(hands, counted = { clicks: 0, keys: 0 }, faults = []) {
    this.counted = counted
    this.faults = faults
    this.hands = counting(hands, counted)
  }

  /** Runs a function in the page; what it uses must come in as arguments. */
  evaluate(work, ...args) {
    return this.hands.evaluate(`return (${work})(...arguments)`, ...args)
  }

  /** Asks until the answer is truthy, and gives it back. */
  async until(what, question, { timeoutMs = 60_000, everyMs = 50 } = {}) {
    const end = Date.now() + timeoutMs
    let last
    for (;;) {
      try {
        last = await question()
        if (last) return last
      } catch (error) {
        if (Date.now() > end) throw error
      }
      if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}; last seen: ${JSON.stringify(last)}${this.faults.map((fault) => `\nthe page complained: ${fault}`).join('')}`)
      await sleep(everyMs)
    }
  }

  /** The middle of the first visible thing of that role and name, or null. */
  box(role, name = '', { exact = false, scope = null } = {}) {
    return this.hands.evaluate(`${FIND}
      const element = seen[0]
      if (!element) return null
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const box = element.getBoundingClientRect()
      return { x: box.left + box.width / 2, y: box.top + box.height / 2, left: box.left, top: box.top, width: box.width, height: box.height,
        disabled: Boolean(element.disabled) || element.getAttribute('aria-disabled') === 'true' }
    `, role, name, exact, scope)
  }

  /** Waits for something to be there and still. */
  async find(role, name = '', options = {}) {
    let before = null
    return this.until(`the ${role} "${name}"`, async () => {
      const box = await this.box(role, name, options)
      const still = box && before && Math.abs(box.x - before.x) < 1 && Math.abs(box.y - before.y) < 1
      before = box
      return still ? box : null
    }, options)
  }

  /** Points at something, as a person does, and presses it if it is still there then. */
  async click(role, name = '', options = {}) {
    const box = await this.until(`the ${role} "${name}" that may be pressed`, async () => {
      const found = await this.find(role, name, options)
      if (found.disabled) return null
      await this.hands.move(found.x, found.y)
      const pointedAt = await this.box(role, name, options)
      return pointedAt && Math.abs(pointedAt.x - found.x) < 1 && Math.abs(pointedAt.y - found.y) < 1 ? found : null
    }, options)
    await this.hands.click(box.x, box.y)
    return box
  }

  async doubleClick(role, name = '', options = {}) {
    const box = await this.find(role, name, options)
    await this.hands.doubleClick(box.x, box.y)
  }

  /**
   * Chooses in a list of the page: two clicks for a person. Lists of the system cannot be driven from outside, so the
   * choice is made in the page.
   */
  async choose(selector, value) {
    this.counted.clicks += 2
    await this.evaluate((css, chosen) => {
      const list = document.querySelector(css)
      list.value = chosen
      list.dispatchEvent(new Event('change', { bubbles: true }))
    }, selector, value)
  }

  /** Writes into a field instead of what stands there: a click, and its keys. */
  async write(selector, text) {
    await this.click(selector)
    await this.press('a', ['Control'])
    if (text === '') await this.press('Backspace')
    else await this.type(text)
  }

  async gone(role, name = '', options = {}) {
    await this.until(`the ${role} "${name}" to go`, async () => !(await this.box(role, name, options)), options)
  }

  count(role, name = '', { exact = false, scope = null } = {}) {
    return this.hands.evaluate(`${FIND} return seen.length`, role, name, exact, scope)
  }

  /** The text of the page, or of the first visible match of a selector. */
  text(selector = 'body') {
    return this.evaluate((css) => {
      const shown = [...document.querySelectorAll(css)].find((element) => element.getBoundingClientRect().width > 0)
      return shown ? shown.innerText : ''
    }, selector)
  }

  async waitForText(pattern, { selector = 'body', timeoutMs = 60_000 } = {}) {
    return this.until(`the text ${pattern}`, async () => pattern.exec(await this.text(selector)), { timeoutMs })
  }

  /** Waits until everything that moves has come to its end. */
  async settled() {
    await this.evaluate(() => new Promise((resolve) => {
      window.requestAnimationFrame(() => void Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))).then(() => resolve(true)))
    }))
  }

  press(key, modifiers = []) {
    return this.hands.press(key, modifiers)
  }

  type(text) {
    return this.hands.type(text)
  }

  picture() {
    return this.hands.picture()
  }

  // The board

  /** Where a point is on the page. `column` and `row` count from 0, from the upper left. */
  async pointOnPage(column, row) {
    const board = await this.evaluate(() => {
      const element = document.querySelector('[role=application][data-size]')
      if (!element) return null
      const box = element.getBoundingClientRect()
      return { left: box.left, top: box.top, width: box.width, height: box.height, size: element.dataset.size, around: Number(element.dataset.around ?? 0) }
    })
    if (!board) throw new Error('there is no board')
    const [columns, rows] = board.size.split('x').map(Number)
    // The wood beyond the outermost line is 1.15 to 1.45 cells wide; a torus repeats some of the world before it.
    const across = board.width / (columns - 1 + 2.6 + 2 * board.around)
    const down = board.height / (rows - 1 + 2.6 + 2 * board.around)
    return {
      x: board.left + board.width / 2 + (column - (columns - 1) / 2) * across,
      y: board.top + board.height / 2 + (row - (rows - 1) / 2) * down,
    }
  }

  async clickPoint(column, row) {
    const at = await this.pointOnPage(column, row)
    await this.hands.move(at.x, at.y)
    await this.hands.click(at.x, at.y)
  }

  /** From one point to another with the button held. */
  async dragPoint(from, to) {
    const start = await this.pointOnPage(...from)
    const end = await this.pointOnPage(...to)
    await this.hands.drag(start, end)
  }

  async hoverPoint(column, row) {
    const at = await this.pointOnPage(column, row)
    await this.hands.move(at.x, at.y)
  }

  /**
   * The stones as they are drawn, row by row: `.` none, `X` black, `O` white.
   * Read from the pixels of the layer that carries the stones, so that what is tested is what a person sees.
   */
  stones() {
    return this.evaluate(() => {
      const board = document.querySelector('[role=application][data-size]')
      if (!board) return null
      const [columns, rows] = board.dataset.size.split('x').map(Number)
      const around = Number(board.dataset.around ?? 0)
      const canvas = board.querySelectorAll('canvas')[1]
      const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
      const across = canvas.width / (columns - 1 + 2.6 + 2 * around)
      const down = canvas.height / (rows - 1 + 2.6 + 2 * around)
      const seen = []
      for (let row = 0; row < rows; row++) {
        let line = ''
        for (let column = 0; column < columns; column++) {
          const x = Math.round(canvas.width / 2 + (column - (columns - 1) / 2) * across)
          const y = Math.round(canvas.height / 2 + (row - (rows - 1) / 2) * down)
          const at = (y * canvas.width + x) * 4
          const light = (pixels[at] + pixels[at + 1] + pixels[at + 2]) / 3
          line += pixels[at + 3] < 200 ? '.' : light < 128 ? 'X' : 'O'
        }
        seen.push(line)
      }
      return seen
    })
  }

  async waitForStone(column, row, wanted, options) {
    return this.until(`${wanted} at column ${column}, row ${row}`, async () => (await this.stones())?.[row]?.[column] === wanted, options)
  }

  /** Waits until exactly these stones are drawn: the tabs and words of a game stand before its board is painted. */
  async waitForStones(wanted, options) {
    const rows = wanted.join('\n')
    return this.until(`the stones\n${rows}\n`, async () => (await this.stones())?.join('\n') === rows, options)
  }

  /** How many stones are drawn. */
  async stoneCount() {
    return (await this.stones()).join('').replaceAll('.', '').length
  }

  /**
   * The share of a point's square, 0 to 1, that a layer covers: `analysis` has candidates and ownership, `marks` has marks
   * of the record, the last move and the move that was played.
   */
  drawnAt(layer, column, row) {
    return this.evaluate((index, x, y) => {
      const board = document.querySelector('[role=application][data-size]')
      const [columns, rows] = board.dataset.size.split('x').map(Number)
      const around = Number(board.dataset.around ?? 0)
      const canvas = board.querySelectorAll('canvas')[index]
      const across = canvas.width / (columns - 1 + 2.6 + 2 * around)
      const down = canvas.height / (rows - 1 + 2.6 + 2 * around)
      const left = Math.round(canvas.width / 2 + (x - (columns - 1) / 2 - 0.4) * across)
      const top = Math.round(canvas.height / 2 + (y - (rows - 1) / 2 - 0.4) * down)
      const pixels = canvas.getContext('2d').getImageData(left, top, Math.max(1, Math.round(across * 0.8)), Math.max(1, Math.round(down * 0.8))).data
      let covered = 0
      for (let at = 3; at < pixels.length; at += 4) if (pixels[at] > 100) covered++
      return covered / (pixels.length / 4)
    }, { analysis: 2, marks: 3 }[layer], column, row)
  }

  /** Column and row of a point by its name (`D4`), on a board of so many rows. */
  static pointOf(name, rows) {
    return { column: 'ABCDEFGHJKLMNOPQRSTUVWXYZ'.indexOf(name[0]), row: rows - Number(name.slice(1)) }
  }
}
