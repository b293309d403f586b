import assert from 'node:assert/strict'
import * as flows from '../flows.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

const holdsFocus = (screen, selector) => screen.evaluate((css) => document.activeElement?.matches(css) ?? false, selector)

/** Goes on with the Tab key until something has the focus; a person who sees where it is needs as many. */
async function tabTo(screen, selector, { backwards = false, most = 40 } = {}) {
  const passed = []
  for (let step = 0; step <= most; step++) {
    if (await holdsFocus(screen, selector)) return
    passed.push(await screen.evaluate(() => `${document.activeElement?.localName}.${document.activeElement?.className}`))
    await screen.press('Tab', backwards ? ['Shift'] : [])
  }
  assert.fail(`the Tab key does not lead to ${selector}, but to ${passed.join(', ')}`)
}

/** Moves the cursor on the board so many points and plays there. */
async function playWithKeys(screen, keys) {
  for (const key of keys) await screen.press(key)
  await screen.press('Enter')
}

const nodes = (screen) => screen.evaluate(() => Number(document.querySelector('[data-nodes]')?.dataset.nodes ?? 0))

export const keyboard = {
  name: 'keyboard',
  title: 'a keyboard alone: a game, variations, a comment, saving, the library and the settings',
  options: { network: SMALL_NETWORK, browser: { width: 1280, height: 720 } },
  async tell(place) {
    const screen = await place.open()
    await screen.find('[data-test=new-game]')

    // A game against the computer.
    await screen.press('n', ['Control'])
    await screen.until('the focus on Start', () => holdsFocus(screen, '[role=dialog] [data-action=begin]'))
    await tabTo(screen, '[name=start-against]', { backwards: true })
    await screen.press('ArrowRight')
    await tabTo(screen, '[data-field=engine]')
    await screen.type('Easy')
    await screen.until('the easy level', () => screen.evaluate(() => document.querySelector('[role=dialog] [data-field=engine]').value === 'easy'))
    await place.moment('keyboard-new-game')
    await tabTo(screen, '[data-action=begin]')
    await screen.press('Enter')
    await screen.gone('[role=dialog]')
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await screen.until('the focus on the board', () => holdsFocus(screen, '[role=application][data-size]'))
    // The cursor begins in the middle.
    await playWithKeys(screen, ['ArrowLeft', 'ArrowUp'])
    await screen.waitForStone(3, 3, 'X')
    await screen.until('the answer', async () => await screen.stoneCount() === 2)
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await place.moment('keyboard-playing')
    await screen.press('Escape')
    await tabTo(screen, '[data-action=resign]')
    await screen.press('Enter')
    await screen.until('the focus on going on', () => holdsFocus(screen, '[role=dialog] button'))
    await tabTo(screen, '[data-action=resign-surely]')
    await screen.press('Enter')
    await screen.waitForText(/You lost/, { selector: '[data-test=ending-title]' })
    await screen.waitForText(/White wins by resignation/, { selector: '[data-test=ending-result]' })

    // A board of one's own: moves, and another one beside them.
    await screen.press('n', ['Control'])
    await screen.until('the focus on Start', () => holdsFocus(screen, '[role=dialog] [data-action=begin]'))
    await tabTo(screen, '[name=start-against]', { backwards: true })
    for (const key of ['ArrowRight', 'ArrowRight']) await screen.press(key)
    assert.equal(await screen.evaluate(() => document.querySelector('[data-against]:checked').dataset.against), 'nobody')
    await tabTo(screen, '[data-action=begin]')
    await screen.press('Enter')
    await screen.gone('[role=dialog]')
    await screen.until('the empty board', async () => await screen.stoneCount() === 0)
    await screen.press('b')
    await screen.until('the focus on the board', () => holdsFocus(screen, '[role=application][data-size]'))
    await playWithKeys(screen, [])
    await screen.waitForStone(4, 4, 'X')
    await playWithKeys(screen, ['ArrowRight'])
    await screen.waitForStone(5, 4, 'O')
    await screen.press('Escape')
    await screen.press('ArrowLeft')
    await screen.waitForStone(5, 4, '.')
    await screen.press('b')
    await playWithKeys(screen, ['ArrowDown'])
    await screen.waitForStone(5, 5, 'O')
    await screen.until('a node more', async () => await nodes(screen) === 4)
    await screen.press('Escape')
    await screen.press('ArrowUp')
    await screen.waitForStone(5, 4, 'O')
    await screen.press('ArrowDown')
    await screen.waitForStone(5, 5, 'O')
    // It becomes the main line, and is promoted no further.
    await screen.press('M', ['Shift'])
    await screen.press('ArrowDown')
    await screen.waitForStone(5, 4, 'O')
    await screen.press('ArrowUp')
    await screen.waitForStone(5, 5, 'O')

    await screen.press('w')
    await screen.until('the focus on the comment', () => holdsFocus(screen, 'textarea.comment'))
    await screen.type('White extends below.')
    await place.moment('keyboard-comment')
    await screen.press('Escape')
    await screen.waitForText(/White extends below\./, { selector: '.comment' })
    await screen.press('ArrowLeft')
    await flows.atMove(screen, 1)
    await screen.press('ArrowRight')
    await screen.waitForText(/White extends below\./, { selector: '.comment' })

    // What was written is found from anywhere in the game, and so is a point.
    await screen.press('Home')
    await flows.atMove(screen, 0)
    for (const [words, move] of [['EXTENDS', 2], ['e5', 1]]) {
      await screen.press('F', ['Shift'])
      await screen.until('the focus on the words', () => holdsFocus(screen, '[role=dialog] [role=combobox]'))
      await screen.press('a', ['Control'])
      await screen.type(words)
      await screen.waitForText(/One place found/, { selector: '[data-test=find-count]' })
      await screen.press('Enter')
      await screen.gone('[role=dialog]')
      await flows.atMove(screen, move)
    }

    // The variations are practised from the start; Escape ends it.
    await screen.press('Home')
    await screen.press('G', ['Shift'])
    await screen.waitForText(/0 of 1 positions known/, { selector: '[data-test=lines]' })
    await place.moment('keyboard-lines')
    await screen.press('Escape')
    await screen.gone('[data-test=lines]')
    await screen.press('ArrowRight')
    await flows.atMove(screen, 1)

    // A move that is only tried, and another one after it: Escape brings the record back as it was.
    await screen.press('y')
    await screen.find('[data-test=trial]')
    await screen.press('b')
    await playWithKeys(screen, ['ArrowRight', 'ArrowRight'])
    await screen.until('a third stone or a second one', async () => await screen.stoneCount() === 2)
    await screen.waitForText(/One move/, { selector: '[data-test=trial]' })
    await place.moment('keyboard-trial')
    // The first one is the board's, which puts its cursor away.
    await screen.press('Escape')
    await screen.press('Escape')
    await screen.gone('[data-test=trial]')
    await screen.until('the stone of before', async () => await screen.stoneCount() === 1)
    await screen.until('the nodes of before', async () => await nodes(screen) === 4)
    await flows.atMove(screen, 1)

    // Without the variation beside it, and back again.
    await screen.press('ArrowRight')
    await flows.atMove(screen, 2)
    await screen.press('Delete', ['Shift'])
    await screen.until('a node less', async () => await nodes(screen) === 3)
    await screen.press('z', ['Control'])
    await screen.until('the node again', async () => await nodes(screen) === 4)

    // A record that begins with these two stones; the other one stays.
    await screen.press('k', ['Control'])
    await screen.until('the focus on the commands', () => holdsFocus(screen, '[role=dialog] [role=combobox]'))
    await screen.type('flatten')
    await screen.press('Enter')
    await screen.gone('[role=dialog]')
    await flows.atMove(screen, 0)
    await screen.until('both stones', async () => await screen.stoneCount() === 2)
    await screen.press('w', ['Alt'])
    await screen.until('the other record', async () => await nodes(screen) === 4)

    // Saved, and found again.
    await screen.press('s', ['Control'])
    await screen.waitForText(/Saved to the library/)
    await screen.gone('.tab.active .dot')
    await screen.press('l')
    await screen.until('the focus on the table', () => holdsFocus(screen, '[data-test=library-table]'))
    await screen.press('Home')
    await screen.waitForText(/\d{4}-\d{2}-\d{2}/, { selector: '[data-test=preview-title]' })
    await screen.press('ArrowDown')
    await screen.waitForText(/Black – Easy/, { selector: '[data-test=preview-title]' })
    await place.moment('keyboard-library')
    await screen.press('/')
    await screen.until('the focus on the search', () => holdsFocus(screen, '[data-action=library-search]'))
    await screen.type('easy')
    await screen.waitForText(/One game/, { selector: '[data-test=library-count]' })
    await screen.press('ArrowDown')
    await screen.press('ArrowDown')
    await screen.waitForText(/Black – Easy/, { selector: '[data-test=preview-title]' })
    await screen.press('Enter')
    await screen.gone('[data-test=library-room]')
    await screen.until('the focus on the board', () => holdsFocus(screen, '[role=application][data-size]'))
    await screen.waitForText(/You lost/, { selector: '[data-test=ending-title]' })
    await screen.until('both stones', async () => await screen.stoneCount() === 2)

    // The settings: found by their words, changed, and kept.
    await screen.press(',', ['Control'])
    await screen.until('the focus on the search', () => holdsFocus(screen, '[data-action=settings-search]'))
    await screen.type('coord')
    await tabTo(screen, '[role=dialog] select')
    await screen.press('ArrowDown')
    await place.moment('keyboard-settings')
    await screen.press('Escape')
    await screen.gone('[role=dialog]')
    await screen.press('t')
    await screen.find('[role=dialog]')
    await place.moment('keyboard-text')
    await screen.press('Escape')
    await screen.gone('[role=dialog]')
    await screen.press('?')
    await screen.waitForText(/Ctrl\+N/, { selector: '[role=dialog]' })
    await screen.press('Escape')
    await screen.gone('[role=dialog]')
    await screen.press('PageUp', ['Control'])
    await screen.waitForStone(5, 5, 'O')
    assert.equal(place.counted.clicks, 0, 'the mouse was not touched')
  },
}
