import { shallowRef, type ShallowRef } from 'vue'
import { useBackend, type Failure, type LibraryCheck, type LibraryReport, type PlayerPage, type PlayerSummary } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Players that are listed; more are found by their names. */
const MAX_LISTED = 300
/** The name that is proposed for a backup. */
const BACKUP_NAME = 'honinbo-library.sqlite'

export interface Players {
  readonly list: Readonly<ShallowRef<readonly PlayerSummary[]>>
  /** The player whose page is shown. */
  readonly page: Readonly<ShallowRef<PlayerPage | undefined>>
  readonly report: Readonly<ShallowRef<LibraryReport | undefined>>
  readonly checked: Readonly<ShallowRef<LibraryCheck | undefined>>
  readonly checking: Readonly<ShallowRef<boolean>>
  readonly failure: Readonly<ShallowRef<Failure | undefined>>
  /** Lists those with a part of their name, those with most games first. */
  find(text: string): Promise<void>
  look(name: string): Promise<void>
  /** Says that another name is the player on the page. */
  join(other: string): Promise<void>
  /** Says that a name is a player of their own after all. */
  part(other: string): Promise<void>
  count(): Promise<void>
  check(repair: boolean): Promise<void>
  /** Has what can be read of a damaged library take its place at the next start. */
  rescue(): Promise<void>
  /** The library is being written into a file. */
  readonly backingUp: Readonly<ShallowRef<boolean>>
  /** Writes the whole library into a file: where the person wants it, or in the data folder where no place can be chosen. */
  backUp(): Promise<void>
}

/** The people of the library and its figures, as they were asked for last. */
export function usePlayers(): Players {
  const backend = useBackend()
  const games = useGames()
  const notices = useNotices()
  const list = shallowRef<readonly PlayerSummary[]>([])
  const page = shallowRef<PlayerPage>()
  const report = shallowRef<LibraryReport>()
  const checked = shallowRef<LibraryCheck>()
  const checking = shallowRef(false)
  const failure = shallowRef<Failure>()
  // Answers of older questions are dropped.
  let lastList = 0
  let lastPage = 0
  let text = ''

  async function find(wanted: string): Promise<void> {
    text = wanted
    const ticket = ++lastList
    const answer = await backend.call('list_players', { text: wanted.trim(), limit: MAX_LISTED })
    if (ticket !== lastList) return
    failure.value = answer.status === 'error' ? answer.error : undefined
    if (answer.status === 'ok') list.value = answer.data
  }

  async function look(name: string): Promise<void> {
    const ticket = ++lastPage
    const answer = await backend.call('player_page', { name })
    if (ticket !== lastPage) return
    if (answer.status === 'ok') page.value = answer.data
    else notices.failed(answer.error)
  }

  async function renamed(work: Promise<{ status: 'ok' } | { status: 'error', error: Failure }>): Promise<void> {
    const answer = await work
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return
    }
    await Promise.all([find(text), page.value ? look(page.value.player.name) : undefined])
  }
  const join = (other: string): Promise<void> => page.value ? renamed(backend.call('join_players', { names: [page.value.player.name, other] })) : Promise.resolve()
  const part = (other: string): Promise<void> => renamed(backend.call('part_player', { name: other }))

  async function count(): Promise<void> {
    const answer = await backend.call('library_report', {})
    failure.value = answer.status === 'error' ? answer.error : undefined
    if (answer.status === 'ok') report.value = answer.data
  }

  async function check(repair: boolean): Promise<void> {
    if (checking.value) return
    checking.value = true
    const answer = await backend.call('check_library', { repair })
    checking.value = false
    if (answer.status === 'ok') checked.value = answer.data
    else notices.failed(answer.error)
  }

  async function rescue(): Promise<void> {
    const answer = await backend.call('rescue_library', {})
    if (answer.status === 'ok') notices.show({ tone: 'success', title: say('library.rescue.set'), detail: say('library.rescue.restart') })
    else notices.failed(answer.error)
  }

  const backingUp = shallowRef(false)
  async function backUp(): Promise<void> {
    if (backingUp.value) return
    backingUp.value = true
    const path = games.nativeDialogs ? await backend.chooseSavePath(BACKUP_NAME) : ''
    const answer = path === undefined ? undefined : await backend.call('backup_library', { path })
    backingUp.value = false
    if (answer?.status === 'ok') notices.show({ tone: 'success', title: say('library.backup.done'), detail: answer.data.path })
    else if (answer) notices.failed(answer.error, 'library.backup.failed')
  }

  return { list, page, report, checked, checking, failure, backingUp, find, look, join, part, count, check, rescue, backUp }
}
