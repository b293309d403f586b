import assert from 'node:assert/strict'
import { atMove } from '../flows.mjs'
import { SMALL_NETWORK } from '../support/machine.mjs'

const SIGNS = 'abcdefghi'
const sgf = ([column, row]) => `${SIGNS[column]}${SIGNS[row]}`
const [QUESTION, WRONG, RIGHT] = ['Black to play: which way?', 'Too narrow: White turns at C.', 'The **vital** point.']

async function plays(screen, ...points) {
  for (const [column, row, color] of points) {
    await screen.clickPoint(column, row)
    await screen.waitForStone(column, row, color)
  }
}

/** Writes the comment of the move on the board, and leaves the field as one does: by a key. */
async function comments(screen, text) {
  await screen.click('.comment')
  await screen.type(text)
  await screen.press('Escape')
  await screen.until('the comment', async () => (await screen.text('.comment-panel')).includes(text.replaceAll('*', '')))
}

async function marks(screen, tool, ...points) {
  await screen.click(`[data-tool=${tool}]`)
  for (const point of points) {
    await screen.clickPoint(...point)
    await screen.until(`the ${tool}`, async () => (await screen.drawnAt('marks', ...point)) > 0.02)
  }
}

const nodes = (screen) => screen.evaluate(() => Number(document.querySelector('[data-nodes]')?.dataset.nodes ?? 0))

export const lesson = {
  name: 'lesson',
  title: 'a lesson prepared with variations, marks and comments, and exported',
  options: { network: SMALL_NETWORK, settings: { analyseAtStart: false } },
  async tell(place) {
    const screen = await place.open()
    await screen.press('n', ['Control'])
    await screen.click('[role=dialog] label:has([data-against=nobody])')
    await screen.click('[role=dialog] [data-action=begin]')
    await screen.gone('[role=dialog]')
    await screen.until('the board to write on', async () => (await nodes(screen)) === 1)

    await plays(screen, [4, 4, 'X'], [6, 4, 'O'], [4, 6, 'X'], [4, 2, 'O'])
    await comments(screen, QUESTION)
    await screen.press('e', ['Control'])
    await marks(screen, 'letter', [2, 2], [6, 2], [2, 4])
    await marks(screen, 'triangle', [4, 4])
    await screen.click('[data-tool=arrow]')
    await screen.dragPoint([4, 2], [6, 2])
    await screen.click('[data-tool=play]')

    // The wrong answer, with what follows.
    await plays(screen, [2, 2, 'X'], [2, 4, 'O'])
    await comments(screen, WRONG)
    // Back to the question, and the right one.
    await screen.press('ArrowLeft')
    await screen.press('ArrowLeft')
    await atMove(screen, 4)
    await plays(screen, [6, 2, 'X'])
    await comments(screen, RIGHT)
    await marks(screen, 'circle', [6, 2])
    await screen.click('[data-tool=play]')
    await screen.press('e', ['Control'])
    await screen.until('both answers in the tree', async () => (await nodes(screen)) === 8)
    // The right answer is the one that is shown first.
    await screen.click('button', 'Main line', { scope: '.tree-panel' })
    assert.equal(await screen.evaluate(() => document.querySelector('.comment strong')?.textContent), 'vital')
    await place.moment('lesson')

    await screen.press('i', ['Control'])
    await screen.click('[role=dialog] .field', 'Name of the game')
    await screen.type('Which way?')
    await screen.click('[role=dialog] .field', 'Event')
    await screen.type('Tuesday lesson')
    await screen.click('button', 'Save', { scope: '[role=dialog]', exact: true })
    await screen.gone('[role=dialog]')
    await screen.until('the name on the tab', async () => (await screen.text('.tabs .active')).includes('Which way?'))

    const record = await place.saved(() => screen.press('S', ['Control', 'Shift']))
    const text = record.bytes.toString()
    if (place.kind === 'browser') assert.equal(record.name, 'Which way.sgf')
    const question = `;W[${sgf([4, 2])}]C[${QUESTION}]LB[${sgf([2, 2])}:A][${sgf([6, 2])}:B][${sgf([2, 4])}:C]TR[${sgf([4, 4])}]AR[${sgf([4, 2])}:${sgf([6, 2])}]`
    // The day is that of the test.
    assert.equal(text.trim().replace(/DT\[\d{4}-\d\d-\d\d\]/, ''), `(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[9]RU[Chinese]KM[7.5]GN[Which way?]EV[Tuesday lesson];B[ee];W[ge];B[eg]${question}(;B[gc]C[${RIGHT}]CR[gc])(;B[cc];W[ce]C[${WRONG}]))`)

    // A diagram of the question for the handout.
    await screen.press('ArrowLeft')
    await atMove(screen, 4)
    await screen.press('E', ['Control', 'Shift'])
    await screen.find('[data-test=diagram]')
    await place.moment('diagram')
    const png = await place.saved(() => screen.click('[data-action=save-png]'))
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG')
    assert.equal(png.bytes.readUInt32BE(16), 1200, 'as wide as was asked for')

    // And the moves as they came, in motion.
    await screen.choose('[data-field=what]', 'moves')
    const gif = await place.saved(() => screen.click('[data-action=save-gif]'))
    assert.equal(gif.bytes.subarray(0, 6).toString(), 'GIF89a')
    const frames = gif.bytes.toString('latin1').split('\x21\xf9\x04').length - 1
    assert.equal(frames, 5, 'the empty board and the four moves')
    await screen.press('Escape')
    await screen.gone('[role=dialog]')
    assert.equal(await screen.stoneCount(), 4)
  },
}
