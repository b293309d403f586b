import { defineStore } from 'pinia'
import { computed, onScopeDispose, shallowRef } from 'vue'
import { askClub, CLUB_TOKEN_KEY, clubToken, type Answered, type Asked, type ClubEntered, type ClubFacts, type ClubFailure, type ClubLinks, type ClubMe, type Route } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { hashOf, readPlace } from './address'
import { failureWords } from './failure'

const MIN_WAIT_MS = 400
const MAX_WAIT_MS = 8000

/** Whether it says nothing of the token: the server, or the way to it, is away for a while. */
const isPassing = ({ kind, status = 0 }: ClubFailure): boolean => kind === 'disconnected' || status === 429 || status >= 500

/** A while; it ends at once when the network comes back. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    window.addEventListener('online', end)
  })
}

/** Whether a browser can be sent there; what runs as a script is no page. */
function isPage(address: string): boolean {
  return /^https?:$/.test(new URL(address).protocol)
}

/** Routes that let somebody in. */
type Entrance = 'POST /api/register' | 'POST /api/login' | 'POST /api/reset-password' | 'POST /api/guest' | 'POST /api/change-password'

/** Who is here, and the token that says so. */
export const useClub = defineStore('club', () => {
  const notices = useNotices()
  const facts = shallowRef<ClubFacts>({ guests: false, registration: 'open', boards: false })
  const person = shallowRef<ClubMe>()
  const token = shallowRef(clubToken())
  /** Whether the kept token is still being asked about. */
  const checking = shallowRef(token.value !== '')
  const busy = shallowRef(false)
  const problem = shallowRef('')
  const known = computed(() => person.value !== undefined)

  function keep({ token: fresh, username, guest, operator }: ClubEntered): void {
    token.value = fresh
    localStorage.setItem(CLUB_TOKEN_KEY, fresh)
    person.value = { username, guest, operator }
    problem.value = ''
    checking.value = false
  }

  function forget(): void {
    // Another window of this browser may have logged in anew.
    if (clubToken() === token.value) localStorage.removeItem(CLUB_TOKEN_KEY)
    token.value = ''
    person.value = undefined
  }

  /** Takes over the token that another window of this browser has kept; false where there is none. */
  function adopt(): boolean {
    const kept = clubToken()
    if (kept === '' || kept === token.value) return false
    token.value = kept
    person.value = undefined
    void resume()
    return true
  }

  /** Another window of this browser has logged in or out. */
  function hearOther({ key, oldValue }: StorageEvent): void {
    if (key !== CLUB_TOKEN_KEY) return
    if (!known.value) adopt()
    else if (clubToken() === '' && oldValue === token.value) forget()
  }
  window.addEventListener('storage', hearOther)
  onScopeDispose(() => window.removeEventListener('storage', hearOther))

  /** Asks the server for something in this person's name. Whoever is not known any more is asked to log in. */
  async function ask<R extends Route>(route: R, ...asked: Asked<R>): Promise<Answered<R>> {
    const used = token.value
    const answer = await askClub(route, used, ...asked)
    if (answer.status === 'error' && answer.error.kind === 'unauthorized' && used === token.value && !adopt()) {
      if (known.value) notices.show({ tone: 'warning', title: say('club.enter.again') })
      forget()
    }
    return answer
  }

  let resuming = false
  /** Finds out who the kept token is. Where the server does not answer it is asked again. */
  async function resume(): Promise<void> {
    if (resuming) return
    resuming = true
    checking.value = token.value !== ''
    for (let wait = MIN_WAIT_MS; token.value !== '' && !known.value;) {
      const used = token.value
      const answer = await ask('GET /api/me')
      if (used !== token.value) continue
      if (answer.status === 'ok') {
        person.value = answer.data
        problem.value = ''
        break
      }
      problem.value = failureWords(answer.error)
      if (!isPassing(answer.error)) break
      await pause(wait)
      wait = Math.min(MAX_WAIT_MS, wait * 2)
    }
    checking.value = false
    resuming = false
  }

  async function come<R extends Entrance>(route: R, ...asked: Asked<R>): Promise<boolean> {
    if (busy.value) return false
    busy.value = true
    const answer = await askClub(route, token.value || undefined, ...asked)
    busy.value = false
    if (answer.status === 'ok') keep(answer.data)
    else problem.value = failureWords(answer.error)
    return answer.status === 'ok'
  }

  const register = (username: string, password: string, code: string): Promise<boolean> =>
    come('POST /api/register', { body: { username, password, ...(code === '' ? {} : { code: code.trim() }) } })
  const logIn = (username: string, password: string): Promise<boolean> => come('POST /api/login', { body: { username, password } })
  const resetPassword = (code: string, password: string): Promise<boolean> => come('POST /api/reset-password', { body: { code: code.trim(), new_password: password } })
  const enterAsGuest = (): Promise<boolean> => come('POST /api/guest')
  const changePassword = (old: string, fresh: string): Promise<boolean> => come('POST /api/change-password', { body: { old_password: old, new_password: fresh } })

  /** Sends the browser to the provider, to log in or to link the account; it comes back to the place that is shown. */
  async function leave(route: 'POST /api/oidc/begin' | 'POST /api/oidc/link'): Promise<void> {
    if (busy.value) return
    busy.value = true
    problem.value = ''
    const here = readPlace(window.location.hash)
    const passing = here.name === 'sign-in' || here.name === 'link' || here.name === 'logged-out'
    const body = { return_to: hashOf(passing ? { name: 'lobby' } : here) }
    const answer = await askClub(route, token.value || undefined, { body })
    if (answer.status === 'ok' && isPage(answer.data.url)) {
      // Whoever goes back in the browser may press again.
      window.addEventListener('pageshow', () => { busy.value = false }, { once: true })
      window.location.assign(answer.data.url)
      return
    }
    busy.value = false
    problem.value = answer.status === 'error' ? failureWords(answer.error) : failureWords({ kind: 'provider_refused', message: '' })
  }

  async function comeIn(code: string): Promise<Answered<'POST /api/oidc/enter'>> {
    const answer = await askClub('POST /api/oidc/enter', undefined, { body: code === '' ? {} : { code: code.trim() } })
    if (answer.status === 'ok') keep(answer.data)
    return answer
  }

  /** The browser has come back. Where to go on; or whether it takes an invitation; or nothing, and `problem` says why. */
  async function comeBack(link: boolean, code = ''): Promise<{ place: string } | 'needs_code' | undefined> {
    busy.value = true
    problem.value = ''
    const answer = link ? await askClub('POST /api/oidc/finish-link', token.value) : await comeIn(code)
    busy.value = false
    if (answer.status === 'ok') {
      // A place of ours, whatever stands there.
      return { place: hashOf(readPlace(answer.data.return_to)) }
    }
    if (answer.error.kind === 'needs_code' && code === '') return 'needs_code'
    problem.value = failureWords(answer.error)
    return answer.error.kind === 'needs_code' ? 'needs_code' : undefined
  }

  /** How this person can log in. */
  async function links(): Promise<ClubLinks | undefined> {
    const answer = await ask('GET /api/oidc/link')
    return answer.status === 'ok' ? answer.data : undefined
  }

  async function unlink(): Promise<boolean> {
    const answer = await ask('DELETE /api/oidc/link')
    problem.value = answer.status === 'error' ? failureWords(answer.error) : ''
    return answer.status === 'ok'
  }

  async function logOut(): Promise<void> {
    const last = token.value
    // First, so that the lobby does not ask with a token that is void meanwhile.
    forget()
    const answer = await askClub('POST /api/logout', last)
    if (answer.status === 'error') notices.show({ tone: 'warning', title: failureWords(answer.error) })
  }

  /** Logs out here, and then sends the browser to the provider to log out there. */
  async function logOutThere(): Promise<void> {
    const last = token.value
    forget()
    const answer = await askClub('POST /api/oidc/logout', last)
    if (answer.status === 'error') notices.show({ tone: 'warning', title: failureWords(answer.error) })
    else if (answer.data.url !== undefined && isPage(answer.data.url)) window.location.assign(answer.data.url)
    else notices.show({ tone: 'warning', title: say('club.account.loggedOutHereOnly', { provider: facts.value.provider ?? '' }) })
  }

  /** Guests, and who logs in by the provider alone, have no password. */
  async function deleteAccount(password: string): Promise<boolean> {
    busy.value = true
    const answer = await askClub('POST /api/delete-account', token.value, { body: password === '' ? {} : { password } })
    busy.value = false
    if (answer.status === 'error') {
      problem.value = failureWords(answer.error)
      return false
    }
    forget()
    return true
  }

  return { facts, person, token, checking, busy, problem, known, ask, resume, register, logIn, resetPassword, enterAsGuest, leave, comeBack, links, unlink, changePassword, logOut, logOutThere, deleteAccount }
})
