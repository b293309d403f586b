import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type SourceKind, type SourceSync, type SourceView } from '@/api'
import { useNotices } from '@/features/notices'

/** Accounts at game servers and watched folders, as the back end last said. */
export const useSources = defineStore('sources', () => {
  const backend = useBackend()
  const notices = useNotices()
  const list = shallowRef<readonly SourceView[]>([])
  const isUnderWay = (sync: SourceSync | null | undefined): boolean => sync?.state === 'waiting' || sync?.state === 'looking'
  const underWay = computed(() => list.value.some(source => isUnderWay(source.sync)))

  let last = 0
  async function refresh(): Promise<void> {
    const ticket = ++last
    const answer = await backend.call('list_sources', {})
    if (ticket !== last) return
    if (answer.status === 'ok') list.value = answer.data
    else notices.failed(answer.error)
  }

  /** Takes in how a look goes on; at its end the counts are asked for again. */
  function receive(sync: SourceSync): void {
    list.value = list.value.map(source => source.id === sync.id ? { ...source, sync } : source)
    if (!isUnderWay(sync) && list.value.some(source => source.id === sync.id)) void refresh()
  }

  /** Whether it was added. */
  async function add(kind: SourceKind, name: string, person: string): Promise<boolean> {
    const answer = await backend.call('add_source', { kind, name, person })
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return false
    }
    await refresh()
    return true
  }

  async function remove(id: number): Promise<void> {
    const answer = await backend.call('remove_source', { id })
    if (answer.status === 'error') notices.failed(answer.error)
    await refresh()
  }

  /** Asks one of them, or all, for new games. */
  async function sync(ids: readonly number[]): Promise<void> {
    const answer = await backend.call('sync_sources', { ids: [...ids] })
    if (answer.status === 'error') notices.failed(answer.error)
  }

  async function stop(): Promise<void> {
    await backend.call('stop_sync', {})
  }

  /** A folder that the person chooses; undefined where none was chosen. */
  async function chooseFolder(): Promise<string | undefined> {
    const chosen = (await backend.chooseRecords({ multiple: false, folder: true }))[0]
    return chosen?.kind === 'path' ? chosen.path : undefined
  }

  function $reset(): void {
    last++
    list.value = []
  }
  return { list, underWay, refresh, receive, add, remove, sync, stop, chooseFolder, isUnderWay, $reset }
})
