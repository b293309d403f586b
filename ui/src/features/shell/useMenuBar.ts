import { computed, watch } from 'vue'
import { useBackend } from '@/api'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { useText } from '@/i18n'
import { keysInUse } from './actions'
import { menuBar } from './menuBar'
import { useShell } from './store'

/** Hands the menus to the system where it shows a menu bar: in the language, with the keys and with what can be done now. */
export function useMenuBar(): void {
  const backend = useBackend()
  const shell = useShell()
  const games = useGames()
  const settings = useSettings()
  const { t, locale } = useText()

  const isCovered = computed(() => shell.dialog !== undefined || games.asked !== undefined || games.choosing !== undefined)
  // As text: most of what happens in the window changes nothing of it.
  const wanted = computed(() => {
    if (!shell.hasMenuBar) return ''
    void locale.value
    // What is being typed can be taken back at any time.
    const bar = menuBar(t, keysInUse(settings.preferences.keys), name => name === 'undo' || name === 'redo' || (!isCovered.value && shell.answers(name)))
    return JSON.stringify(bar)
  })
  // One that is refused stays as it was, and the shell's log says why.
  watch(wanted, (bar) => { if (bar) void backend.call('set_menu_bar', JSON.parse(bar)) }, { immediate: true })
}
