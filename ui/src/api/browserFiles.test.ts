import { expect, test, vi } from 'vitest'
import type { ChosenFile, UnreadFile } from './backend'
import { dropInBrowser, MAX_FILE_BYTES } from './browserFiles'

const text = (name: string, words: string) =>
  ({ name, size: words.length, arrayBuffer: () => Promise.resolve(new TextEncoder().encode(words).buffer) }) as unknown as File
const folder = { name: 'games', size: 4096, arrayBuffer: () => Promise.reject(new Error('a folder is not read')) } as unknown as File

/** Drops files on the page; what arrives and what is said to be unread. */
async function dropped(...files: File[]): Promise<{ came: ChosenFile[][], unread: UnreadFile[] }> {
  const came: ChosenFile[][] = []
  const unread: UnreadFile[] = []
  const stop = dropInBrowser({ over: () => undefined, drop: files => came.push(files) }, files => unread.push(...files))
  window.dispatchEvent(Object.assign(new Event('drop'), { dataTransfer: { types: ['Files'], files } }))
  await vi.waitFor(() => { expect(came.flat().length + unread.length).toBe(files.length) })
  stop()
  return { came, unread }
}

test('a dropped folder is named, and the files beside it come', async () => {
  expect(await dropped(folder, text('small.sgf', '(;SZ[9])'))).toEqual({
    came: [[{ kind: 'content', name: 'small.sgf', base64: btoa('(;SZ[9])') }]], unread: [{ name: 'games', why: 'unreadable' }],
  })
  expect(await dropped(folder)).toEqual({ came: [], unread: [{ name: 'games', why: 'unreadable' }] })
})

test('a file that no message holds is not even read', async () => {
  const arrayBuffer = vi.fn()
  const large = { name: 'all.sgf', size: MAX_FILE_BYTES + 1, arrayBuffer } as unknown as File
  expect(await dropped(large)).toEqual({ came: [], unread: [{ name: 'all.sgf', why: 'tooLarge' }] })
  expect(arrayBuffer).not.toHaveBeenCalled()
  expect(Math.ceil(MAX_FILE_BYTES / 3) * 4 + 1000).toBeLessThan(64 << 20)
})
