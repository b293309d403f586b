import { SMALL_NETWORK } from '../support/machine.mjs'

/** Seven white stones at the edge have one liberty; a black stone too far lets them out. */
const LEFT = '(;GM[1]FF[4]SZ[13]AB[ab][bb][cb][db][eb][fb][gb]AW[aa][ba][ca][da][ea][fa][ga][ib][jb]C[Take them.](;B[ha]C[RIGHT Taken.])(;B[hc]C[Too far.];W[ha];B[hb];W[ia]C[Out.]))'
/** Fourteen stones, of which the same is true. */
const RIGHT = '(;GM[1]FF[4]SZ[13]AB[mc][lc][kc][jc][ic][hc][gc][fb]AW[ma][la][ka][ja][ia][ha][ga][mb][lb][kb][jb][ib][hb][gb][ea][da][db]C[Take these.](;B[fa]C[RIGHT])(;B[eb]C[WRONG];W[fa]))'
/** White lives with two moves. */
const LIVE = '(;GM[1]FF[4]SZ[13]PL[W]AB[da][db][dc][cd][bd][ad]AW[ca][cb][bc][ac]C[White to live](;W[bb]C[Good.];B[ba];W[ab]C[RIGHT])(;W[ab];B[bb]C[WRONG Dead.]))'
const BOOK = { name: 'corners.sgf', text: LEFT + LIVE + RIGHT }
const SPRINT = { name: 'sprint.sgf', text: RIGHT + LEFT }

const SIDE = 13
/** Column and row of a point's name. */
const pointOf = (name) => ['ABCDEFGHJKLMN'.indexOf(name[0]), SIDE - Number(name.slice(1))]

export const problems = {
  name: 'problems',
  title: 'a collection of problems is solved: rightly, wrongly, with a move that its file does not know, and against the clock',
  /** What the engine says of a move must be an engine's word. */
  options: { network: SMALL_NETWORK, settings: { analyseAtStart: false } },
  async tell(place) {
    const screen = await place.open({ files: [BOOK] })
    const verdict = (pattern, options) => screen.waitForText(pattern, { selector: '[data-test=problem-verdict]', ...options })
    const play = (name) => screen.clickPoint(...pointOf(name))
    const stone = (name, wanted) => screen.waitForStone(...pointOf(name), wanted)

    // Which of its games is asked, and that they are problems is known.
    await screen.find('[role=dialog] [role=listbox]')
    await screen.click('[data-action=solve-problems]')
    await screen.waitForText(/^1 of 3$/, { selector: '[data-test=problem-place]' })
    await screen.waitForText(/Black to play/, { selector: '[data-test=problem-question]' })
    await screen.waitForText(/Take them\./, { selector: '[data-test=problem-text]' })
    await stone('A13', 'O')
    await place.moment('problem')

    // Rightly: the stones leave the board.
    await play('H13')
    await verdict(/^Solved!$/)
    await screen.waitForText(/Taken\./, { selector: '[data-test=problem-comment]' })
    await stone('A13', '.')
    await screen.waitForText(/Your problem rating: 1[5-9]\d\d \(\+\d+\)/, { selector: '[data-test=problem-counted]' })
    await place.moment('problem-solved')

    // Wrongly: it is punished on the board, taken back, and solved by keys at the second try.
    await screen.press('Enter')
    await screen.waitForText(/White to play/, { selector: '[data-test=problem-question]' })
    await stone('C13', 'O')
    await play('A12')
    await verdict(/^A12 is wrong\. Black replies at B12\.$/)
    await screen.waitForText(/^Dead\.$/, { selector: '[data-test=problem-comment]' })
    await stone('B12', 'X')
    await place.moment('problem-wrong')
    await screen.press('ArrowLeft')
    await stone('B12', '.')
    await screen.click('[data-action=try-again]')
    await stone('A12', '.')
    await play('B12')
    await verdict(/^Right so far: B12\. Black replies at B13\.$/)
    await stone('B13', 'X')
    await play('A12')
    await verdict(/^Solved!$/)
    await screen.waitForText(/1 of 2 right at the first try/, { selector: '[data-test=problem-sum]' })

    // Elsewhere: of that the file says nothing, and the engine lets the stones out.
    await screen.click('[data-action=next-problem]')
    await screen.waitForText(/Take these\./, { selector: '[data-test=problem-text]' })
    await stone('N13', 'O')
    await play('C3')
    const said = await verdict(/^C3 is not in the file\. The engine replies at (\w+) and thinks that your move loses about \d+ points: not solved\.$/, { timeoutMs: 240_000 })
    await stone(said[1], 'O')
    await place.moment('problem-unknown')
    await screen.click('[data-action=reveal]')
    await verdict(/^The solution$/)
    await stone('F13', 'X')
    await screen.press('Home')
    await stone('F13', '.')

    // Back among the collections.
    await screen.press('Escape')
    await screen.waitForText(/corners[^]*3 problems · 1 solved, 3 tried/, { selector: '[data-test=problem-shelf]' })
    await place.moment('problem-collections')
    await place.chooses([SPRINT], () => screen.click('[data-action=open-problems]'))
    await screen.waitForText(/^1 of 2$/, { selector: '[data-test=problem-place]' })
    await screen.press('Escape')

    // Against the clock: one is solved, one given up, and the sum is drawn.
    await screen.waitForText(/sprint/, { selector: '[data-test=problem-shelf]' })
    await screen.click('[data-action=timed-set]')
    await screen.choose('[data-field=set-count]', '5')
    await screen.choose('[data-field=set-minutes]', '3')
    await screen.click('[data-action=start-set]')
    await screen.waitForText(/^[23]:\d\d$/, { selector: '[data-test=set-clock]' })
    await screen.waitForText(/^1 of 2$/, { selector: '[data-test=problem-place]' })
    await place.moment('problem-set')
    await stone('N13', 'O')
    await play('F13')
    await verdict(/^Solved!$/)
    await screen.press('Enter')
    await stone('A13', 'O')
    await screen.click('[data-action=reveal]')
    await verdict(/^The solution$/)
    await screen.click('[data-action=next-problem]')
    await screen.waitForText(/1 of 2 solved, 2 tried, in 0:\d\d\./, { selector: '[data-test=set-result]' })
    await screen.click('[data-action=leave-set]')
    await screen.find('[data-test=problem-shelf]')
    await screen.press('Escape')
    await screen.gone('[data-test=problem-room]')
  },
}
