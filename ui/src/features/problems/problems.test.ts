import { expect, test, vi } from 'vitest'
import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { defineComponent, h, nextTick } from 'vue'
import { provideBackend, toBase64, type ChosenFile } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import en from '@/i18n/locales/en.json'
import { startApp } from '@/testing'
import { useShell } from '@/features/shell'
import ProblemRoom from './ProblemRoom.vue'
import { useProblems } from './store'

const SIDE = 13
/** Seven white stones at the edge have one liberty: H13 takes them, H11 lets them out. Of H12 the file says nothing. */
const TAKE = '(;SZ[13]GN[Seven stones]DI[15k]AB[ab][bb][cb][db][eb][fb][gb]AW[aa][ba][ca][da][ea][fa][ga][ib][jb]C[Take them.](;B[ha]C[RIGHT Taken.])(;B[hc]C[Too far.];W[ha];B[hb];W[ia]C[Out.]))'
const LIVE = '(;SZ[13]PL[W]AB[da][db][dc][cd][bd][ad]AW[ca][cb][bc][ac]C[White to live](;W[bb]C[Good.];B[ba];W[ab]C[RIGHT])(;W[ba]C[NOTTHIS])(;W[ab];B[bb]C[WRONG]))'

const at = (name: string): number => 'ABCDEFGHJKLMN'.indexOf(name[0] ?? '') + (SIDE - Number(name.slice(1))) * SIDE
const file = (text: string, name = 'book.sgf'): ChosenFile => ({ kind: 'content', name, base64: toBase64(new TextEncoder().encode(text)) })

async function opened() {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const problems = useProblems()
  await problems.openFile(file(TAKE + LIVE))
  return { backend, problems }
}

test('a record on the board becomes a problem, and the practice offers it instead of judging by the whole board', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const [games, notices, problems, shell] = [useGames(), useNotices(), useProblems(), useShell()]
  await games.openText('(;SZ[13]AB[ab][bb][cb][db]AW[aa][ba][ca];B[da]C[Correct])')
  await games.navigate('first')
  shell.act('addPractice')
  await backend.settled()
  expect(backend.asked('keep_position')).toEqual([])
  expect(notices.notices[0]?.title).toBe('This record is a problem with its solution')
  notices.notices[0]?.action?.run()
  await backend.until(() => notices.notices.some(({ title }) => title === 'One problem added'))
  notices.notices.find(({ title }) => title === 'One problem added')?.action?.run()
  await backend.until(() => problems.problem)
  expect(shell.room).toBe('problems')
  await problems.give(at('D13'))
  expect([problems.phase, problems.comment]).toEqual(['solved', 'Correct'])

  shell.act('stop')
  shell.room = 'board'
  shell.act('addProblems')
  await backend.until(() => notices.notices.some(({ title }) => title === 'These problems are there already'))
  // After a move it is a position as any other, and so is the beginning of a game with handicap stones.
  await games.navigate('next')
  shell.act('addPractice')
  await backend.until(() => backend.asked('keep_position').length === 1)
  await games.openText('(;SZ[13]HA[2]AB[dj][jd];W[gg])')
  await games.navigate('first')
  shell.act('addPractice')
  await backend.until(() => backend.asked('keep_position').length === 2)
})

test('a problem of a file is solved, and the other one with a reply between the moves', async () => {
  const { problems } = await opened()
  expect([problems.collection?.name, problems.problem?.number, problems.problem?.text]).toEqual(['book', 1, 'Take them.'])
  await problems.give(at('H13'))
  expect([problems.phase, problems.verdict, problems.comment]).toEqual(['solved', 'Solved!', 'Taken.'])
  expect([problems.stones[at('A13')], problems.stones[at('H13')]]).toEqual([0, 1])
  expect(problems.rating?.rating).toBeGreaterThan(1500)
  expect([problems.tries, problems.right]).toEqual([1, 1])

  await problems.next()
  expect([problems.problem?.number, problems.problem?.board.toMove]).toEqual([2, 'white'])
  await problems.give(at('B13'))
  expect([problems.phase, problems.verdict]).toEqual(['asking', 'The problem asks for a move other than B13.'])
  await problems.give(at('B12'))
  expect([problems.phase, problems.verdict, problems.comment]).toEqual(['asking', 'Right so far: B12. Black replies at B13.', 'Good.'])
  expect([problems.stones[at('B12')], problems.stones[at('B13')], problems.mayAnswer]).toEqual([-1, 1, true])
  await problems.give(at('A12'))
  expect([problems.phase, problems.right]).toEqual(['solved', 2])
  await problems.next()
  expect([problems.problem, problems.collection?.id !== undefined]).toEqual([undefined, true])
  await problems.openShelf()
  expect(problems.collections.map(({ name, problems: all, solved }) => [name, all, solved])).toEqual([['book', 2, 2]])
})

test('a wrong move is punished on the board and can be tried again', async () => {
  const { problems } = await opened()
  await problems.give(at('H11'))
  expect([problems.phase, problems.verdict, problems.comment]).toEqual(['wrong', 'H11 is wrong. White replies at H13.', 'Too far.\nOut.'])
  expect([problems.step, problems.length, problems.stones[at('H13')]]).toEqual([2, 4, -1])
  const fallen = problems.rating?.rating
  expect(fallen).toBeLessThan(1500)
  problems.stepBy(2)
  expect(problems.stones[at('J13')]).toBe(-1)
  problems.again()
  expect([problems.mayAnswer, problems.stones[at('H11')]]).toEqual([true, 0])
  await problems.give(at('H13'))
  expect([problems.phase, problems.tries, problems.right, problems.rating?.rating]).toEqual(['solved', 1, 0, fallen])
})

test('a move that the file does not know is answered by the engine, and is taken back', async () => {
  const { problems } = await opened()
  await problems.give(at('H12'))
  expect(problems.phase).toBe('open')
  expect(problems.verdict).toMatch(/^H12 is not in the file\. .*It does not count/)
  expect([problems.tries, problems.rating, problems.mayTakeBack]).toEqual([0, null, true])
  problems.takeBack()
  expect([problems.phase, problems.stones[at('H12')], problems.verdict]).toEqual(['asking', 0, ''])

  // Elsewhere loses the stones, and the engine says so.
  await problems.give(at('L3'))
  expect(problems.phase).toBe('wrong')
  expect(problems.verdict).toMatch(/^L3 is not in the file\. The engine replies at [A-N]\d+ and thinks that your move loses about \d+ points: not solved\.$/)
  expect([problems.tries, problems.right]).toEqual([1, 0])
})

test('what the referee says of a position that was left is not shown', async () => {
  const { backend, problems } = await opened()
  // Two moves that the file does not know, as good as any.
  const [call, board] = [backend.call, problems.problem?.board]
  vi.spyOn(backend, 'call').mockImplementation(async (name, args) => name === 'try_problem'
    ? { status: 'ok', data: { verdict: 'unknown', opinion: { kind: 'keeps' }, comment: '', line: { moves: [], boards: [] }, engine: true, proved: false, moves: [], board, counted: null, set: null } } as never
    : call(name, args))
  await problems.give(at('L3'))
  await problems.give(at('L5'))
  const slow = backend.hold('judge_problem')
  const judged = problems.askReferee()
  await backend.until(() => slow.waiting === 1)
  problems.takeBack()
  expect([problems.phase, problems.judging]).toEqual(['open', false])
  slow.release()
  await judged
  expect(problems.ruling).toBeUndefined()
  await problems.askReferee()
  expect(problems.ruling).toBeDefined()
})

test('the solution is played through, and giving up is no solution', async () => {
  const { problems } = await opened()
  await problems.next()
  await problems.reveal()
  expect([problems.phase, problems.step, problems.comment, problems.tries, problems.right]).toEqual(['shown', 1, 'Good.', 1, 0])
  problems.show(Infinity)
  expect([problems.step, problems.stones[at('A12')]]).toEqual([3, -1])
  expect(problems.counted?.solved).toBe(false)
})

test('a move that is made while the solution is on its way answers nothing, and neither does a second wish for it', async () => {
  const { backend, problems } = await opened()
  const slow = backend.hold('problem_solution')
  const revealed = problems.reveal()
  await problems.give(at('H13'))
  await problems.reveal()
  expect([problems.phase, backend.asked('try_problem').length, backend.asked('problem_solution').length]).toEqual(['asking', 0, 1])
  slow.release()
  await revealed
  expect([problems.phase, problems.tries, problems.right]).toEqual(['shown', 1, 0])

  // What could not be shown can be answered.
  await problems.next()
  backend.refuse('problem_solution', { kind: 'notFound', message: 'gone' })
  await problems.reveal()
  await problems.give(at('B12'))
  expect(backend.asked('try_problem')).toHaveLength(1)
})

test('a set against the clock ends with its time', async () => {
  const { backend, problems } = await opened()
  const id = problems.collectionId ?? ''
  await problems.startSet(id, 10, 60)
  expect([problems.set?.count, problems.set?.number, Math.round(problems.secondsLeft)]).toEqual([2, 1, 60])
  await problems.give(at('H13'))
  await problems.next()
  expect([problems.set?.number, problems.set?.solved]).toEqual([2, 1])
  await backend.advance(61_000)
  await problems.give(at('B12'))
  expect(problems.isOver).toBe(true)
  const wrapper = mount(ProblemRoom, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  expect(wrapper.find('[data-test=set-result]').text()).toContain('1 of 2 solved, 1 tried, in 1:00.')
  wrapper.unmount()

  // Whoever leaves has ended it.
  await problems.startSet(id, 2, 60)
  await problems.leave()
  const state = await backend.call('problem_state', {})
  expect(state.status === 'ok' && state.data.set?.over).toBe(true)
})

test('the window’s own clock asks the back end when the time seems to be up', async () => {
  const { backend, problems } = await opened()
  await problems.startSet(problems.collectionId ?? '', 2, 60)
  const now = performance.now()
  const later = vi.spyOn(performance, 'now').mockReturnValue(now + 61_000)
  await backend.advance(61_000)
  await backend.until(() => problems.isOver)
  later.mockRestore()
  expect(problems.secondsLeft).toBe(0)
})

test('a file without problems says so, and a removed collection comes back with its file', async () => {
  const { problems } = await opened()
  const notices = useNotices()
  expect(await problems.openFile(file('(;SZ[9];B[ee])', 'game.sgf'))).toBe(false)
  expect(notices.notices.at(-1)?.title).toBe('There is no problem in this file')
  const id = problems.collectionId ?? ''
  await problems.remove(id)
  expect(problems.collections).toEqual([])
  await problems.openFile(file(TAKE + LIVE))
  expect(problems.collectionId).toBe(id)
})

test('an answer that nobody can judge is asked again', async () => {
  const { backend, problems } = await opened()
  backend.refuse('try_problem', { kind: 'engineUnavailable', message: 'gone', hint: 'wait' })
  await problems.give(at('H12'))
  expect([problems.phase, problems.tries, problems.mayAnswer]).toEqual(['asking', 0, true])
})

test('a position is framed, and a board without room says so', async () => {
  const { backend } = await startApp({ game: '(;SZ[19]AB[ea][eb][dc][cd][bd][ad]AW[da][db][cc][bc][ac])' })
  const [games, notices] = [useGames(), useNotices()]
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  const stones = () => games.position?.stones.filter(stone => stone !== 0).length ?? 0
  await games.frame()
  expect(stones()).toBeGreaterThan(200)
  await games.undo()
  expect(stones()).toBe(11)
  notices.$reset()
  await games.openText('(;SZ[9];B[ee])')
  await games.frame()
  expect(notices.notices.at(-1)?.title).toBe('There is no room for a frame here')
})

test('a fresh install has problems by theme, and nothing is kept before one is begun', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const problems = useProblems()
  await problems.openShelf()
  const inWindow = defineComponent(() => () => h(TooltipProvider, () => h(ProblemRoom)))
  const wrapper = mount(inWindow, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  const card = (theme: string) => wrapper.get(`[data-test=problems-shipped] [data-theme=${theme}]`)
  expect(problems.collections).toEqual([])
  expect([card('firstSteps').text(), card('capture').text()]).toEqual([expect.stringContaining('13 problems'), expect.stringContaining('12 problems · 30 kyu to 26 kyu')])
  expect(card('capture').find('[data-action=timed-set]').exists()).toBe(false)

  await card('escape').get('[data-action=solve-collection]').trigger('click')
  await backend.until(() => problems.problem)
  expect([problems.problem?.theme, problems.task]).toEqual(['escape', 'Save the marked stones.'])
  expect(wrapper.get('[data-test=problem-text]').text()).toBe('Save the marked stones.')
  expect(problems.problem?.marked.every(point => problems.stones[point] !== 0)).toBe(true)
  await problems.reveal()
  await problems.openShelf()
  expect(card('escape').text()).toContain('0 solved, 1 tried')
  expect(wrapper.find('[data-test=problems-own]').exists()).toBe(false)
  wrapper.unmount()
})

test('what is asked about a seki depends on whose stones are marked', async () => {
  await startApp({ settings: { threads: 1 } })
  const problems = useProblems()
  await problems.openTheme('seki')
  const seen = new Set<string>()
  for (let left = problems.collection?.problems ?? 0; left > 0; left--) {
    const { marked, board } = problems.problem!
    const isOwn = marked.every(at => board.stones[at] === (board.toMove === 'black' ? 1 : 2))
    expect(problems.task).toBe(isOwn ? en.problems.task.seki.keep : en.problems.task.seki.kill)
    seen.add(problems.task)
    await problems.next()
  }
  expect(seen.size).toBe(2)
})

test('nobody asks the referee about the endgame', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const problems = useProblems()
  const inWindow = defineComponent(() => () => h(TooltipProvider, () => h(ProblemRoom)))
  const wrapper = mount(inWindow, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  for (const [theme, isThere] of [['kill', true], ['endgame', false]] as const) {
    await problems.openTheme(theme)
    await nextTick()
    expect(wrapper.find('[data-action=ask-referee]').exists(), theme).toBe(isThere)
  }
  wrapper.unmount()
})

test('the first steps tell a rule, ask for a move, and refuse another one without a loss', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const problems = useProblems()
  await problems.openTheme('firstSteps')
  expect([problems.problem?.number, problems.task]).toEqual([1, expect.stringContaining('Play on any point.')])
  await problems.give(12)
  expect([problems.phase, problems.comment]).toEqual(['solved', expect.stringContaining('That was a move.')])
  await problems.next()
  expect(problems.task).toContain('liberties')
  await problems.give(0)
  expect([problems.phase, problems.tries]).toEqual(['asking', 1])
  const found = await backend.call('problem_solution', { problem: problems.problem!.problem, givenUp: false })
  await problems.give(found.status === 'ok' ? found.data.right[0] ?? null : null)
  expect([problems.phase, problems.right]).toEqual(['solved', 2])
})

test('every step has its words', async () => {
  await startApp({ settings: { threads: 1 } })
  const problems = useProblems()
  await problems.openShelf()
  const { firstSteps, task, theme } = en.problems
  expect(Object.keys(firstSteps)).toHaveLength(problems.shipped.find(one => one.theme === 'firstSteps')?.problems ?? 0)
  expect(problems.shipped.map(one => one.theme).sort()).toEqual(Object.keys(theme).sort())
  expect(Object.keys(theme).filter(name => !(name in task))).toEqual(['firstSteps'])
})

test('problems that were left while they were looked for do not come back', async () => {
  const { backend } = await startApp()
  const problems = useProblems()
  const slow = backend.hold('open_shipped_problems')
  const opening = problems.openTheme('firstSteps')
  await backend.until(() => slow.waiting === 1)
  await problems.leave()
  slow.release()
  await opening
  expect([problems.collectionId, problems.problem]).toEqual([undefined, undefined])
  await problems.openTheme('firstSteps')
  expect(problems.problem).toBeDefined()
})
