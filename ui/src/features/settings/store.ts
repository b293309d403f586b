import { defineStore } from 'pinia'
import { computed, reactive, shallowRef, watch } from 'vue'
import { useBackend, type Settings, type SettingsChange } from '@/api'
import { chooseLanguage, say, switchLanguage, type LanguageTag } from '@/i18n'
import { useNotices } from '@/features/notices'
import { scaleOfWindow } from './scale'
import { DEFAULT_PREFERENCES, OWN_PREFERENCES, readPreferences, type Preferences } from './preferences'

const USUAL: Settings = {
  language: '', theme: '', boardTheme: 'wood', network: '', networkFolder: '', visits: 0, analysisEngine: '', device: '', threads: 0, memoryMib: 128, precision: 'auto', evaluationsMib: 512, analyseAtStart: true, reviewByItself: true, reviewNew: true, ownName: '', saveOnClose: false, lookForUpdates: false, backUpByItself: true, window: '',
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether two values say the same as JSON, whatever the order of their entries. */
function alike(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return one === other
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every(name => alike(one[name], other[name]))
}

/** What is otherwise in `now` than in `before`. */
function changed<T extends object>(before: T, now: T): Partial<T> {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !alike(before[name as keyof T], value))) as Partial<T>
}

/** Takes into `mine` what differs between `before` and `now`, but for what was changed here since `before`. */
function follow<T extends object>(mine: T, before: T, now: T, own: ReadonlySet<keyof T>): void {
  for (const name of Object.keys(now) as (keyof T)[]) {
    if (!own.has(name) && !alike(before[name], now[name]) && alike(mine[name], before[name])) mine[name] = now[name]
  }
}

/**
 * What the person chose. A change shows at once and is kept at once: whoever closes the window right after it finds it
 * again. While one is being kept, those that follow wait together.
 */
export const useSettings = defineStore('settings', () => {
  const backend = useBackend()
  const notices = useNotices()
  const settings = shallowRef<Settings>({ ...USUAL })
  const preferences = reactive<Preferences>({ ...DEFAULT_PREFERENCES, figures: [...DEFAULT_PREFERENCES.figures] })
  const systemDark = shallowRef(false)
  let written = Promise.resolve()
  let keeping: 'no' | 'soon' | 'now' | 'again' = 'no'
  let adopting = false
  /** What the back end was told last, or told. */
  let agreed: Settings = { ...USUAL }

  const windowScale = shallowRef(1)
  /** Size of all text and all that goes with it: what the person chose, times what the window has room for. */
  const scale = computed(() => preferences.textScale * windowScale.value)

  const theme = computed<'light' | 'dark' | 'contrast'>(() => {
    const wish = settings.value.theme
    if (wish === 'light' || wish === 'dark' || wish === 'contrast') return wish
    return systemDark.value ? 'dark' : 'light'
  })
  const language = computed<LanguageTag>(() => chooseLanguage(settings.value.language, navigator.languages))

  function adopt(given: Settings): void {
    adopting = true
    agreed = given
    settings.value = given
    Object.assign(preferences, readPreferences(given.window))
    adopting = false
  }

  /** Takes what was chosen in another window; what is being changed here stays. */
  function hear(given: Settings): void {
    const before = agreed
    agreed = given
    adopting = true
    const mine = { ...settings.value }
    follow(mine, before, given, new Set(['window']))
    settings.value = mine
    follow(preferences, readPreferences(before.window), readPreferences(given.window), OWN_PREFERENCES)
    adopting = false
  }

  function change(patch: Partial<Settings>): void {
    settings.value = { ...settings.value, ...patch }
    keepSoon()
  }

  function keepSoon(): void {
    if (keeping === 'now') keeping = 'again'
    if (keeping !== 'no') return
    keeping = 'soon'
    written = new Promise(resolve => queueMicrotask(() => { void keep().then(resolve) }))
  }

  /** What was changed here since the back end told or was told; another window may be changing the rest. */
  function changes(): SettingsChange {
    const kept = agreed.window
    const own: Partial<Preferences> = changed(readPreferences(kept), { ...preferences })
    // A window that has kept anything before was welcomed, unless it says otherwise.
    if (kept === '') own.welcomed = preferences.welcomed
    const any = Object.keys(own).length > (kept === '' && !own.welcomed ? 1 : 0)
    return { ...changed(agreed, { ...settings.value, window: kept }), ...(any && { window: JSON.stringify(own) }) }
  }

  async function keep(): Promise<void> {
    do {
      keeping = 'now'
      const wanted = changes()
      if (Object.keys(wanted).length === 0) continue
      const before = agreed
      agreed = { ...settings.value, window: JSON.stringify(preferences) }
      const sent = agreed
      const answer = await backend.call('set_settings', wanted)
      if (answer.status === 'error') {
        notices.failed(answer.error, 'notice.settingsNotKept')
        // Sent once more with the next change, unless the back end has said meanwhile what holds.
        if (agreed === sent) agreed = before
      }
    } while (isKeeping('again'))
    keeping = 'no'
  }
  // Asked through a function, as it changes while the answer is awaited.
  const isKeeping = (state: typeof keeping): boolean => keeping === state

  /** When what was changed so far is kept. */
  const kept = (): Promise<void> => written

  /** Sends what waits for an earlier answer, as when the window closes. */
  function keepNow(): void {
    if (keeping === 'again') void backend.call('set_settings', changes())
  }

  /** Shows themes and language from now on. */
  function applyToDocument(): void {
    const query = window.matchMedia('(prefers-color-scheme: dark)')
    systemDark.value = query.matches
    query.addEventListener('change', () => { systemDark.value = query.matches })
    watch(theme, (name) => { document.documentElement.dataset.theme = name }, { immediate: true })
    watch(language, tag => void switchLanguage(tag), { immediate: true })
    const measure = (): void => { windowScale.value = scaleOfWindow(window.innerWidth, window.innerHeight) }
    measure()
    window.addEventListener('resize', measure)
    watch(scale, (now) => { document.documentElement.style.setProperty('--text-scale', String(now)) }, { immediate: true })
    window.addEventListener('pagehide', keepNow)
  }

  watch(preferences, () => { if (!adopting) keepSoon() }, { deep: true, flush: 'sync' })

  /** Where splitters keep the sizes of their panels. */
  const layoutStorage = {
    getItem: (name: string): string | null => preferences.layouts[name] ?? null,
    setItem: (name: string, value: string): void => {
      if (preferences.layouts[name] !== value) preferences.layouts[name] = value
    },
  }

  /** Forgets what the engine found in all games. */
  async function clearEvaluations(): Promise<void> {
    const answer = await backend.call('clear_evaluations', {})
    if (answer.status === 'error') notices.failed(answer.error, 'notice.notCleared')
    else notices.show({ tone: 'success', title: say('settings.evaluations.cleared') })
  }

  function isFolded(panel: string): boolean {
    return preferences.folded.includes(panel)
  }
  function fold(panel: string, folded: boolean): void {
    preferences.folded = folded ? [...preferences.folded.filter(name => name !== panel), panel] : preferences.folded.filter(name => name !== panel)
  }
  function $reset(): void {
    adopt({ ...USUAL })
  }

  return { layoutStorage, settings, preferences, scale, theme, language, adopt, hear, change, kept, applyToDocument, clearEvaluations, isFolded, fold, $reset }
})
