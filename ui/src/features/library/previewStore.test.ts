import { expect, test } from 'vitest'
import { someRecords, startApp } from '@/testing'
import { useRecordPreview } from './previewStore'
import { useLibrary } from './store'

async function started() {
  const { backend } = await startApp({ records: someRecords(12, 60) })
  const library = useLibrary()
  await library.refresh()
  return { backend, seen: useRecordPreview(), record: (index: number) => library.recordAt(index)!, asked: () => backend.asked('preview_record') }
}

test('a game is first seen at its end, and the next one at the same move', async () => {
  const { seen, record, asked } = await started()
  await seen.show(record(0))
  expect([seen.node, seen.last]).toEqual([60, 60])
  await seen.goTo(30)
  expect(seen.preview?.position).toMatchObject({ lineIndex: 30, moveNumber: 30 })
  await seen.show(record(1))
  expect(asked().at(-1)).toEqual({ id: record(1).id, node: 30 })
  await seen.step(-40)
  expect(seen.node).toBe(0)
  expect(seen.preview?.position.stones.every(stone => stone === 0)).toBe(true)
  await seen.step(1)
  await seen.step(1)
  expect(seen.node).toBe(2)
})

test('who goes through many games quickly asks for the last one only', async () => {
  const { backend, seen, record, asked } = await started()
  const slow = backend.hold('preview_record')
  for (let index = 0; index < 10; index++) void seen.show(record(index))
  slow.release()
  await backend.until(() => seen.preview)
  await backend.settled()
  expect(asked().map(({ id }) => id)).toEqual([record(0).id, record(9).id])
  expect(seen.record?.id).toBe(record(9).id)
})

test('a game that is gone is said in its place, and the next one is shown', async () => {
  const { seen, record } = await started()
  await seen.show({ ...record(0), id: '999' })
  expect(seen.failure?.kind).toBe('notFound')
  await seen.show(record(1))
  expect(seen.failure).toBeUndefined()
  expect(seen.node).toBe(60)
})
