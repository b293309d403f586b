import assert from 'node:assert/strict'
import { place as placeOf } from '../flows.mjs'
import { misfits } from '../support/fit.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'
import { Screen } from '../support/screen.mjs'

/** Twenty moves, four of them thrown away in a corner: 7 (Black A9), 8 (White J9), 13 (Black A1) and 14 (White J1). */
const CLUB_GAME = {
  name: 'club-evening.sgf',
  text: '(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7]PB[Mina Park]BR[3d]PW[Jonas Weber]WR[3d]EV[Club evening of the northern Go associations, third round of the autumn league, first board]DT[2026-11-03]RE[W+5]'
    + ';B[ee];W[ce];B[gd];W[dg];B[df];W[cf];B[aa];W[ia];B[eg];W[dh];B[dc];W[hd];B[ai];W[ii];B[gc];W[dd];B[ed];W[eh];B[gg];W[cc])',
}
const THROWN_AWAY = new Map([[7, 'A9'], [8, 'J9'], [13, 'A1'], [14, 'J1']])

const rows = (screen) => screen.evaluate(() => [...document.querySelectorAll('.mistake')].map((row) => ({
  number: Number(row.querySelector('.number').innerText), point: row.querySelector('b').innerText, better: /[A-T]\d+$/.exec(row.querySelector('.better').innerText.trim())?.[0],
  loss: Number(row.querySelector('.loss').innerText.replace('−', '-')), current: row.getAttribute('aria-current') === 'true',
})))

/** Whether an element says something, and none of it is cut off at its end. */
const seenOf = (screen, selector, words) => screen.evaluate((css, wanted) => {
  const element = document.querySelector(css)
  const node = element?.firstChild
  const at = node?.textContent.indexOf(wanted) ?? -1
  if (at < 0) return { text: false, seen: false }
  const range = document.createRange()
  range.setStart(node, at)
  range.setEnd(node, at + wanted.length)
  return { text: true, seen: range.getBoundingClientRect().right <= element.getBoundingClientRect().right - 8 }
}, selector, words)

export const review = {
  name: 'review',
  title: 'a review from a dropped file to the report',
  options: { network: SMALL_NETWORK, browser: { width: 1280, height: 720 } },
  async tell(place) {
    const screen = await place.open({ files: [CLUB_GAME] })
    await screen.until('the twenty moves', async () => (await placeOf(screen)).of === 20)
    await screen.waitForText(/Mina Park/)
    await screen.waitForText(/White wins by 5 points · Komi 7 · 2026-11-03 · Club evening/)
    // However long the name of the event is, the result is seen.
    assert.deepEqual(await seenOf(screen, '.players .facts', 'White wins by 5 points · Komi 7 · 2026-11-03'), { text: true, seen: true })

    await screen.click('[data-mode=review]')
    // The sums are shown when every move is judged: after the quick look and the deep one.
    await screen.find('.sums', '', { timeoutMs: 300_000 })
    await screen.waitForText(/Review deeper/)
    const worst = await rows(screen)
    assert.ok(worst.length >= 4, JSON.stringify(worst))
    for (const { number, point, loss } of worst.slice(0, 4)) {
      assert.equal(THROWN_AWAY.get(number), point, `move ${number} is one of the four that were thrown away`)
      assert.ok(loss <= -4, `${point} lost ${loss}`)
    }
    assert.deepEqual(worst.map(({ loss }) => loss), worst.map(({ loss }) => loss).toSorted((a, b) => a - b), 'the worst first')
    const accuracy = await screen.evaluate(() => [...document.querySelectorAll('.sums .accuracy')].map((cell) => cell.innerText))
    for (const share of accuracy) assert.match(share, /^\d+(\.\d+)?\s?%$/)
    await place.moment('mistakes')
    if (place.kind === 'browser') assert.deepEqual(await screen.evaluate(misfits, 0), [], 'all of the review fits beside the board')
    const rowsSeen = await screen.evaluate(() => document.querySelector('.candidates-panel .list').clientHeight / document.querySelector('.mistake').offsetHeight)
    assert.ok(rowsSeen >= 8, `${rowsSeen.toFixed(1)} mistakes are seen at once`)
    // How often the players met the engine's choice is folded away until it is asked for.
    await screen.click('[data-action=compare-choices]')
    await screen.find('[data-choices=white]')
    const choices = await screen.evaluate(() => [...document.querySelectorAll('[data-choices]')].map((row) => [...row.cells].slice(2, 4).map((cell) => cell.innerText)))
    for (const share of choices.flat()) assert.match(share, /^\d+(\.\d+)?\s?%$/)
    await screen.click('[data-action=compare-choices]')

    // A click on each of the three worst: the position before it, what was played and what was better, on the board and in words.
    for (const { number, point, better } of worst.slice(0, 3)) {
      await screen.click('.mistake b', point, { exact: true })
      await screen.until(`the position before move ${number}`, async () => (await placeOf(screen)).at === number - 1)
      const played = Screen.pointOf(point, 9)
      await screen.waitForStone(played.column, played.row, '.')
      await screen.until(`${number - 1} stones`, async () => (await screen.stoneCount()) === number - 1)
      const words = await screen.waitForText(new RegExp(`${point}\\s*−\\d.*\\n?${better}`, 's'), { selector: '[data-test=better]' })
      assert.ok(words)
      const good = Screen.pointOf(better, 9)
      await screen.until('the played move on the board', async () => (await screen.drawnAt('marks', played.column, played.row)) > 0.03)
      await screen.until('the better move on the board', async () => (await screen.drawnAt('analysis', good.column, good.row)) > 0.2)
      assert.deepEqual((await rows(screen)).filter(({ current }) => current).map((row) => row.number), [number], 'one row is the one that is shown')
    }
    await place.moment('mistake-shown')

    // How the better move would go on: its line lies on the board until the pointer leaves.
    await screen.click('[data-test=better] .move')
    const { better } = worst[2]
    const first = Screen.pointOf(better, 9)
    await screen.until('the line on the board', async () => (await screen.drawnAt('analysis', first.column, first.row)) > 0.6)
    await place.moment('better-line')
    await screen.hands.move(4, 400)

    const report = await place.saved(() => screen.click('[data-action=report]'))
    const page = report.bytes.toString()
    if (place.kind === 'browser') assert.equal(report.name, 'club-evening.html')
    assert.match(page, /<h1>Mina Park – Jonas Weber<\/h1>/)
    assert.match(page, /Club evening[^·]* · 2026-11-03 · Komi 7 · White wins by 5 points/)
    for (const { number, point } of worst.slice(0, 3)) assert.match(page, new RegExp(`<figcaption>${number} · (Mina Park|Jonas Weber) ${point} · −`))
    assert.equal(page.match(/<figure><svg/g).length, Math.min(12, worst.length), 'a diagram for each of the worst')
    assert.match(page, /g170-b6c96/)
    assert.doesNotMatch(page, /<script|https?:\/\/(?!www\.w3\.org)/)
  },
}
