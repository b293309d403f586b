import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type OpeningView, type PlayerSummary, type WeakPosition, type Weaknesses } from '@/api'
import { minutesAhead } from '@/features/game'
import { useReviews } from '@/features/library'
import { useNotices } from '@/features/notices'
import { isPupil, usePlay } from '@/features/play'
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
  const play = usePlay()
  const reviews = useReviews()
  const settings = useSettings()

  const names = shallowRef<readonly PlayerSummary[]>([])
  /** Somebody has played an opponent of this program. */
  const played = shallowRef(false)
  /** Whose games these are; empty until the person has said it. */
  const name = computed(() => settings.settings.ownName)
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
      names.value = found.data.filter(one => !one.computer)
      played.value = found.data.some(one => one.computer)
    }
    await load()
    if (shown.value !== undefined) await fill(shown.value)
    loading.value = false
  }

  async function load(): Promise<void> {
    const ticket = ++latest
    if (name.value === '') {
      page.value = undefined
      openings.value = []
      return
    }
    const whose = { name: name.value }
    const [told, opened] = await Promise.all([backend.call('weaknesses', { ...whose, minutesAhead: minutesAhead() }), backend.call('repertoire', whose)])
    if (ticket !== latest) return
    if (told.status === 'ok') page.value = told.data
    else {
      page.value = undefined
      // Somebody who has said the own name before the first game.
      if (names.value.some(one => one.name === whose.name)) notices.failed(told.error)
    }
    openings.value = opened.status === 'ok' ? opened.data.openings : []
  }

  async function choose(own: string): Promise<void> {
    await play.sayOwnName(own)
    shown.value = undefined
    positions.value = []
    await load()
  }

  /** Takes the own name of somebody who had none, with the games that get it. */
  async function sayName(own: string): Promise<void> {
    await play.sayOwnName(own)
    await open()
  }

  /** Shows the positions of a class, or puts them away. */
  async function look(kind: string): Promise<void> {
    if (shown.value === kind) {
      shown.value = undefined
      return
    }
    shown.value = kind
    positions.value = []
    await fill(kind)
  }

  async function fill(kind: string): Promise<void> {
    const whose = name.value
    const found = await backend.call('weak_positions', { name: whose, class: kind, limit: SHOWN })
    if (shown.value !== kind || name.value !== whose) return
    if (found.status === 'error') notices.failed(found.error)
    else positions.value = found.data
  }

  /** Makes cards of a class's positions. */
  async function practise(kind: string): Promise<boolean> {
    const found = await backend.call('practise_weakness', { name: name.value, class: kind, limit: SHOWN })
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
    const found = await backend.call('practise_opening', { name: name.value, corner, line })
    if (found.status === 'error') {
      notices.failed(found.error)
      return false
    }
    notices.announce(say('mine.practised', { count: found.data.cards }, found.data.cards))
    return true
  }

  async function endTraining(kind: string): Promise<void> {
    const found = await backend.call('end_training', { class: kind })
    if (found.status === 'error') notices.failed(found.error)
    else await load()
  }

  /** Has the games reviewed that were not yet. */
  async function review(): Promise<void> {
    const found = await backend.call('review_player', { name: name.value })
    if (found.status === 'error') notices.failed(found.error)
    else reviews.receive(found.data)
  }

  /** The next game is against an opponent of the person's own strength who brings such positions about. */
  function steer(style: string): void {
    const { newGame } = settings.preferences
    // Who has just learnt the rules has no style.
    const near = newGame.near !== false || isPupil(String(newGame.rank))
    settings.preferences.newGame = { ...newGame, against: 'rank', near, style, rated: false }
  }

  function $reset(): void {
    latest++
    names.value = []
    played.value = false
    page.value = undefined
    openings.value = []
    shown.value = undefined
    positions.value = []
  }
  return { names, name, played, page, openings, shown, positions, loading, open, load, choose, sayName, look, practise, practiseOpening, endTraining, review, steer, $reset }
})
