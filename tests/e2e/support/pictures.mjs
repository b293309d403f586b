import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './machine.mjs'

/** Keeps a picture in test-results/screenshots. */
export async function keepPicture(screen, name) {
  const picture = await screen.picture()
  const folder = join(root, 'test-results/screenshots')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.png`), picture)
  return picture
}
