import assert from 'node:assert/strict'
import { place as placeOf } from '../flows.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

/** Black plays in a far corner at move 15 and White gives it back, again and again. */
const GAME = {
  name: 'thursday.sgf',
  text: '(;GM[1]FF[4]SZ[9]RU[Chinese]KM[0.5]PB[Aya]PW[Ben]DT[2026-03-05]RE[W+R]'
    + ';B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec];B[cg];W[eg];B[fh];W[fe];B[aa];W[ia];B[ff];W[hd])',
}

export const mine = {
  name: 'mine',
  title: 'a dropped game shows what a player of a rank can find, and counts on the page of weaknesses, which opens its positions',
  options: { network: SMALL_NETWORK },
  async tell(place) {
    const screen = await place.open({ files: [GAME] })
    await screen.until('the eighteen moves', async () => (await placeOf(screen)).of === 18)
    await screen.find('[data-test=turning-points] .card', '', { timeoutMs: 300_000 })
    // What a 5 kyu can find is part of all mistakes, and nobody is sure of everything.
    await screen.press('E', ['Shift'])
    await screen.find('[data-field=find-rank]', '', { timeoutMs: 300_000 })
    // The deep look finds more mistakes than the quick one: they are counted when it is over.
    await screen.find('[data-action=solve-turns]', '', { timeoutMs: 300_000 })
    const listed = () => screen.count('.review .mistake')
    const all = await listed()
    assert.ok(all > 0)
    await screen.choose('[data-field=find-rank]', '5k')
    await screen.find('[data-field=find-share]')
    await screen.until('the mistakes of a 5 kyu', async () => await listed() <= all)
    await place.moment('rank')
    await screen.choose('[data-field=find-rank]', '')
    await screen.until('all mistakes again', async () => await listed() >= all)

    // From the library to the weaknesses.
    await screen.press('s', ['Control'])
    await screen.press('W', ['Shift'])
    await screen.find('[data-test=mine-room]')
    await screen.choose('[data-field=own-name]', 'Aya')
    // The review in the window counts, as soon as it has judged every move.
    await screen.find('[data-group=kinds] .row', '', { timeoutMs: 300_000 })
    assert.match(await screen.text('[data-test=mine-judged]'), /1 of 1/)
    await screen.click('[data-group=kinds] .row')
    await screen.find('[data-action=open-position]')
    await place.moment('weaknesses')
    const [number] = /\d+/.exec(await screen.text('[data-action=open-position]')) ?? []
    await screen.click('[data-action=open-position]')
    await screen.gone('[data-test=mine-room]')
    await screen.until('the position before the mistake', async () => await screen.stoneCount() === Number(number) - 1)
    // Back, and practised: the page says that nothing is known yet.
    await screen.press('W', ['Shift'])
    await screen.click('[data-action=practise-weakness]')
    await screen.find('[data-test=lesson-question]')
    await screen.press('Escape')
    await screen.gone('[data-test=lesson-room]')
    await screen.press('W', ['Shift'])
    await screen.waitForText(/not yet known/, { selector: '[data-test=mine-proof]' })
    await place.moment('proof')
    await screen.press('Escape')
    await screen.gone('[data-test=mine-room]')
  },
}
