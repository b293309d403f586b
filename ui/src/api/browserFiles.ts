import type { Backend, ChosenFile } from './backend'
import { FILE_KINDS } from './bindings'

/** Bytes as base64, in pieces, so that a large file does not overflow the stack. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

async function chosen(file: File): Promise<ChosenFile> {
  return { kind: 'content', name: file.name, base64: toBase64(new Uint8Array(await file.arrayBuffer())) }
}

/** The browser's own dialog for files. */
export function chooseInBrowser(options: { multiple: boolean }): Promise<ChosenFile[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = options.multiple
    input.accept = FILE_KINDS.flatMap(kind => [...kind.extensions.map(extension => `.${extension}`), kind.mimeType]).join(',')
    input.addEventListener('change', () => resolve(Promise.all([...input.files ?? []].map(chosen))))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}

/** Files dropped on the page. */
export const dropInBrowser: Backend['onDrop'] = ({ over, drop }) => {
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
    void Promise.all([...event.dataTransfer?.files ?? []].map(chosen)).then(drop)
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
