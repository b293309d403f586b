// The pictures of docs/screenshots: moments of the stories, and the famous game under analysis. Run by scripts/screenshots.
// All of them are reduced to 128 colours by `pngquant` (a Debian package), which the eye does not see on wood and paper.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import * as flows from './flows.mjs'
import { firstGame, importing, phone, review } from './stories/index.mjs'
import { dropFiles, openBrowser } from './support/browser.mjs'
import { game, root, serve } from './support/machine.mjs'
import { inBrowser } from './support/places.mjs'

/** Which moment of which story is kept, and under which name. */
const MOMENTS = [
  { story: firstGame, moment: 'end-of-game', name: 'end-of-game' },
  { story: review, moment: 'mistake-shown', name: 'mistakes' },
  { story: importing, moment: 'library', name: 'library' },
  { story: phone, moment: 'phone-analysis', name: 'phone-en' },
]
const FAMOUS = [
  { name: 'light-en', width: 1280, height: 800, colorScheme: 'light', locale: 'en-US' },
  { name: 'dark-en', width: 1280, height: 800, colorScheme: 'dark', locale: 'en-US' },
  { name: 'light-zh-Hans', width: 1280, height: 800, colorScheme: 'light', locale: 'zh-CN' },
  { name: 'dark-zh-Hans', width: 1280, height: 800, colorScheme: 'dark', locale: 'zh-CN' },
]

function keep(name, picture) {
  const reduced = execFileSync('pngquant', ['128', '--speed', '1', '-'], { input: picture, maxBuffer: 1 << 26 })
  writeFileSync(join(root, 'docs/screenshots', `${name}.png`), reduced)
}

for (const { story, moment, name } of MOMENTS) {
  test(name, { timeout: 600_000 }, async (t) => {
    const pictures = mkdtempSync(join(tmpdir(), 'honinbo-moments-'))
    await story.tell(inBrowser(t, { ...story.options, pictures }))
    keep(name, readFileSync(join(pictures, `${moment}.png`)))
    rmSync(pictures, { recursive: true })
  })
}

for (const { name, ...options } of FAMOUS) {
  test(name, { timeout: 300_000 }, async (t) => {
    const { url } = await serve(t)
    const { screen, page } = await openBrowser(t, url, options)
    await screen.find('[data-action=theme], [data-action=menu]', '', { timeoutMs: 60_000 })
    await dropFiles(page, [{ name: basename(game), text: readFileSync(game, 'utf8') }])
    await flows.gameIsShown(screen)
    await flows.waitsForVisits(screen, 150, { timeoutMs: 200_000 })
    keep(name, await page.screenshot())
  })
}
