import type { Backend, ChosenFile, FilesRead, UnreadFile } from './backend'
import { FILE_KINDS } from './bindings'

/** Bytes as base64, in pieces, so that a large file does not overflow the stack. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

/** Bytes of a file: in base64 it fits into the largest message that a server takes, 64 MiB. */
export const MAX_FILE_BYTES = 47 << 20

/** Files that are read at the same time. */
const AT_ONCE = 4

/** Is told how far the reading of several files is, undefined at its end, and what could not be read. */
export interface FileReading {
  progress(reading: FilesRead | undefined): void
  unread(files: readonly UnreadFile[]): void
}

async function readOne(file: File): Promise<ChosenFile | UnreadFile> {
  const { name } = file
  if (file.size > MAX_FILE_BYTES) return { name, why: 'tooLarge' }
  try {
    return { kind: 'content', name, base64: toBase64(new Uint8Array(await file.arrayBuffer())) }
  } catch {
    // A folder looks like a file until it is read.
    return { name, why: 'unreadable' }
  }
}

/** The files that can be read, in their order; the others are told. */
async function readAll(files: Iterable<File>, tell: FileReading): Promise<ChosenFile[]> {
  const all = Array.from(files)
  const read: (ChosenFile | UnreadFile)[] = []
  while (read.length < all.length) {
    if (all.length > AT_ONCE) tell.progress({ done: read.length, total: all.length })
    read.push(...await Promise.all(all.slice(read.length, read.length + AT_ONCE).map(readOne)))
  }
  if (all.length > AT_ONCE) tell.progress(undefined)
  const unread = read.filter((file): file is UnreadFile => 'why' in file)
  if (unread.length > 0) tell.unread(unread)
  return read.filter((file): file is ChosenFile => 'kind' in file)
}

/** The browser's own dialog for files. */
export function chooseInBrowser(options: { multiple: boolean }, tell: FileReading): Promise<ChosenFile[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = options.multiple
    input.accept = FILE_KINDS.flatMap(kind => [...kind.extensions.map(extension => `.${extension}`), kind.mimeType]).join(',')
    input.addEventListener('change', () => resolve(readAll(input.files ?? [], tell)))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}

/** Files dropped on the page. */
export function dropInBrowser({ over, drop }: Parameters<Backend['onDrop']>[0], tell: FileReading): () => void {
  let depth = 0
  const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
  const enter = (event: DragEvent): void => {
    if (!carriesFiles(event)) return
    depth++
    over(true)
  }
  const leave = (event: DragEvent): void => {
    if (!carriesFiles(event)) return
    depth = Math.max(0, depth - 1)
    if (depth === 0) over(false)
  }
  const allow = (event: DragEvent): void => { if (carriesFiles(event)) event.preventDefault() }
  const fall = (event: DragEvent): void => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    depth = 0
    over(false)
    void readAll(event.dataTransfer?.files ?? [], tell).then((files) => {
      if (files.length > 0) drop(files)
    })
  }
  window.addEventListener('dragenter', enter)
  window.addEventListener('dragleave', leave)
  window.addEventListener('dragover', allow)
  window.addEventListener('drop', fall)
  return () => {
    window.removeEventListener('dragenter', enter)
    window.removeEventListener('dragleave', leave)
    window.removeEventListener('dragover', allow)
    window.removeEventListener('drop', fall)
  }
}
