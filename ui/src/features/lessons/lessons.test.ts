import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, test, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import { provideBackend } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp, type TestBackend } from '@/testing'
import LessonPanel from './LessonPanel.vue'
import LessonStrip from './LessonStrip.vue'
import { useLessons } from './store'
import { useReviewByItself } from './useReviewByItself'

/** Black leaves three stones in atari for a corner at move 15 (A9), and White leaves them too for another at move 16. */
const GAME = '(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Ben];B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec];B[cg];W[eg];B[fh];W[fe];B[aa];W[ia];B[ff];W[hd])'
const HOUR = 3_600_000

async function asking(): Promise<{ backend: TestBackend, lessons: ReturnType<typeof useLessons> }> {
  const { backend } = await startApp({ game: GAME, settings: { threads: 1 } })
  const [games, analysis, lessons] = [useGames(), useAnalysis(), useLessons()]
  backend.listen((event) => { if (event.event === 'graph') analysis.receiveGraph(event.payload) })
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  await lessons.openTurns()
  // Nobody has reviewed the game: that is done first.
  await backend.until(() => analysis.lastSweep?.state.kind === 'finished')
  await lessons.loadTurns()
  return { backend, lessons }
}

/** The best answer to the question on the board, as the back end has it. */
async function bestOf(backend: TestBackend, lessons: ReturnType<typeof useLessons>): Promise<number | null> {
  if (!lessons.card) throw new Error('nothing is asked')
  const found = await backend.call('card_solution', { card: lessons.card.card, givenUp: false })
  if (found.status === 'error') throw new Error('there is no solution')
  return found.data.best
}

test('a turning point is missed, answered on the board, and comes back turned until it is known', async () => {
  const { backend, lessons } = await asking()
  const cards = lessons.turns ?? []
  const at = cards.findIndex(card => card.number === 15)
  expect(at).toBeGreaterThanOrEqual(0)
  while (lessons.index < at) await lessons.next()
  expect(lessons.mayAnswer).toBe(true)

  await lessons.give(0)
  expect(lessons.phase).toBe('wrong')
  expect(lessons.verdict).toMatch(/^A9 loses about [\d.]+ points\. White replies at [A-J]\d\.$/)
  expect([lessons.step, lessons.stones[0]]).toEqual([2, 1])
  expect(lessons.stones[lessons.shown?.moves[1] ?? 0]).toBe(-1)
  expect([lessons.kept, lessons.tries, lessons.right]).toEqual([true, 1, 0])

  lessons.again()
  expect([lessons.step, lessons.mayAnswer, lessons.stones[0]]).toEqual([0, true, 0])
  await lessons.reveal()
  expect(lessons.phase).toBe('solved')
  expect(lessons.solution?.played?.vertex).toBe(0)
  lessons.show('better', 3)
  expect(lessons.step).toBe(Math.min(3, lessons.shown?.moves.length ?? 0))
  expect(lessons.tries).toBe(1)

  // Three repetitions, each later than the one before, each seen another way.
  const turns = new Set<unknown>()
  const pauses: number[] = []
  let hours = 0
  for (let repetition = 0; repetition < 3; repetition++) {
    await lessons.openDrills()
    expect([lessons.card, lessons.drills.total, lessons.drills.due]).toEqual([undefined, 1, 0])
    let waited = 0
    while (lessons.drills.due === 0) {
      await backend.advance(HOUR)
      waited++
      await lessons.refresh()
    }
    hours += waited
    pauses.push(waited)
    await lessons.openDrills()
    const { card } = lessons
    turns.add(card?.card.kind === 'drill' ? card.card.turn : undefined)
    expect(card?.number).toBe(15)
    await lessons.give(await bestOf(backend, lessons))
    expect([lessons.phase, lessons.right]).toEqual(['right', 1])
    expect(lessons.verdict).toMatch(/is the best move\.$/)
  }
  expect(turns.size).toBe(3)
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
  // Five hours, then a day and two days, of which the last ends eight hours early.
  expect(pauses).toEqual([6, 16, 40])
  expect(hours).toBe(62)
})

test('a look for the graph is no review: the game is reviewed all the same', async () => {
  const { backend } = await startApp({ game: GAME, settings: { threads: 1 } })
  const [games, analysis, lessons] = [useGames(), useAnalysis(), useLessons()]
  backend.listen((event) => { if (event.event === 'graph') analysis.receiveGraph(event.payload) })
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  await backend.allow(3)
  await analysis.sweepGame([1])
  expect(analysis.sweep?.visits).toBe(1)
  await lessons.openTurns()
  await backend.allow(null)
  await backend.until(() => analysis.lastSweep?.state.kind === 'finished' && analysis.lastSweep.passes === 2)
  await lessons.loadTurns()
  expect(lessons.turns?.map(({ number }) => number)).toContain(15)
})

test('what is right is not kept, unless the person wants it', async () => {
  const { backend, lessons } = await asking()
  await lessons.give(await bestOf(backend, lessons))
  expect([lessons.phase, lessons.kept, lessons.right]).toEqual(['right', false, 1])
  await lessons.keep(true)
  expect([lessons.kept, lessons.drills.total, lessons.drills.due]).toEqual([true, 1, 1])
  await lessons.keep(false)
  expect([lessons.kept, lessons.drills.total]).toEqual([false, 0])
  await lessons.addPosition()
  expect(lessons.drills.total).toBe(1)
})

test('one is asked about the moves of one player where that is wished for', async () => {
  const { lessons } = await asking()
  await lessons.choose('black')
  expect(lessons.turns?.length).toBeGreaterThan(0)
  for (const card of lessons.turns ?? []) expect(card.board.toMove).toBe('black')
  while (!lessons.isLast) await lessons.next()
  const last = lessons.index
  await lessons.next()
  expect(lessons.index).toBe(last)
  lessons.previous()
  expect(lessons.index).toBe(Math.max(0, last - 1))
})

test('after five minutes the person is asked whether to go on', async () => {
  const { backend, lessons } = await asking()
  const games = useGames()
  for (const nodeId of games.active?.tree.ids.slice(2, 5) ?? []) await backend.call('keep_position', { gameId: games.activeId ?? '', nodeId })
  await lessons.openDrills()
  expect(lessons.drills.due).toBe(3)
  await lessons.reveal()
  const later = Date.now() + 5 * 60_000
  vi.spyOn(Date, 'now').mockReturnValue(later)
  await lessons.refresh()
  await lessons.next()
  expect(lessons.resting).toBe(true)
  await lessons.goOn()
  expect([lessons.resting, lessons.mayAnswer]).toEqual([false, true])
  vi.restoreAllMocks()
})

test('a move that loses nothing is as good, without a figure', async () => {
  const { lessons } = await asking()
  const verdict = (pointsLost: number): string => {
    lessons.tried = 1
    lessons.phase = 'right'
    lessons.answer = { accepted: true, isBest: false, pointsLost, line: { moves: [1], boards: [] }, kept: { kept: false, due: null } }
    return lessons.verdict
  }
  expect([verdict(0.04), verdict(0.3)]).toEqual(['B9 is just as good.', 'B9 is just as good: it loses only 0.3 points.'])
})

test('an answer that cannot be judged is asked again', async () => {
  const { backend, lessons } = await asking()
  backend.refuse('answer_card', { kind: 'engineUnavailable', message: 'gone', hint: 'wait' })
  await lessons.give(0)
  expect([lessons.phase, lessons.tries, lessons.mayAnswer]).toEqual(['asking', 0, true])
})

/** A window with the game on its board, and its turning points beside it. */
async function opened(reviewByItself: boolean) {
  const { backend } = await startApp({ game: GAME, settings: { threads: 1, reviewByItself } })
  const [games, analysis, settings] = [useGames(), useAnalysis(), useSettings()]
  backend.listen((event) => { if (event.event === 'graph') analysis.receiveGraph(event.payload) })
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') {
    settings.adopt(startup.data.settings)
    games.adopt(startup.data.games)
  }
  const opened: number[] = []
  const beside = defineComponent(() => {
    useReviewByItself()
    return () => h(LessonStrip, { gameId: games.activeId ?? '', onOpen: (nodeId: number) => { opened.push(nodeId) } })
  })
  const wrapper = mount(beside, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  return { analysis, backend, opened, settings, wrapper }
}

test('a game that is opened is reviewed by itself, and its turning points stand as cards', async () => {
  const { analysis, backend, opened: pressed, wrapper } = await opened(true)
  await backend.until(() => analysis.lastSweep?.state.kind === 'finished')
  await backend.until(() => wrapper.findAll('.card').length > 0)
  const cards = wrapper.findAll('.card')
  expect(cards.length).toBeLessThanOrEqual(5)
  const ofMove = cards.find(card => card.attributes('aria-label') === 'Move 15, Black to play: find something better')
  await ofMove?.trigger('click')
  expect(pressed).toEqual([Number(ofMove?.attributes('data-node'))])
  expect(backend.asked('review_by_itself').length).toBe(1)
  expect(backend.asked('sweep_game').length).toBe(0)
  const lessons = useLessons()
  await lessons.openTurn(pressed[0] ?? 0)
  expect(lessons.card?.number).toBe(15)
})

test('nothing is reviewed by itself until the person allows it', async () => {
  const { analysis, backend, settings, wrapper } = await opened(false)
  await backend.until(() => backend.asked('review_by_itself').length === 1)
  expect([analysis.sweep, wrapper.find('.card').exists()]).toEqual([undefined, false])
  settings.change({ reviewByItself: true })
  await backend.until(() => analysis.lastSweep?.state.kind === 'finished')
})

test('the room of the turning points is there before them, with the button that finds them', async () => {
  const { backend, analysis, wrapper } = await opened(false)
  const room = wrapper.get('[data-test=turning-points]').element
  await wrapper.get('[data-action=find-turns]').trigger('click')
  await backend.until(() => analysis.lastSweep?.state.kind === 'finished')
  await backend.until(() => wrapper.findAll('.card').length > 0)
  expect([wrapper.get('[data-test=turning-points]').element === room, wrapper.find('[data-action=find-turns]').exists(), wrapper.find('[data-action=solve-turns]').exists()]).toEqual([true, false, true])
})

test('cards of a part of the moves say so, and are chosen anew while the one on the board stays', async () => {
  const { analysis, backend, wrapper } = await opened(false)
  const lessons = useLessons()
  await analysis.sweepGame([1, 50], { worst: 3 })
  await backend.until(() => analysis.lastSweep?.state.kind === 'finished')
  await backend.until(() => wrapper.find('[data-test=points-judged]').exists())
  expect(wrapper.get('[data-test=points-judged] span').text()).toBe(`Chosen from ${lessons.points?.judged} of 18 moves.`)
  expect(lessons.points?.judged).toBeLessThan(18)

  await lessons.openTurns()
  const [asked, before] = [lessons.card, lessons.turns?.length ?? 0]
  expect(asked).toBeDefined()
  await wrapper.get('[data-action=look-on]').trigger('click')
  await backend.until(() => lessons.points?.judged === 18 && !analysis.sweep)
  await backend.until(() => (lessons.turns?.length ?? 0) > before)
  // The question has not begun anew.
  expect(lessons.card).toBe(asked)
  expect(lessons.turns?.map(({ number }) => number)).toEqual((lessons.turns ?? []).map(({ number }) => number).sort((a, b) => a - b))
  expect([wrapper.get('[data-test=points-judged]').text(), wrapper.find('[data-action=look-on]').exists()]).toEqual(['Chosen from 18 of 18 moves.', false])
})

test('what is said of a move of the game is played on the board', async () => {
  const { backend, lessons } = await asking()
  const at = (lessons.turns ?? []).findIndex(card => card.number === 16)
  while (lessons.index < at) await lessons.next()
  await lessons.reveal()
  await backend.until(() => lessons.facts !== undefined)
  expect(lessons.facts?.map(({ fact }) => fact.kind)).toContain('lead')
  const lead = lessons.facts?.findIndex(({ fact }) => fact.kind === 'lead') ?? -1
  lessons.show(`fact${lead}`)
  // The move of the game comes first, and the sentence is the one whose moves are shown.
  expect([lessons.step, lessons.shown?.moves[0]]).toEqual([1, 8])
  expect(lessons.shownFact).toBe(lessons.facts?.[lead])
})

test('where the engine is sure of no reason, that is said', async () => {
  const { backend, lessons } = await asking()
  const at = (lessons.turns ?? []).findIndex(card => card.number === 15)
  while (lessons.index < at) await lessons.next()
  const panel = mount(defineComponent(() => () => h(TooltipProvider, () => h(LessonPanel))), { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  const told = (): string => panel.find('[data-test=lesson-explaining]').exists() ? panel.get('[data-test=lesson-explaining]').text() : ''
  const { release } = backend.hold('card_facts')
  await lessons.reveal()
  await panel.vm.$nextTick()
  expect(told()).toBe('Looking for the reason…')
  release()
  await backend.until(() => lessons.facts !== undefined)
  lessons.facts = []
  lessons.unsure = true
  await panel.vm.$nextTick()
  expect(told()).toBe('The engine is not sure enough of a reason to name one.')

  // A search that failed is sure of nothing, and says nothing.
  lessons.previous()
  await lessons.next()
  expect(lessons.unsure).toBe(false)
  backend.refuse('card_facts', { kind: 'engineUnavailable', message: 'gone', hint: 'wait' })
  await lessons.reveal()
  await backend.until(() => lessons.facts !== undefined)
  expect([lessons.unsure, told()]).toEqual([false, ''])
})

test('a move that is made while the solution is on its way answers nothing', async () => {
  const { backend, lessons } = await asking()
  const slow = backend.hold('card_solution')
  const revealed = lessons.reveal()
  await lessons.give(0)
  await lessons.reveal()
  expect([lessons.phase, backend.asked('answer_card').length, backend.asked('card_solution').length]).toEqual(['asking', 0, 1])
  slow.release()
  await revealed
  expect([lessons.phase, lessons.tries, lessons.right]).toEqual(['solved', 1, 0])
})

test('who asks for the solution right after a right answer has not given up', async () => {
  const { backend, lessons } = await asking()
  const best = await bestOf(backend, lessons)
  const slow = backend.hold('card_solution')
  const given = lessons.give(best)
  await backend.until(() => lessons.phase === 'right')
  await lessons.reveal()
  slow.release()
  await given
  expect(backend.asked('card_solution').map(({ givenUp }) => givenUp)).toEqual([false, false])
  expect([lessons.phase, lessons.tries, lessons.right]).toEqual(['right', 1, 1])
})

test('the moves of a record are asked for by heart, and all of them are right', async () => {
  const { backend } = await startApp()
  const [games, lessons] = [useGames(), useLessons()]
  await games.openText('(;SZ[9];B[ee];W[ch](;B[gg])(;B[gc])(;B[aa]BM[1]))')
  await backend.call('keep_lines', { gameId: games.activeId ?? '', positions: [{ nodeId: games.active?.tree.ids[2] ?? 0, missed: true }] })
  await backend.advance(24 * HOUR)
  await lessons.openDrills()
  const { card } = lessons
  if (!card) throw new Error('nothing is asked')
  expect(lessons.question).toMatch(/ to play: which move does the record have\?$/)
  const found = await backend.call('card_solution', { card: card.card, givenUp: false })
  const good = found.status === 'ok' ? found.data.good.map(({ vertex }) => vertex) : []
  expect(good).toHaveLength(2)
  await lessons.give(card.board.legal.findIndex((may, point) => may === 1 && !good.includes(point)))
  expect(lessons.verdict).toMatch(/^The record does not have [A-J]\d\.$/)
  lessons.again()
  await lessons.give(good[1] ?? null)
  expect(lessons.verdict).toMatch(/^Right: the record has [A-J]\d\.$/)
  expect(lessons.better).toMatch(/^The record has [A-J]\d, [A-J]\d$/)
  expect(Object.keys(lessons.lines)).toEqual(['answer'])
})
