import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type UpdateFetch, type UpdateView } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Newer versions of the program. Nobody is asked for them unless the person says so. */
export const useUpdates = defineStore('updates', () => {
  const backend = useBackend()
  const notices = useNotices()
  const view = shallowRef<UpdateView>()
  /** A look is under way. */
  const looking = shallowRef(false)
  /** The person looked, and this version is the newest. */
  const newest = shallowRef(false)
  const offered = computed(() => view.value?.offered ?? null)

  async function refresh(): Promise<void> {
    const answer = await backend.call('update_state', {})
    if (answer.status === 'ok') view.value = answer.data
    else notices.failed(answer.error)
  }

  async function look(): Promise<void> {
    looking.value = true
    const answer = await backend.call('look_for_update', { byItself: false })
    looking.value = false
    if (answer.status === 'error') return notices.failed(answer.error)
    view.value = answer.data
    newest.value = answer.data.offered === null
  }

  /** The version that was told of. */
  let told = ''
  /** Looks where the person allowed it; says so only where there is something new. A look that fails is tried another day. */
  async function lookByItself(show: () => void): Promise<void> {
    const answer = await backend.call('look_for_update', { byItself: true })
    if (answer.status === 'error') return
    view.value = answer.data
    const update = answer.data.offered
    if (!update || update.version === told) return
    told = update.version
    notices.show({ tone: 'info', title: say('updates.there', { version: update.version }), action: { label: say('updates.seeNew'), run: show } })
  }

  function change(patch: Partial<UpdateFetch>): void {
    const now = view.value
    if (!now?.offered?.package) return
    view.value = { ...now, offered: { ...now.offered, package: { ...now.offered.package, ...patch } } }
  }

  async function download(): Promise<void> {
    change({ state: 'fetching' })
    const answer = await backend.call('fetch_update', {})
    if (answer.status === 'ok') return
    notices.failed(answer.error)
    await refresh()
  }

  async function pause(): Promise<void> {
    await backend.call('pause_update', {})
  }

  async function install(): Promise<void> {
    const answer = await backend.call('install_update', {})
    if (answer.status === 'ok') return
    notices.failed(answer.error)
    await refresh()
  }

  function receive(news: UpdateFetch): void {
    change({ state: news.state, fetchedKib: news.fetchedKib })
    notices.downloaded(news, { here: say('updates.fetched'), failed: say('updates.failed') })
  }

  function $reset(): void {
    view.value = undefined
    looking.value = false
    newest.value = false
    told = ''
  }
  return { view, offered, looking, newest, refresh, look, lookByItself, download, pause, install, receive, $reset }
})
