// Screenshots: all into test-results/screenshots, the few that the documents show into docs/screenshots.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './machine.mjs'

/** Keeps a picture; with HONINBO_KEEP_SCREENSHOTS=1 those for the documents are renewed as well. */
export async function keepPicture(screen, name, { forDocuments = false } = {}) {
  const picture = await screen.picture()
  const folders = [join(root, 'test-results/screenshots')]
  if (forDocuments && process.env.HONINBO_KEEP_SCREENSHOTS === '1') folders.push(join(root, 'docs/screenshots'))
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.png`), picture)
  }
  return picture
}
