import { flushPromises } from '@vue/test-utils'
import { describe, expect, test, vi } from 'vitest'
import { resultWords, useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { startApp } from '@/testing'
import { useScoring } from './scoring'

/** A game with two black stones that touch and a white one. */
async function counting() {
  const { backend } = await startApp()
  await useGames().openText('(;SZ[9];B[aa];W[ee];B[ba])')
  await useGames().navigate('last')
  return { backend, scoring: useScoring() }
}

describe('counting', () => {
  test('says that it waits for the engine, and can be left', async () => {
    const { scoring } = await counting()
    const done = scoring.enter()
    expect([scoring.open, scoring.waiting, scoring.score]).toEqual([true, true, undefined])
    scoring.leave()
    await done
    expect([scoring.open, scoring.waiting, scoring.score]).toEqual([false, false, undefined])
  })

  test('is spoken from its beginning: that it waits, and what it comes to', async () => {
    const { scoring } = await counting()
    const notices = useNotices()
    const done = scoring.enter()
    expect(notices.spoken).toBe('Looking for dead stones…')
    scoring.leave()
    await done
    await scoring.byHand()
    expect(notices.spoken.trim()).toBe(resultWords(scoring.score!.result))
  })

  test('ends with its game, and so does waiting for the engine', async () => {
    const { backend, scoring } = await counting()
    const games = useGames()
    const closeGame = (): Promise<void> => games.close(games.activeId!, 'leave')
    await scoring.byHand()
    expect(scoring.score).toBeDefined()
    await closeGame()
    await games.openText('(;SZ[19];B[aa])')
    expect([scoring.open, scoring.score]).toEqual([false, undefined])
    const asked = backend.hold('score')
    const done = scoring.enter()
    await backend.until(() => asked.waiting)
    await closeGame()
    expect([scoring.open, scoring.waiting]).toEqual([false, false])
    asked.release()
    await done
    expect(scoring.open).toBe(false)
  })

  test('does not wait for the engine where the person marks the dead stones', async () => {
    const { backend, scoring } = await counting()
    const call = backend.call
    let propose: (() => void) | undefined
    vi.spyOn(backend, 'call').mockImplementation(async (name, args) => {
      if (name === 'score' && (args as { dead: unknown }).dead === null) await new Promise<void>((resolve) => { propose = resolve })
      return call(name, args)
    })
    const proposed = scoring.enter()
    await scoring.byHand()
    expect(scoring.waiting).toBe(false)
    await scoring.toggle(0)
    expect(scoring.score?.dead).toEqual([0, 1])
    propose?.()
    await proposed
    expect(scoring.score?.dead, 'what the engine says too late changes nothing').toEqual([0, 1])
  })

  test('goes on by hand, and says why, where the engine cannot answer', async () => {
    const { backend, scoring } = await counting()
    const call = backend.call
    vi.spyOn(backend, 'call').mockImplementation(async (name, args) => name === 'score' && (args as { dead: unknown }).dead === null
      ? { status: 'error', error: { kind: 'engineUnavailable', message: 'no network was found', hint: '' } } as never
      : call(name, args))
    await scoring.enter()
    expect(scoring.score?.dead).toEqual([])
    expect(scoring.waiting).toBe(false)
    expect(useNotices().notices.map(notice => [notice.tone, notice.title])).toEqual([['warning', 'The engine could not suggest dead stones']])
  })

  test('is made again where komi or stones are changed, with the dead stones that are left', async () => {
    const { backend, scoring } = await counting()
    const games = useGames()
    await games.setStones([60], 'black')
    await scoring.byHand()
    for (const point of [0, 60]) await scoring.toggle(point)
    const lead = scoring.score!.blackLead
    await games.setInfo({ ...games.active!.info, komi: games.active!.info.komi + 10 })
    await backend.until(() => scoring.score?.blackLead !== lead)
    expect(scoring.score?.blackLead).toBeCloseTo(lead - 10)
    expect(scoring.score?.dead.toSorted((a, b) => a - b)).toEqual([0, 1, 60])
    const node = games.position?.nodeId
    await games.setStones([60], null)
    expect(games.position?.nodeId, 'it is the same place').toBe(node)
    await backend.until(() => scoring.score?.dead.length === 2)
    expect(scoring.score?.dead.toSorted((a, b) => a - b)).toEqual([0, 1])
  })

  test('loses none of two toggles that come quickly, and brings a whole chain back', async () => {
    const { scoring } = await counting()
    await scoring.byHand()
    await Promise.all([scoring.toggle(0), scoring.toggle(40)])
    expect(scoring.score?.dead.toSorted((a, b) => a - b)).toEqual([0, 1, 40])
    await scoring.toggle(1)
    await flushPromises()
    expect(scoring.score?.dead).toEqual([40])
  })
})
