import { computed, watch, type Ref } from 'vue'
import { useBackend } from '@/api'
import { useSettings } from '@/features/settings'
import { playCallSound } from '@/features/stage'
import { useText } from '@/i18n'
import { useLobby } from './lobby'
import { useRoom } from './room'
import { invitationWords } from './terms'

/** Stands before the words that call somebody, so that a tab shows it where it has no room for more. */
const MARK = '●'

/** Calls whoever looks elsewhere: in the page's title, by a sound, and through the system where that is wanted. */
export function useAttention(title: Readonly<Ref<string>>): void {
  const room = useRoom()
  const lobby = useLobby()
  const { notifier } = useBackend()
  const { preferences } = useSettings()
  const { t } = useText()

  const isMyMove = computed(() => room.mine !== undefined && room.state?.stage === 'playing' && room.state.turn === room.mine)
  const call = computed(() => isMyMove.value ? t('play.yourMove') : lobby.invitations.length > 0 ? t('club.lobby.invitation') : '')
  watch([call, title], ([words, page]) => {
    document.title = [...(words === '' ? [] : [`${MARK} ${words}`]), page, t('shell.brand')].join(' · ')
  }, { immediate: true })

  function notify(words: string, body: string): void {
    if (preferences.notify && !document.hasFocus()) notifier?.show(words, body)
  }
  function ring(): void {
    if (preferences.sound) playCallSound()
  }
  const players = (): string => t('game.choose.players', { black: room.nameOf(1), white: room.nameOf(2) })

  watch(isMyMove, (mine) => { if (mine) notify(t('play.yourMove'), players()) })
  watch(() => room.state?.stage, (stage, before) => {
    if (before !== 'waiting' || stage !== 'playing' || room.mine === undefined) return
    ring()
    if (!isMyMove.value) notify(t('club.event.started'), players())
  })
  watch(() => lobby.invitations, (now, before) => {
    const fresh = now.filter(one => !before.some(known => known.room_id === one.room_id))
    if (fresh.length === 0) return
    ring()
    for (const one of fresh) notify(t('club.lobby.invitation'), invitationWords(one))
  })
}
