import { flushPromises, mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, test, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import { provideBackend } from '@/api'
import { useLibrary } from '@/features/library'
import { i18n } from '@/i18n'
import { startApp, type TestBackend } from '@/testing'
import { useExercises } from './exercises'
import LessonRoom from './LessonRoom.vue'
import { useLessons } from './store'

/** Black has the left five lines of nine, White the other four. */
const COUNTED = '(;SZ[9]KM[6.5]RU[Chinese]PB[Aya]PW[Ben]RE[B+2.5]AB[ea][eb][ec][ed][ee][ef][eg][eh][ei]AW[fa][fb][fc][fd][fe][ff][fg][fh][fi];B[];W[])'
/** White's stone at C3 is in a ladder that crosses the board. */
const LADDER = '(;SZ[19]RU[Chinese]KM[7.5]AB[bq][cr][dr]AW[cq];B[bb];W[bf];B[db];W[df];B[fb];W[ff];B[hb];W[hf];B[jb];W[jf];B[bd];W[bh];B[dd];W[dh];B[fd];W[fh];B[hd];W[hh];B[jd];W[bj])'

async function room(...records: string[]) {
  const { backend } = await startApp({ settings: { threads: 1 } })
  for (const goban of records) await backend.call('save_goban', { goban })
  const [exercises, lessons] = [useExercises(), useLessons()]
  await lessons.openDrills()
  const inWindow = defineComponent(() => () => h(TooltipProvider, () => h(LessonRoom)))
  const wrapper = mount(inWindow, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  return { backend, exercises, lessons, wrapper }
}
type Room = Awaited<ReturnType<typeof room>>

async function choose({ exercises, wrapper }: Room, kind: string): Promise<void> {
  await wrapper.get('[data-field=practice-kind]').setValue(kind)
  await vi.waitUntil(() => exercises.kind === kind && !exercises.loading)
  await flushPromises()
}
const judged = ({ exercises }: Room): Promise<unknown> => vi.waitUntil(() => exercises.phase === 'judged')
const text = ({ wrapper }: Room, name: string): string => wrapper.get(`[data-test=${name}]`).text()
const asked = (backend: TestBackend): number => backend.asked('answer_exercise').length

test('a finished game is counted with a number, and the figures are told', async () => {
  const one = await room(COUNTED)
  const { backend, exercises, wrapper } = one
  await choose(one, 'count')
  expect(text(one, 'exercise-question')).toBe('The game is over: who has won, and by how much?')
  expect(text(one, 'exercise-terms')).toBe('Area scoring, komi 6.5.')
  expect(document.activeElement?.getAttribute('data-field')).toBe('points')
  await wrapper.get('[data-field=points]').setValue(1.5)
  expect(wrapper.get('.said').text()).toBe('Black wins by 1.5 points.')
  await wrapper.get('[data-field=ahead-white]').setValue(true)
  expect(wrapper.get('.said').text()).toBe('White wins by 1.5 points.')
  await wrapper.get('form').trigger('submit')
  await judged(one)
  expect(text(one, 'exercise-verdict')).toBe('Wrong. Black wins by 2.5 points. Your answer is off by 4 points.')
  expect(document.activeElement?.getAttribute('data-action')).toBe('next-exercise')
  await vi.waitUntil(() => exercises.own?.all)
  await flushPromises()
  expect(text(one, 'exercise-figures')).toContain('0 of 1 right: 0% (0% to 79%)')
  await wrapper.get('[data-action=next-exercise]').trigger('click')
  await vi.waitUntil(() => !exercises.loading)
  await flushPromises()
  expect(wrapper.find('[data-test=no-exercise]').exists()).toBe(true)
  expect(asked(backend)).toBe(1)
  wrapper.unmount()
})

test('a ladder is answered with a button and plays itself out', async () => {
  const one = await room(LADDER)
  const { exercises, lessons, wrapper } = one
  await choose(one, 'ladder')
  expect(text(one, 'exercise-question')).toMatch(/^(Black|White) plays first: are the marked stones caught in a ladder\?$/)
  await wrapper.get('[data-action=ladder-works]').trigger('click')
  await judged(one)
  await flushPromises()
  expect(text(one, 'exercise-verdict')).toBe('Right. The ladder works.')
  const stone = exercises.exercise?.marks[0] ?? -1
  expect(exercises.stones[stone]).not.toBe(0)
  await wrapper.get('[data-action=line-last]').trigger('click')
  expect(exercises.stones[stone]).toBe(0)
  expect(text(one, 'exercise-step')).toMatch(/^Move (\d+) of \1$/)
  // Back to the cards.
  await cards(one)
  expect([exercises.kind, lessons.mode]).toEqual([undefined, 'drills'])
  wrapper.unmount()
})
async function cards({ exercises, wrapper }: Room): Promise<void> {
  await wrapper.get('[data-field=practice-kind]').setValue('cards')
  await vi.waitUntil(() => exercises.kind === undefined)
}

test('five minutes later it asks whether to go on', async () => {
  const one = await room(COUNTED, LADDER)
  const { exercises, wrapper } = one
  await choose(one, 'ladder')
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * 60_000)
  await exercises.next()
  await flushPromises()
  expect(wrapper.text()).toContain('Five minutes are over')
  await wrapper.get('[data-action=go-on]').trigger('click')
  now.mockRestore()
  await vi.waitUntil(() => !exercises.loading)
  expect([exercises.resting, exercises.exercise !== undefined]).toEqual([false, true])
  wrapper.unmount()
})

test('an answer that cannot be judged is asked again', async () => {
  const one = await room(COUNTED)
  const { backend, exercises, wrapper } = one
  await choose(one, 'count')
  backend.refuse('answer_exercise', { kind: 'engineUnavailable', message: 'gone', hint: 'wait' })
  await exercises.giveLead()
  expect([exercises.phase, exercises.tries]).toEqual(['asking', 0])
  wrapper.unmount()
})

test('where no position is left games are imported on the spot, and asked as soon as they are there', async () => {
  const one = await room()
  const { backend, exercises, wrapper } = one
  await choose(one, 'count')
  const library = useLibrary()
  backend.listen((event) => { if (event.event === 'import') library.receiveImport(event.payload) })
  const choosing = vi.spyOn(library, 'chooseImport').mockResolvedValue()
  await wrapper.get('[data-action=import-for-exercises]').trigger('click')
  expect(choosing).toHaveBeenCalledOnce()
  await library.importFiles([{ kind: 'content', name: 'counted.sgf', base64: btoa(COUNTED) }])
  await vi.waitUntil(() => exercises.exercise)
  wrapper.unmount()
})

test('what was answered cannot be answered once more while the next one is looked for', async () => {
  const one = await room(COUNTED, COUNTED.replaceAll('Aya', 'Cho').replace('KM[6.5]', 'KM[5.5]'))
  const { backend, exercises } = one
  await choose(one, 'count')
  await exercises.giveLead()
  const first = exercises.exercise
  const slow = backend.hold('next_exercise')
  const next = exercises.next()
  await backend.until(() => slow.waiting === 1)
  await exercises.giveLead()
  expect([exercises.phase, exercises.exercise === first, asked(backend)]).toEqual(['judged', true, 1])
  slow.release()
  await next
  expect(exercises.phase).toBe('asking')
})

test('a move that loses nothing that can be seen does not lose "only 0 points"', async () => {
  const { exercises } = await room(COUNTED)
  exercises.tried = 3
  exercises.judged = { right: true, error: 0.03, works: null, blackLead: null, score: null, moves: [{ vertex: 5, pointsLost: 0 }, { vertex: 3, pointsLost: 0.03 }], line: { moves: [], boards: [] }, due: null } as unknown as NonNullable<typeof exercises.judged>
  expect(exercises.verdict).toMatch(/is just as good\.$/)
})
