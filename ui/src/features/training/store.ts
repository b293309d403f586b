import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type Failure, type GameSummary, type RecordPreview, type RunStatus } from '@/api'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'

/** How often a run is looked at while its page is open. */
const LOOK_MS = 2000
/** Policies that are remembered: the person goes back and forth among them. */
const MAX_POLICIES = 200

const isSame = (a: GameSummary | undefined, b: GameSummary | undefined): boolean => a?.generation === b?.generation && a?.file === b?.file && a?.index === b?.index

/** A run in which networks learn, as long as somebody watches it. */
export const useTraining = defineStore('training', () => {
  const backend = useBackend()
  const games = useGames()
  const notices = useNotices()
  const { preferences } = useSettings()

  /** Whether there can be a run here, and whether the person may name its folder. */
  const possible = shallowRef(false)
  const mayChoose = shallowRef(false)
  const status = shallowRef<RunStatus>()
  const failure = shallowRef<Failure>()
  /** Asked at least once since the page was opened. */
  const asked = shallowRef(false)
  /** The generation that the person looks at; undefined follows the newest. */
  const chosen = shallowRef<number>()
  const policy = shallowRef<readonly number[]>()
  /** The game that the person looks at; undefined follows the newest. */
  const chosenGame = shallowRef<GameSummary>()
  const seen = shallowRef<RecordPreview>()

  let stamp = ''
  let latest = 0
  /** Grows with each run that is watched: answers about another are dropped. */
  let run = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const policies = new Map<number, readonly number[]>()
  let seenGame: GameSummary | undefined

  const folder = computed(() => mayChoose.value ? preferences.trainingFolder : '')
  /** Nothing was chosen yet. */
  const isWithout = computed(() => mayChoose.value && folder.value === '')
  const generation = computed(() => {
    const probes = status.value?.probes ?? []
    return (probes.find(probe => probe.generation === chosen.value) ?? probes.at(-1))?.generation
  })
  const game = computed(() => {
    const list = status.value?.games ?? []
    return list.find(one => isSame(one, chosenGame.value)) ?? list[0]
  })

  function adopt(can: boolean, paths: boolean): void {
    possible.value = can
    mayChoose.value = paths
  }

  function forget(): void {
    latest++
    run++
    stamp = ''
    policies.clear()
    seenGame = undefined
    status.value = undefined
    failure.value = undefined
    asked.value = false
    chosen.value = undefined
    policy.value = undefined
    chosenGame.value = undefined
    seen.value = undefined
  }

  /** Asks whether anything has changed, and takes it in. */
  async function look(): Promise<void> {
    if (isWithout.value) return
    const ticket = ++latest
    const answer = await backend.call('training_status', { folder: folder.value, known: stamp })
    if (ticket !== latest) return
    asked.value = true
    if (answer.status === 'error') {
      // What is known of a run whose folder went away stays; it may come back.
      failure.value = answer.error
      return
    }
    failure.value = undefined
    if (!answer.data.status) return
    stamp = answer.data.stamp
    // Another run of the same folder begins anew.
    if (answer.data.status.generations < (status.value?.generations ?? 0)) policies.clear()
    status.value = answer.data.status
    await Promise.all([fillPolicy(), fillGame()])
  }

  async function fillPolicy(): Promise<void> {
    const wanted = generation.value
    if (wanted === undefined) {
      policy.value = undefined
      return
    }
    const known = policies.get(wanted)
    if (known) {
      policy.value = known
      return
    }
    const from = run
    const answer = await backend.call('training_policy', { folder: folder.value, generation: wanted })
    if (from !== run || wanted !== generation.value || answer.status === 'error') return
    if (policies.size >= MAX_POLICIES) policies.clear()
    policies.set(wanted, answer.data)
    policy.value = answer.data
  }

  async function fillGame(): Promise<void> {
    const wanted = game.value
    if (!wanted) {
      seen.value = undefined
      return
    }
    if (seen.value && isSame(wanted, seenGame)) return
    const from = run
    const answer = await backend.call('training_game', placeOf(wanted))
    if (from !== run || !isSame(wanted, game.value) || answer.status === 'error') return
    seenGame = wanted
    seen.value = answer.data
  }
  const placeOf = ({ generation: of, file, index }: GameSummary) => ({ folder: folder.value, generation: of, file, index })

  /** Shows a generation; the newest one goes on being followed. */
  function choose(wanted: number): Promise<void> {
    chosen.value = wanted === status.value?.probes.at(-1)?.generation ? undefined : wanted
    return fillPolicy()
  }
  /** Shows a game; the newest one goes on being followed. */
  function chooseGame(wanted: GameSummary): Promise<void> {
    chosenGame.value = isSame(wanted, status.value?.games[0]) ? undefined : wanted
    return fillGame()
  }

  /** Watches another folder from now on. */
  function watchFolder(path: string): Promise<void> {
    preferences.trainingFolder = path.trim()
    forget()
    return look()
  }
  async function chooseFolder(): Promise<void> {
    const picked = (await backend.chooseRecords({ multiple: false, folder: true }))[0]
    if (picked?.kind === 'path') await watchFolder(picked.path)
  }

  async function openGame(wanted: GameSummary): Promise<void> {
    const answer = await backend.call('open_training_game', placeOf(wanted))
    if (answer.status === 'ok') games.show(answer.data)
    else notices.failed(answer.error)
  }

  /** Looks again and again, until what it gives back is called. Nothing is asked while the window is hidden. */
  function follow(): () => void {
    let goesOn = true
    const next = async (): Promise<void> => {
      if (!document.hidden) await look()
      if (goesOn) timer = setTimeout(() => void next(), LOOK_MS)
    }
    clearTimeout(timer)
    void next()
    return () => {
      goesOn = false
      clearTimeout(timer)
    }
  }

  function $reset(): void {
    clearTimeout(timer)
    forget()
  }
  return { possible, mayChoose, status, failure, asked, folder, isWithout, generation, policy, game, seen, adopt, look, choose, chooseGame, watchFolder, chooseFolder, openGame, follow, $reset }
})
