import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useBackend, type OpeningView, type PlayerSummary, type WeakPosition, type Weaknesses } from '@/api'
import { useReviews } from '@/features/library'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'
import { say } from '@/i18n'

/** Positions that are shown of a class, and made into cards. */
const SHOWN = 24
/** Names that are proposed. */
const NAMES = 200

/** Where the person is weak, over all own games. */
export const useMine = defineStore('mine', () => {
  const backend = useBackend()
  const notices = useNotices()
  const reviews = useReviews()
  const { preferences } = useSettings()

  const names = shallowRef<readonly PlayerSummary[]>([])
  const page = shallowRef<Weaknesses>()
  const openings = shallowRef<readonly OpeningView[]>([])
  /** The class whose positions are shown. */
  const shown = shallowRef<string>()
  const positions = shallowRef<readonly WeakPosition[]>([])
  const loading = shallowRef(false)
  let latest = 0

  async function open(): Promise<void> {
    loading.value = true
    const found = await backend.call('list_players', { text: '', limit: NAMES })
    if (found.status === 'error') notices.failed(found.error)
    else {
      names.value = found.data
      // Whoever has most games is most likely the person.
      if (!found.data.some(({ name }) => name === preferences.ownName)) preferences.ownName = found.data[0]?.name ?? ''
    }
    await load()
    if (shown.value !== undefined) await fill(shown.value)
    loading.value = false
  }

  async function load(): Promise<void> {
    const ticket = ++latest
    const name = preferences.ownName
    if (name === '') {
      page.value = undefined
      openings.value = []
      return
    }
    const [told, opened] = await Promise.all([backend.call('weaknesses', { name }), backend.call('repertoire', { name })])
    if (ticket !== latest) return
    if (told.status === 'error') notices.failed(told.error)
    else page.value = told.data
    openings.value = opened.status === 'ok' ? opened.data.openings : []
  }

  async function choose(name: string): Promise<void> {
    preferences.ownName = name
    shown.value = undefined
    positions.value = []
    await load()
  }

  /** Shows the positions of a class, or puts them away. */
  async function look(name: string): Promise<void> {
    if (shown.value === name) {
      shown.value = undefined
      return
    }
    shown.value = name
    positions.value = []
    await fill(name)
  }

  async function fill(name: string): Promise<void> {
    const found = await backend.call('weak_positions', { name: preferences.ownName, class: name, limit: SHOWN })
    if (shown.value !== name) return
    if (found.status === 'error') notices.failed(found.error)
    else positions.value = found.data
  }

  /** Makes cards of a class's positions. */
  async function practise(name: string): Promise<boolean> {
    const found = await backend.call('practise_weakness', { name: preferences.ownName, class: name, limit: SHOWN })
    if (found.status === 'error') {
      notices.failed(found.error)
      return false
    }
    notices.announce(say('mine.practised', { count: found.data.cards }, found.data.cards))
    await load()
    return true
  }

  /** Makes cards of one opening. */
  async function practiseOpening({ corner, line }: OpeningView): Promise<boolean> {
    const found = await backend.call('practise_opening', { name: preferences.ownName, corner, line })
    if (found.status === 'error') {
      notices.failed(found.error)
      return false
    }
    notices.announce(say('mine.practised', { count: found.data.cards }, found.data.cards))
    return true
  }

  async function endTraining(name: string): Promise<void> {
    const found = await backend.call('end_training', { class: name })
    if (found.status === 'error') notices.failed(found.error)
    else await load()
  }

  /** Has the games reviewed that were not yet. */
  async function review(): Promise<void> {
    const found = await backend.call('review_player', { name: preferences.ownName })
    if (found.status === 'error') notices.failed(found.error)
    else reviews.receive(found.data)
  }

  /** The next game is against an opponent of the person's own strength who brings such positions about. */
  function steer(style: string): void {
    preferences.newGame = { ...preferences.newGame, against: 'rank', style, rated: false }
  }

  function $reset(): void {
    latest++
    names.value = []
    page.value = undefined
    openings.value = []
    shown.value = undefined
    positions.value = []
  }
  return { names, page, openings, shown, positions, loading, open, load, choose, look, practise, practiseOpening, endTraining, review, steer, $reset }
})
