import assert from 'node:assert/strict'
import { place as placeOf } from '../flows.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

/** A corner game of twelve moves; the point that nobody thinks of is T1, in the empty corner below on the right. */
const GAME = {
  name: 'corner.sgf',
  text: '(;GM[1]FF[4]SZ[19]RU[Chinese]KM[7.5]PB[Aya]PW[Ben];B[pd];W[dd];B[qp];W[dp];B[fq];W[cn];B[dj];W[fc];B[nc];W[qf];B[pb];W[qk])',
}
const ROW = '[data-point=T1]'

/** The figures of a row: 1.2k is 1200. */
const visitsOf = (screen, selector) => screen.evaluate((css) => {
  const text = document.querySelector(`${css} .visits`)?.lastChild?.textContent?.trim() ?? ''
  const number = Number.parseFloat(text.replaceAll(',', ''))
  return Number.isNaN(number) ? 0 : Math.round(number * (/k$/i.test(text) ? 1000 : 1))
}, selector)

export const closer = {
  name: 'closer',
  title: 'a move that nobody thinks of is looked at more closely, and the search stays',
  options: { network: SMALL_NETWORK },
  async tell(place) {
    const screen = await place.open({ files: [GAME] })
    await screen.until('the twelve moves', async () => (await placeOf(screen)).of === 12)
    await screen.press('End')
    await screen.click('[data-mode=analyse]')
    const best = '.candidates [data-row="0"] button'
    await screen.until('some visits', async () => await visitsOf(screen, best) >= 20, { timeoutMs: 300_000 })
    assert.equal(await screen.evaluate((css) => document.querySelector(css), ROW), null, 'nobody thinks of it')

    const at = await screen.pointOnPage(18, 18)
    await place.page.mouse.click(at.x, at.y, { button: 'right' })
    await screen.click('[data-action=look-closer]')
    await screen.until('its own visits in its row', async () => await visitsOf(screen, ROW) >= 40, { timeoutMs: 300_000 })
    assert.equal(await screen.evaluate((css) => document.querySelector(css).classList.contains('closer'), ROW), true, 'the row is marked')
    assert.ok(await visitsOf(screen, best) >= 20, 'what was found before is still there')
    assert.match(await screen.text('.candidates'), /A closer look at T1/)
    await place.moment('closer')

    // No longer: what was found stays in the search, and the row's mark goes.
    await place.page.mouse.click(at.x, at.y, { button: 'right' })
    await screen.click('[data-action=look-closer]')
    await screen.gone(`${ROW}.closer`)
  },
}
