import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import { CLUB_TOKEN_KEY } from '@/api'
import { useClub } from './session'

const said = (status: number, answer: unknown) =>
  ({ ok: status < 300, status, headers: new Headers(), text: () => Promise.resolve(JSON.stringify(answer)) }) as Response
const refused = (status: number, kind: string) => said(status, { error: { kind, message: '' } })

/** Answers by the token: who has it, or that it is void. */
function serve(people: Readonly<Record<string, string>>): void {
  vi.stubGlobal('fetch', (_: string, { headers }: { headers: Record<string, string> }) => {
    const username = people[(headers.Authorization ?? '').replace('Bearer ', '')]
    return Promise.resolve(username === undefined ? refused(401, 'unauthorized') : said(200, { username, guest: false }))
  })
}

/** What another window of this browser does with the token. */
function elsewhere(token: string | undefined): void {
  const oldValue = localStorage.getItem(CLUB_TOKEN_KEY)
  if (token === undefined) localStorage.removeItem(CLUB_TOKEN_KEY)
  else localStorage.setItem(CLUB_TOKEN_KEY, token)
  window.dispatchEvent(Object.assign(new Event('storage'), { key: CLUB_TOKEN_KEY, oldValue }))
}

beforeEach(() => { setActivePinia(createPinia()) })

test('who is logged in is asked again until the server answers', async () => {
  vi.useFakeTimers()
  localStorage.setItem(CLUB_TOKEN_KEY, 'anna')
  const answer = vi.fn<() => Promise<Response>>()
  vi.stubGlobal('fetch', answer)
  answer.mockRejectedValueOnce(new TypeError('no network')).mockResolvedValueOnce(refused(503, 'unavailable'))
  answer.mockResolvedValueOnce(said(200, { username: 'Anna', guest: false }))
  const club = useClub()
  const done = club.resume()
  await vi.advanceTimersByTimeAsync(0)
  expect([club.checking, club.known, club.problem === '']).toEqual([true, false, false])
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect([answer.mock.calls.length, club.checking]).toEqual([2, true])
  await vi.advanceTimersByTimeAsync(8000)
  await done
  expect([club.checking, club.person?.username, club.problem]).toEqual([false, 'Anna', ''])
})

test('a void token is forgotten', async () => {
  localStorage.setItem(CLUB_TOKEN_KEY, 'old')
  serve({})
  const club = useClub()
  await club.resume()
  expect([club.checking, club.token, localStorage.getItem(CLUB_TOKEN_KEY)]).toEqual([false, '', null])
})

test('the token of another window is not thrown away with the void one, but taken over', async () => {
  localStorage.setItem(CLUB_TOKEN_KEY, 'old')
  serve({ fresh: 'Anna' })
  const club = useClub()
  localStorage.setItem(CLUB_TOKEN_KEY, 'fresh')
  expect((await club.ask('GET /api/games')).status).toBe('error')
  await vi.waitFor(() => { expect(club.person?.username).toBe('Anna') })
  expect([club.token, localStorage.getItem(CLUB_TOKEN_KEY), club.checking]).toEqual(['fresh', 'fresh', false])
})

test('logging in and out in another window is heard', async () => {
  serve({ anna: 'Anna', ben: 'Ben' })
  const club = useClub()
  elsewhere('anna')
  await vi.waitFor(() => { expect(club.person?.username).toBe('Anna') })
  elsewhere('ben')
  expect(club.person?.username, 'whoever is here stays').toBe('Anna')
  elsewhere(undefined)
  expect(club.known, 'that was somebody else').toBe(true)
  localStorage.setItem(CLUB_TOKEN_KEY, 'anna')
  elsewhere(undefined)
  expect([club.known, club.token]).toEqual([false, ''])
})
