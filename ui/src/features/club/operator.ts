import { defineStore } from 'pinia'
import { computed, shallowRef, type Ref } from 'vue'
import { askClub, clubToken, hasToken, windowToken, type Answered, type Asked, type BackedUp, type ListedLesson, type Route, type ServerLimits, type ServerOverview, type ServerPerson, type ServerPolicy, type ServerRoom } from '@/api'
import { useNotices } from '@/features/notices'
import { failureWords } from './failure'

/** What whoever runs the server sees and does; asked with the token of the window, or of an operator's account. */
export const useOperator = defineStore('operator', () => {
  const notices = useNotices()
  const overview = shallowRef<ServerOverview>()
  const rooms = shallowRef<readonly ServerRoom[]>([])
  const lessons = shallowRef<readonly ListedLesson[]>([])
  /** How many rooms and lessons there are; the lists end before. */
  const total = shallowRef(0)
  const people = shallowRef<readonly ServerPerson[]>([])
  /** Where the next page of people begins. */
  const next = shallowRef<string | null>(null)
  const part = shallowRef('')
  /** Why the last change was not made, and why the page could not be asked for, as it is time and again. */
  const refused = shallowRef('')
  const lost = shallowRef('')
  const problem = computed(() => refused.value || lost.value)
  let looked = 0

  async function ask<R extends Route>(why: Ref<string>, route: R, ...asked: Asked<R>): Promise<Answered<R>> {
    const answer = await askClub(route, hasToken() ? windowToken() : clubToken(), ...asked)
    why.value = answer.status === 'error' ? failureWords(answer.error) : ''
    return answer
  }

  async function refresh(): Promise<void> {
    const found = await ask(lost, 'GET /api/operator')
    if (found.status === 'error') return
    overview.value = found.data
    const all = await ask(lost, 'GET /api/operator/rooms')
    if (all.status === 'error') return
    rooms.value = all.data.rooms
    lessons.value = all.data.lessons
    total.value = all.data.total
  }

  /** Whoever comes to the page begins anew. */
  function enter(): void {
    refused.value = ''
    void refresh()
    void look()
  }

  /** People whose name has `part` in it, from the beginning or behind those that are shown. */
  async function look(more = false): Promise<void> {
    looked += 1
    const asked = looked
    const page = await ask(lost, 'GET /api/operator/people', { query: { part: part.value.trim(), after: more ? next.value ?? '' : '' } })
    // Somebody went on typing meanwhile.
    if (page.status === 'error' || asked !== looked) return
    people.value = more ? [...people.value, ...page.data.people] : page.data.people
    next.value = page.data.next
  }

  async function setPolicy(policy: ServerPolicy): Promise<void> {
    await ask(refused, 'PUT /api/operator/policy', { body: policy })
    await refresh()
  }

  async function setLimits(limits: ServerLimits): Promise<boolean> {
    const answer = await ask(refused, 'PUT /api/operator/limits', { body: limits })
    await refresh()
    return answer.status === 'ok'
  }

  /** Ends what is played in a room, by its key, or a lesson. */
  async function close(key: string): Promise<void> {
    await ask(refused, 'DELETE /api/operator/rooms/{room_id}', { params: { room_id: key } })
    await refresh()
  }

  async function remove({ id }: ServerPerson): Promise<void> {
    const answer = await ask(refused, 'DELETE /api/operator/people/{id}', { params: { id } })
    if (answer.status === 'ok') people.value = people.value.filter(person => person.id !== id)
    await refresh()
  }

  /** A code with which somebody chooses another password; undefined where the server refused. */
  async function resetCode({ id }: ServerPerson): Promise<string | undefined> {
    const answer = await ask(refused, 'POST /api/operator/people/{id}/reset', { params: { id } })
    return answer.status === 'ok' ? answer.data.code : undefined
  }

  /** Codes that let one person each register; fewer where the server refused. */
  async function makeCodes(count: number): Promise<readonly string[]> {
    const codes: string[] = []
    while (codes.length < count) {
      const answer = await ask(refused, 'POST /api/sign-up-codes')
      if (answer.status === 'error') break
      codes.push(answer.data.code)
    }
    return codes
  }

  /** Copies the server's file; answers the copy's name and bytes. */
  async function backUp(): Promise<BackedUp | undefined> {
    const answer = await ask(refused, 'POST /api/backup')
    if (answer.status === 'error') notices.show({ tone: 'danger', title: failureWords(answer.error) })
    return answer.status === 'ok' ? answer.data : undefined
  }

  return { overview, rooms, lessons, total, people, next, part, problem, enter, refresh, look, setPolicy, setLimits, close, remove, resetCode, makeCodes, backUp }
})
