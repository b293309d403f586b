// Screenshots: all into test-results/screenshots, the few that the documents show into docs/screenshots.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './machine.mjs'

/**
 * Keeps a picture; with HONINBO_KEEP_SCREENSHOTS=1 those for the documents are renewed as well.
 * Those are reduced to 128 colours by `pngquant` (a Debian package).
 */
export async function keepPicture(screen, name, { forDocuments = false } = {}) {
  const picture = await screen.picture()
  keep('test-results/screenshots', name, picture)
  if (forDocuments && process.env.HONINBO_KEEP_SCREENSHOTS === '1') {
    keep('docs/screenshots', name, execFileSync('pngquant', ['128', '--speed', '1', '-'], { input: picture, maxBuffer: 1 << 26 }))
  }
  return picture
}

function keep(folder, name, picture) {
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, folder, `${name}.png`), picture)
}
