import { defineStore } from 'pinia'
import { shallowRef, watch } from 'vue'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'
import { say } from '@/i18n'

/** A record that plays by itself, a move every few seconds, until its end or until the person goes elsewhere. */
export const useAutoplay = defineStore('autoplay', () => {
  const games = useGames()
  const notices = useNotices()
  const settings = useSettings()
  const active = shallowRef(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The change of the position is its own. */
  let stepping = false

  const atEnd = (): boolean => !games.position || games.position.lineIndex >= games.position.line.length - 1

  function start(): void {
    if (atEnd()) return
    active.value = true
    wait()
  }
  function stop(): void {
    clearTimeout(timer)
    active.value = false
  }
  const toggle = (): void => active.value ? stop() : start()

  function wait(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void step(), settings.preferences.autoplaySeconds * 1000)
  }
  async function step(): Promise<void> {
    stepping = true
    const update = await games.navigate('next')
    stepping = false
    if (!active.value) return
    if (update && !atEnd()) {
      wait()
      return
    }
    stop()
    if (update) notices.announce(say('autoplay.ended'))
  }

  // Sync, as its own step ends right after its change.
  watch([() => games.activeId, () => games.position?.nodeId], ([game], [before]) => {
    if (active.value && (!stepping || game !== before)) stop()
  }, { flush: 'sync' })
  watch(() => settings.preferences.autoplaySeconds, () => { if (active.value) wait() })

  return { active, start, stop, toggle, $reset: stop }
})
