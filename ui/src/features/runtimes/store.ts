import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useBackend, type Answer, type RuntimeFetch, type Runtimes, type RuntimeView } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** ONNX Runtime libraries beside the program's own: those that are here and those that can be fetched. */
export const useRuntimes = defineStore('runtimes', () => {
  const backend = useBackend()
  const notices = useNotices()
  /** Undefined where they are somebody else's concern, as on another person's server. */
  const known = shallowRef<Runtimes>()
  const adding = shallowRef(false)
  let latest = 0

  async function refresh(): Promise<void> {
    const ticket = ++latest
    const answer = await backend.call('list_runtimes', {})
    if (ticket === latest) known.value = answer.status === 'ok' ? answer.data : undefined
  }

  function change(name: string, patch: Partial<RuntimeView>): void {
    const current = known.value
    if (current) known.value = { ...current, runtimes: current.runtimes.map(runtime => runtime.name === name ? { ...runtime, ...patch } : runtime) }
  }

  async function download(name: string): Promise<void> {
    change(name, { state: 'fetching' })
    const answer = await backend.call('fetch_runtime', { name })
    if (answer.status === 'ok') return
    notices.failed(answer.error)
    await refresh()
  }

  async function pause(name: string): Promise<void> {
    await backend.call('pause_runtime', { name })
  }

  /** Takes what a change answers with; answers whether it was made. */
  async function changed(asking: Promise<Answer<Runtimes>>): Promise<boolean> {
    const ticket = ++latest
    const answer = await asking
    if (answer.status === 'error') notices.failed(answer.error, 'settings.devices.runtimes.notAdded')
    else if (ticket === latest) known.value = answer.data
    return answer.status === 'ok'
  }

  async function remove(name: string): Promise<void> {
    await changed(backend.call('remove_runtime', { name }))
  }

  async function addFile(): Promise<void> {
    const path = await backend.chooseRuntime()
    if (path === undefined) return
    adding.value = true
    if (await changed(backend.call('add_runtime', { path }))) notices.announce(say('settings.devices.runtimes.added'))
    adding.value = false
  }

  function receive(news: RuntimeFetch): void {
    change(news.name, { state: news.state, fetchedKib: news.fetchedKib, ...news.sizeKib > 0 ? { sizeKib: news.sizeKib } : {} })
    notices.downloaded(news, { here: say('networks.fetched', { name: news.name }), failed: say('networks.failed', { name: news.name }) })
    // The size that a server said may be that of something else.
    if (news.state !== 'fetching' && news.state !== 'checking') void refresh()
  }

  function $reset(): void {
    latest++
    known.value = undefined
    adding.value = false
  }
  return { known, adding, refresh, download, pause, remove, addFile, receive, $reset }
})
