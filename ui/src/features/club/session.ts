import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { askClub, CLUB_TOKEN_KEY, clubToken, type ClubAnswer, type ClubEntered, type ClubFacts, type ClubPerson } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { failureWords } from './failure'


/** Who is here, and the token that says so. */
export const useClub = defineStore('club', () => {
  const notices = useNotices()
  const facts = shallowRef<ClubFacts>({ guests: false, registration: 'open', boards: false })
  const person = shallowRef<ClubPerson>()
  const token = shallowRef(clubToken())
  /** Whether the kept token is still being asked about. */
  const checking = shallowRef(token.value !== '')
  const busy = shallowRef(false)
  const problem = shallowRef('')
  const known = computed(() => person.value !== undefined)

  function keep(entered: ClubEntered): void {
    token.value = entered.token
    localStorage.setItem(CLUB_TOKEN_KEY, entered.token)
    person.value = { username: entered.username, guest: entered.guest }
    problem.value = ''
  }

  function forget(): void {
    token.value = ''
    person.value = undefined
    localStorage.removeItem(CLUB_TOKEN_KEY)
  }

  /** Asks the server for something in this person's name. Whoever is not known any more is asked to log in. */
  async function ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<ClubAnswer<T>> {
    const used = token.value
    const answer = await askClub<T>(method, path, { token: used, body })
    if (answer.status === 'error' && answer.error.kind === 'unauthorized' && used === token.value) {
      if (known.value) notices.show({ tone: 'warning', title: say('club.enter.again') })
      forget()
    }
    return answer
  }

  /** Finds out who the kept token is. Without a connection it is kept, and asked about again. */
  async function resume(): Promise<void> {
    if (token.value !== '') {
      const answer = await ask<ClubPerson>('GET', '/api/me')
      if (answer.status === 'ok') person.value = answer.data
      else if (token.value !== '') problem.value = failureWords(answer.error)
    }
    checking.value = false
  }

  async function come(path: string, body: unknown): Promise<boolean> {
    if (busy.value) return false
    busy.value = true
    const answer = await askClub<ClubEntered>('POST', path, { body, token: token.value || undefined })
    busy.value = false
    if (answer.status === 'ok') keep(answer.data)
    else problem.value = failureWords(answer.error)
    return answer.status === 'ok'
  }

  const register = (username: string, password: string, code: string): Promise<boolean> =>
    come('/api/register', { username, password, ...(code === '' ? {} : { code: code.trim() }) })
  const logIn = (username: string, password: string): Promise<boolean> => come('/api/login', { username, password })
  const enterAsGuest = (): Promise<boolean> => come('/api/guest', {})
  const changePassword = (old: string, fresh: string): Promise<boolean> => come('/api/change-password', { old_password: old, new_password: fresh })

  async function logOut(): Promise<void> {
    const answer = await askClub('POST', '/api/logout', { token: token.value })
    forget()
    if (answer.status === 'error') notices.show({ tone: 'warning', title: failureWords(answer.error) })
  }

  /** A guest has no password. */
  async function deleteAccount(password: string): Promise<boolean> {
    busy.value = true
    const answer = await askClub('POST', '/api/delete-account', { token: token.value, body: person.value?.guest ? {} : { password } })
    busy.value = false
    if (answer.status === 'error') {
      problem.value = failureWords(answer.error)
      return false
    }
    forget()
    return true
  }

  return { facts, person, token, checking, busy, problem, known, ask, resume, register, logIn, enterAsGuest, changePassword, logOut, deleteAccount }
})
