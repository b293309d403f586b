import { FILE_KINDS } from '@/api'

/** Lets the browser keep content as a file. */
export function downloadFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

const endings = (packed: boolean): string => FILE_KINDS.filter(kind => kind.packed === packed).flatMap(kind => kind.extensions).join('|')
const RECORD_ENDING = new RegExp(`(\\.(${endings(false)}))?(\\.(${endings(true)}))?$`, 'i')

/** A file's name with this ending in place of another kind of record's, packed or not. */
export function withEnding(fileName: string, ending: string): string {
  return fileName.replace(RECORD_ENDING, '') + ending
}
