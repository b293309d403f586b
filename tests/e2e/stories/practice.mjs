import assert from 'node:assert/strict'
import { place as placeOf } from '../flows.mjs'

/** Black leaves three stones in atari for a corner at move 15 (A9), and White leaves them too for another at move 16. */
const GAME = {
  name: 'tuesday.sgf',
  text: '(;GM[1]FF[4]SZ[9]RU[Chinese]KM[0.5]PB[Aya]PW[Ben]'
    + ';B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec];B[cg];W[eg];B[fh];W[fe];B[aa];W[ia];B[ff];W[hd])',
}
const HOUR = 3_600_000

const words = (screen, name) => screen.text(`[data-test=${name}]`)
/** Column and row of a point's name, as the board of the question has it. */
const pointOf = (name) => ['ABCDEFGHJ'.indexOf(name[0]), 9 - Number(name.slice(1))]

const SIDE = 9
const TURNS = Array.from({ length: 8 }, (_, turn) => ([x, y]) => {
  const point = [turn & 2 ? SIDE - 1 - x : x, turn & 1 ? SIDE - 1 - y : y]
  return turn & 4 ? point.toReversed() : point
})
/** Where the points of one picture are in another of the same position, turned or with the colours exchanged. */
function turnBetween(known, seen) {
  const points = known.flatMap((row, y) => [...row].map((stone, x) => ({ at: [x, y], stone })))
  const other = { 'X': 'O', 'O': 'X', '.': '.' }
  const fits = (turn, colors) => points.every(({ at, stone }) => {
    const [x, y] = turn(at)
    return seen[y][x] === (colors ? other[stone] : stone)
  })
  return TURNS.find((turn) => fits(turn, false) || fits(turn, true))
}

/** The better move that is told after the answer was shown. */
async function revealed(screen) {
  await screen.click('[data-action=reveal]')
  return (await screen.waitForText(/Better: ([A-J]\d)/, { selector: '[data-test=lesson-better]' }))[1]
}

export const practice = {
  name: 'practice',
  title: 'a game is reviewed by itself, and a mistake that is missed comes back until it is known',
  /** The calendar is the test's. */
  movesTheClock: true,
  async tell(place) {
    const screen = await place.open({ files: [GAME] })
    await screen.until('the eighteen moves', async () => (await placeOf(screen)).of === 18)
    // Nobody asks for it: the game is reviewed, and its turning points stand beside the board.
    await screen.find('[data-test=turning-points] .card', '', { timeoutMs: 300_000 })
    await screen.until('the card of move 15', async () => /\b15\b/.test(await words(screen, 'turning-points')))
    await place.moment('turning-points')
    await screen.click('[data-action=solve-turns]')
    await screen.find('[data-test=lesson-room]')

    // One card after the other, to the one of move 15.
    const question = async (number) => (await words(screen, 'lesson')).includes(`Move ${number}`)
    await screen.choose('[data-field=lesson-side]', 'black')
    await screen.until('Black’s moves alone', async () => /^1 of/.test(await words(screen, 'lesson-place')) && /Black to play/.test(await words(screen, 'lesson-question')))
    while (!await question(15)) {
      const before = await words(screen, 'lesson-place')
      await screen.click('[data-action=skip-card]')
      await screen.until('the next card', async () => (await words(screen, 'lesson-place')) !== before)
    }
    await screen.until('the position before the move', async () => (await screen.stoneCount()) === 14)
    const known = await screen.stones()
    await place.moment('turning-point')

    // The move of the game again: the engine answers it on the board.
    await screen.clickPoint(0, 0)
    const verdict = await screen.waitForText(/A9 loses about ([\d.]+) points\. White replies at ([A-J]\d)/, { selector: '[data-test=lesson-verdict]' })
    await screen.waitForStone(0, 0, 'X')
    await screen.waitForStone(...pointOf(verdict[2]), 'O')
    await place.moment('turning-point-missed')
    await screen.click('[data-action=try-again]')
    await screen.waitForStone(0, 0, '.')

    // The second try, by keys alone.
    const better = await revealed(screen)
    // One move has one loss.
    await screen.waitForText(new RegExp(`In the game A9 was played and lost about ${verdict[1].replace('.', '\\.')} points`))
    await screen.waitForText(/Comes back /, { selector: '[data-test=lesson-kept]' })
    await screen.click('[data-line=better]')
    await screen.waitForStone(...pointOf(better), 'X')
    await screen.press('ArrowLeft')
    await screen.waitForStone(...pointOf(better), '.')
    await screen.press('End')
    await screen.waitForText(/Move (\d+) of \1/, { selector: '[data-test=lesson-step]' })
    await place.moment('turning-point-solved')
    await screen.press('Escape')
    await screen.gone('[data-test=lesson-room]')

    // Nothing is due at once; some hours later it is, and then later each time.
    await screen.press('d')
    await screen.find('[data-test=nothing-due]')
    await screen.press('Escape')
    const pictures = new Set()
    let waited = 0
    for (let repetition = 1; repetition <= 3; repetition++) {
      let hours = 0
      do {
        await place.advance(6 * HOUR)
        hours += 6
        await screen.press('d')
        await screen.until('the cards', async () => (await screen.count('[data-test=nothing-due]')) + (await screen.count('[data-test=lesson]')) > 0)
        if (await screen.count('[data-test=lesson]') > 0) break
        await screen.press('Escape')
        await screen.gone('[data-test=lesson-room]')
      } while (hours < 24 * 60)
      assert.ok(hours >= waited, `${hours} hours after ${waited}`)
      waited = hours
      await screen.until('the position', async () => (await screen.stoneCount()) === 14)
      const seen = await screen.stones()
      assert.ok(!pictures.has(seen.join('\n')), 'never the same picture')
      pictures.add(seen.join('\n'))
      const turn = turnBetween(known, seen)
      assert.ok(turn, `the same position, turned: ${seen.join(' ')}`)
      if (repetition === 1) await place.moment('practice')
      await screen.clickPoint(...turn(pointOf(better)))
      await screen.waitForText(/Right: [A-J]\d is the best move/, { selector: '[data-test=lesson-verdict]' })
      await screen.waitForText(/Comes back /, { selector: '[data-test=lesson-kept]' })
      await screen.press('Escape')
      await screen.gone('[data-test=lesson-room]')
    }
    assert.ok(waited >= 36, `the third repetition came after ${waited} hours`)
  },
}
