import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { CLUB_TOKEN_KEY, type NewRoom } from '@/api'
import { useLobby } from './lobby'
import { useClub } from './session'

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/api/me': { username: 'Anna', guest: false },
  '/api/invitations': { invitations: [{ room_id: '1', from: 'Ben', lesson: false, terms: null }] },
  '/api/lobby': { rooms: [], lessons: [], tournaments: [], users: [{ username: 'Anna', guest: false, rooms: 0, ratings: [] }], invitations: [] },
}

beforeEach(() => { setActivePinia(createPinia()) })

/** Somebody who has logged in, and what was asked of the server since. */
async function entered() {
  vi.useFakeTimers()
  localStorage.setItem(CLUB_TOKEN_KEY, 'anna')
  const asked: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    return Promise.resolve({ ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(JSON.stringify(ANSWERS[path])) } as Response)
  })
  await useClub().resume()
  asked.length = 0
  const lobby = useLobby()
  onTestFinished(() => lobby.stop())
  return { lobby, asked }
}

test('one look at the lobby is one request', async () => {
  const { lobby, asked } = await entered()
  lobby.watch(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual(['/api/lobby'])
  expect([lobby.loaded, lobby.users.length, lobby.invitations.length]).toEqual([true, 1, 0])
  await vi.advanceTimersByTimeAsync(3000)
  expect(asked).toEqual(['/api/lobby', '/api/lobby'])
})

test('where the lobby is not seen only invitations are looked for, and what was seen stays', async () => {
  const { lobby, asked } = await entered()
  lobby.watch(true)
  await vi.advanceTimersByTimeAsync(0)
  lobby.watch(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual(['/api/lobby', '/api/invitations'])
  expect([lobby.loaded, lobby.users.length, lobby.invitations[0]?.from]).toEqual([false, 1, 'Ben'])
})

test('a second press while the server is slow makes no second room, and shows no game twice', async () => {
  const { lobby } = await entered()
  const held: (() => void)[] = []
  const asked: string[] = []
  const answers: Record<string, unknown> = { '/api/generate-room': { room_id: '7' }, '/api/games?limit=50': { games: [{ id: 9 }] }, '/api/games?limit=50&before=9': { games: [{ id: 8 }] } }
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    await new Promise<void>((resolve) => { held.push(resolve) })
    return { ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(JSON.stringify(answers[path])) } as Response
  })
  const letGo = (): void => { for (const go of held.splice(0)) go() }
  const wanted = {} as NewRoom

  const made = [lobby.create(wanted), lobby.create(wanted)]
  await vi.advanceTimersByTimeAsync(1000)
  letGo()
  expect(await Promise.all(made)).toEqual(['7', undefined])
  expect(asked).toEqual(['/api/generate-room'])

  const loaded = lobby.loadGames()
  letGo()
  await loaded
  const more = [lobby.loadMoreGames(), lobby.loadMoreGames()]
  letGo()
  await Promise.all(more)
  expect(lobby.games.map(({ id }) => id)).toEqual([9, 8])
})
