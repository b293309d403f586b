/** Lets the browser keep content as a file. */
export function downloadFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** A file's name with this ending in place of another kind of record's. */
export function withEnding(fileName: string, ending: string): string {
  return fileName.replace(/\.(sgf|gib|ngf|ugf|ugi)$/i, '') + ending
}
