// The pictures of docs/screenshots: the famous game under analysis. Run by scripts/screenshots.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import * as flows from './flows.mjs'
import { dropFiles, openBrowser } from './support/browser.mjs'
import { game, root, serve } from './support/machine.mjs'

const PICTURES = [
  { name: 'light-en', width: 1280, height: 800, colorScheme: 'light', locale: 'en-US' },
  { name: 'dark-en', width: 1280, height: 800, colorScheme: 'dark', locale: 'en-US' },
  { name: 'light-zh-Hans', width: 1280, height: 800, colorScheme: 'light', locale: 'zh-CN' },
  { name: 'dark-zh-Hans', width: 1280, height: 800, colorScheme: 'dark', locale: 'zh-CN' },
  { name: 'phone-en', width: 390, height: 844, colorScheme: 'light', locale: 'en-US', phone: true },
]

for (const { name, ...options } of PICTURES) {
  test(name, { timeout: 300_000 }, async (t) => {
    const { url } = await serve(t)
    const { screen, page } = await openBrowser(t, url, options)
    await screen.find('[data-action=theme], [data-action=menu]', '', { timeoutMs: 60_000 })
    await dropFiles(page, [{ name: basename(game), text: readFileSync(game, 'utf8') }])
    await flows.gameIsShown(screen)
    await flows.waitsForVisits(screen, 150, { timeoutMs: 200_000 })
    writeFileSync(join(root, 'docs/screenshots', `${name}.png`), await page.screenshot())
  })
}
