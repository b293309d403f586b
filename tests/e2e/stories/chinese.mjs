import assert from 'node:assert/strict'
import * as flows from '../flows.mjs'
import { latinWords } from '../support/latin.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

/** A wall of each colour through the middle of a 9x9 board: 45 points for Black and 36 for White. */
const WALLS = Array.from({ length: 9 }, (_, row) => [[4, row], [5, row]]).flat()

export const chinese = {
  name: 'chinese',
  title: 'Chinese from start to end: the first start, a game to its count, its review and the library',
  options: { firstStart: true, network: SMALL_NETWORK, browser: { width: 1280, height: 720, locale: 'zh-CN' } },
  async tell(place) {
    const screen = await place.open()
    const inChinese = async (moment) => {
      await screen.settled()
      await place.moment(`chinese-${moment}`)
      assert.deepEqual(await screen.evaluate(latinWords), [], `what ${moment} says is Chinese`)
    }
    await screen.find('[data-test=welcome]', '', { timeoutMs: 90_000 })
    await screen.waitForText(/欢迎使用/)
    assert.equal(await screen.evaluate(() => document.documentElement.lang), 'zh-Hans')
    await inChinese('welcome')
    await screen.click('[data-action=welcome-play]')
    await screen.gone('[role=dialog]')
    await screen.find('.start-panel [data-action=begin]')
    await inChinese('new-game')
    await screen.click('.start-panel label', '双人对局')
    await screen.click('.start-panel [data-action=more]')
    await inChinese('rules')
    await screen.click('.start-panel button', '开始')

    // Two people at one board play to the end.
    await screen.waitForText(/轮到黑棋/, { selector: '[data-test=play-state]' })
    for (const [turn, [column, row]] of WALLS.entries()) {
      await screen.clickPoint(column, row)
      await screen.waitForStone(column, row, turn % 2 === 0 ? 'X' : 'O')
    }
    await screen.waitForText(/白 F1/, { selector: '[data-test=last-moves]' })
    await inChinese('playing')
    for (const words of [/黑方停一手/, /双方都停了一手/]) {
      await screen.click('[data-action=play-pass]')
      await screen.waitForText(words, { selector: '[data-test=play]' })
    }
    await screen.waitForText(/黑.*1\.5/, { selector: '.score' })
    await inChinese('counting')
    await screen.click('[data-action=play-count]')
    await screen.waitForText(/黑.*胜.*1\.5/, { selector: '[data-test=ending-result]' })
    await screen.until('the game in three sentences', () => screen.evaluate(() => document.querySelectorAll('[data-test=ending-story] p').length === 3), { timeoutMs: 120_000 })
    await inChinese('ended')

    await screen.click('[data-action=ending-review]')
    await screen.until('the mistakes', () => screen.evaluate(() => document.querySelectorAll('.mistake').length > 0), { timeoutMs: 180_000 })
    await screen.waitForText(/每手损失|平均|失误/, { selector: '.candidates-panel' })
    // A mistake leads to the position before it.
    const number = Number(await screen.text('.mistake .number'))
    await screen.click('.mistake')
    await screen.until(`the position before move ${number}`, async () => (await screen.stoneCount()) === number - 1)
    await screen.waitForText(/−\d/, { selector: '[data-test=better]' })
    await inChinese('review')

    await screen.click('[data-action=library]')
    await screen.waitForText(/1\s*局|一局/, { selector: '[data-test=library-count]' })
    // Results are told in the language, in lists too.
    await screen.waitForText(/黑胜1\.5目/, { selector: '[data-test=library-table]' })
    await inChinese('library')
    await screen.click('[data-action=leave-library]')
    await screen.press(',', ['Control'])
    for (let part = 1; part <= 6; part++) {
      await screen.click(`.dialog [role=tab]:nth-child(${part})`)
      await inChinese(`settings-${part}`)
    }
    await screen.press('Escape')
    await screen.press('?')
    await inChinese('shortcuts')
    await screen.press('Escape')
    await flows.settingsAreKept(screen, place.data, /welcomed/)
  },
}
