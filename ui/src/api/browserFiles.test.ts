import { expect, test, vi } from 'vitest'
import type { ChosenFile, FilesRead, UnreadFile } from './backend'
import { dropInBrowser, MAX_FILE_BYTES } from './browserFiles'

const text = (name: string, words: string) =>
  ({ name, size: words.length, arrayBuffer: () => Promise.resolve(new TextEncoder().encode(words).buffer) }) as unknown as File
const folder = { name: 'games', size: 4096, arrayBuffer: () => Promise.reject(new Error('a folder is not read')) } as unknown as File

/** Drops files on the page; what arrives and what is said to be unread. */
async function dropped(...files: File[]): Promise<{ came: ChosenFile[][], unread: UnreadFile[] }> {
  return (({ came, unread }) => ({ came, unread }))(await read(...files))
}

async function read(...files: File[]): Promise<{ came: ChosenFile[][], unread: UnreadFile[], told: (FilesRead | undefined)[] }> {
  const came: ChosenFile[][] = []
  const unread: UnreadFile[] = []
  const told: (FilesRead | undefined)[] = []
  const stop = dropInBrowser({ over: () => undefined, drop: files => came.push(files) }, { unread: files => unread.push(...files), progress: reading => told.push(reading) })
  window.dispatchEvent(Object.assign(new Event('drop'), { dataTransfer: { types: ['Files'], files } }))
  await vi.waitFor(() => { expect(came.flat().length + unread.length).toBe(files.length) })
  stop()
  return { came, unread, told }
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

test('many files are read a few at a time, and it is said from the first on how many', async () => {
  let open = 0
  let most = 0
  const files = Array.from({ length: 10 }, (_, at) => ({
    name: `${at}.sgf`, size: 1,
    async arrayBuffer() {
      most = Math.max(most, ++open)
      await new Promise(resolve => setTimeout(resolve))
      open--
      return new ArrayBuffer(1)
    },
  }) as unknown as File)
  const { came, told } = await read(...files)
  expect(came.flat().map(file => file.kind === 'content' && file.name)).toEqual(files.map(({ name }) => name))
  expect([most, told]).toEqual([4, [{ done: 0, total: 10 }, { done: 4, total: 10 }, { done: 8, total: 10 }, undefined]])
})
