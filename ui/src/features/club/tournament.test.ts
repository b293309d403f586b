import { createPinia, setActivePinia } from 'pinia'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TournamentRow } from '@/api'
import { cellText, cellWords, tablePoints, useTournament } from './tournament'

test('points are written as tables of tournaments do', () => {
  expect([0, 0.5, 1, 3.5, 12].map(tablePoints)).toEqual(['0', '½', '1', '3½', '12'])
  expect(tablePoints(4.25)).toBe('4.25')
})

test('a round is the opponent’s row, how it ended, and the colour', () => {
  const rows = new Map([[7, 2]])
  expect(cellText({ opponent: 7, color: 1, result: 'won' }, rows)).toBe('2+ ●')
  expect(cellText({ opponent: 7, color: 2, result: 'lost' }, rows)).toBe('2− ○')
  expect(cellText({ opponent: 7, color: 2, result: 'drawn' }, rows)).toBe('2= ○')
  expect(cellText({ opponent: null, color: null, result: 'bye' }, rows)).toBe('0+')
  expect(cellText({ opponent: null, color: null, result: 'half' }, rows)).toBe('0=')
  expect(cellText({ opponent: null, color: null, result: 'absent' }, rows)).toBe('0−')
  const row = { player: 7, name: 'Anna' } as TournamentRow
  expect(cellWords({ opponent: 7, color: 1, result: 'won' }, [row])).toBe('beat Anna, as Black')
  expect(cellWords({ opponent: null, color: null, result: 'bye' }, [row])).toBe('bye')
  expect(cellWords({ opponent: null, color: null, result: 'half' }, [row])).toBe('Half a point')
})

test('a tournament that is opened without a connection is there as soon as there is one', async () => {
  const sockets: EventTarget[] = []
  vi.stubGlobal('WebSocket', class extends EventTarget {
    constructor() {
      super()
      sockets.push(this)
    }

    close(): void { /* Nobody hears it. */ }
  })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  onTestFinished(() => { vi.unstubAllGlobals() })
  setActivePinia(createPinia())
  const store = useTournament()
  await store.enter(3)
  expect(store.closed).not.toBe('')
  sockets.at(-1)?.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ type: 'tournament', tournament: { id: 3, title: 'Spring cup', rounds: [], table: [] } }) }))
  expect([store.shown?.title, store.closed]).toEqual(['Spring cup', ''])
  store.leave()
})
