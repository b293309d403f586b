import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type NetworkFetch, type NetworkFile, type NetworkShelf, type ShelfNetwork } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Networks that are here and that can be fetched. Nothing is fetched unless somebody says so. */
export const useNetworks = defineStore('networks', () => {
  const backend = useBackend()
  const notices = useNotices()
  const shelf = shallowRef<NetworkShelf>()
  /** Those at hand, as the lists of other parts of the window offer them. */
  const files = shallowRef<readonly NetworkFile[]>([])
  let latest = 0

  function adopt(atHand: readonly NetworkFile[]): void {
    files.value = atHand
  }

  function take(fresh: NetworkShelf): void {
    shelf.value = fresh
    files.value = fresh.networks.filter(network => network.state === 'here')
      .map(network => ({ fileName: network.file, sizeKib: network.sizeKib, bundled: network.bundled }))
      .sort((a, b) => a.fileName < b.fileName ? -1 : 1)
  }

  async function refresh(): Promise<void> {
    const ticket = ++latest
    const answer = await backend.call('list_shelf', {})
    if (ticket !== latest) return
    if (answer.status === 'ok') take(answer.data)
    else notices.failed(answer.error)
  }

  function change(file: string, patch: Partial<ShelfNetwork>): void {
    const current = shelf.value
    if (current) shelf.value = { ...current, networks: current.networks.map(network => network.file === file ? { ...network, ...patch } : network) }
  }

  async function download(file: string): Promise<void> {
    change(file, { state: 'fetching' })
    const answer = await backend.call('fetch_network', { file })
    if (answer.status === 'ok') return
    notices.failed(answer.error)
    await refresh()
  }

  async function pause(file: string): Promise<void> {
    await backend.call('pause_network', { file })
  }

  async function remove(file: string): Promise<void> {
    const ticket = ++latest
    const answer = await backend.call('remove_network', { file })
    if (answer.status === 'error') notices.failed(answer.error)
    else if (ticket === latest) take(answer.data)
  }

  async function renew(): Promise<void> {
    const ticket = ++latest
    const answer = await backend.call('renew_shelf', {})
    if (answer.status === 'error') notices.failed(answer.error)
    else if (ticket === latest) take(answer.data)
  }

  function receive(news: NetworkFetch): void {
    change(news.file, { state: news.state, fetchedKib: news.fetchedKib, ...news.sizeKib > 0 ? { sizeKib: news.sizeKib } : {} })
    notices.downloaded(news, { here: say('networks.fetched', { name: news.file }), failed: say('networks.failed', { name: news.file }) })
    // The size that a server said may be that of something else.
    if (news.state !== 'fetching' && news.state !== 'checking') void refresh()
  }

  /** The network of human style, once the shelf is known. */
  const human = computed(() => shelf.value?.networks.find(network => network.kind === 'human'))

  function $reset(): void {
    latest++
    shelf.value = undefined
    files.value = []
  }
  return { shelf, files, human, adopt, refresh, download, pause, remove, renew, receive, $reset }
})
