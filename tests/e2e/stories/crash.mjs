import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as flows from '../flows.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

const LESSON = { name: 'lesson.sgf', text: '(;GM[1]FF[4]SZ[9]PB[Aoki]PW[Baba]C[A first lesson];B[ee];W[ge];B[eg])' }
const clock = (screen, side) => screen.text(`[data-clock=${side}]`)
const seconds = (words) => {
  const [, minutes, rest] = /(\d+):(\d+)/.exec(words) ?? []
  return Number(minutes) * 60 + Number(rest)
}

export const crash = {
  name: 'crash',
  title: 'a crash in the middle: a game with clocks and an unsaved lesson are there again, and go on',
  options: { network: SMALL_NETWORK, browser: { width: 1280, height: 720 } },
  async tell(place) {
    let screen = await place.open({ files: [LESSON] })
    await screen.waitForText(/Aoki – Baba/, { selector: '.tab.active' })
    // The lesson gets a move and a comment, and is saved nowhere.
    await flows.toStart(screen)
    await screen.press('End')
    await screen.waitForStone(4, 6, 'X')
    await screen.clickPoint(6, 6)
    await screen.waitForStone(6, 6, 'O')
    await screen.click('.comment-panel .comment')
    await screen.type('White defends the side.')
    await screen.press('Escape')
    await screen.waitForText(/White defends the side\./, { selector: '.comment' })
    await screen.find('.tab.active .dot')

    // Beside it a game is played on the clock.
    await screen.click('[data-action=new-game]')
    await screen.click('[role=dialog] label:has([data-against=engine])')
    await screen.until('the opponents', () => screen.evaluate(() => document.querySelectorAll('[data-field=engine] option').length > 3))
    await screen.choose('[data-field=engine]', 'easy')
    await screen.click('[role=dialog] [data-action=more]')
    await screen.choose('[role=dialog] [data-field=clock]', 'absolute')
    await screen.click('[role=dialog] [data-action=begin]')
    await screen.gone('[role=dialog]')
    await screen.clickPoint(2, 2)
    await screen.waitForStone(2, 2, 'X')
    await screen.until('the answer', async () => await screen.stoneCount() === 2)
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    // The level plays anywhere, there too.
    const next = (await screen.stones()).findIndex((line) => line[6] === '.')
    const asked = Date.now()
    await screen.clickPoint(6, next)
    await screen.until('the second answer', async () => await screen.stoneCount() === 4)
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    const played = await screen.stones()
    await screen.until('the clock to have run', async () => seconds(await clock(screen, 'black')) < 600)
    const left = seconds(await clock(screen, 'black'))
    // The disk has the clock of the last move, and what ran since is given back.
    const given = Math.ceil((Date.now() - asked) / 1000)
    await place.moment('crash-before')

    await screen.until('both games on the disk', () => {
      const folder = join(place.data, 'open')
      const kept = readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => readFileSync(join(folder, name), 'utf8')).join('')
      return kept.includes('White defends the side.') && [...kept.matchAll(/;[BW]\[[a-i]{2}\]/g)].length >= 8
    })
    await place.crash()
    screen = await place.open()

    // What was played goes on, with the time that was left.
    await screen.waitForText(/games? with unsaved changes (was|were) recovered/)
    await screen.waitForText(/what it had kept is here again/)
    await place.moment('crash-after')
    assert.equal(await screen.count('.tabs .tab'), 2)
    await screen.waitForText(/Easy/, { selector: '.tab.active' })
    await screen.waitForStones(played)
    await screen.waitForText(/The clocks are paused until your next move/)
    const after = seconds(await clock(screen, 'black'))
    assert.ok(after <= Math.min(left + given, 600) && after > left - 60, `${after} s of ${left} s are left`)
    const free = played.findIndex((line) => line[4] === '.')
    await screen.clickPoint(4, free)
    await screen.until('the answer', async () => await screen.stoneCount() === 6)
    await screen.waitForText(/Your move/, { selector: '[data-test=play-state]' })
    await screen.gone('[data-test=play]', 'The clocks are paused')

    // So does the lesson.
    await screen.click('.tab .title', 'Aoki')
    await screen.waitForStone(6, 6, 'O')
    await screen.waitForText(/White defends the side\./, { selector: '.comment' })
    await screen.find('.tab.active .dot')
    await screen.press('z', ['Control'])
    await screen.press('s', ['Control'])
    await screen.waitForText(/Saved to the library/)
    await screen.gone('.tab.active .dot')
  },
}
