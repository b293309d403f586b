import { shallowRef, toValue, type MaybeRefOrGetter, type ShallowRef } from 'vue'
import { useBackend, type PatternHit, type RecordSummary } from '@/api'

/** Records that are fetched in one go. */
const MAX_FETCHED = 50

/** The records of listed hits, fetched when they come into sight, each once. */
export function useHitRecords(hits: MaybeRefOrGetter<readonly PatternHit[]>): { records: Readonly<ShallowRef<ReadonlyMap<string, RecordSummary>>>, ensure: (first: number, last: number) => Promise<void> } {
  const backend = useBackend()
  const records = shallowRef<ReadonlyMap<string, RecordSummary>>(new Map())
  const fetching = new Set<string>()

  async function ensure(first: number, last: number): Promise<void> {
    const missing = toValue(hits).slice(first, last + 1).map(({ id }) => id).filter(id => !records.value.has(id) && !fetching.has(id)).slice(0, MAX_FETCHED)
    if (missing.length === 0) return
    for (const id of missing) fetching.add(id)
    const answer = await backend.call('get_records', { ids: missing })
    for (const id of missing) fetching.delete(id)
    if (answer.status === 'error') return
    const known = new Map(records.value)
    for (const record of answer.data) known.set(record.id, record)
    records.value = known
  }

  return { records, ensure }
}
