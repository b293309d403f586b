// The pictures of docs/screenshots: moments of the stories, and the famous game under analysis, in every language. Run by
// scripts/screenshots.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import * as flows from './flows.mjs'
import { firstGame, importing, phone, review } from './stories/index.mjs'
import { dropFiles, openBrowser } from './support/browser.mjs'
import { game, root, serve } from './support/machine.mjs'
import { inBrowser } from './support/places.mjs'

const LANGUAGES = ['zh-Hans', 'zh-Hant', 'ja', 'ko', 'en']

/** Which moment of which story is kept, and under which name. A name in one language ends with it. */
const MOMENTS = [
  { story: firstGame, moment: 'end-of-game', name: 'end-of-game' },
  { story: review, moment: 'mistake-shown', name: 'mistakes' },
  { story: importing, moment: 'library', name: 'library' },
  { story: phone, moment: 'phone-analysis', name: 'phone-en' },
]

/** WebP by `cwebp` (a Debian package): a quarter of a PNG of 128 colours, which the eye does not see on wood and paper. */
function keep(name, picture) {
  const reduced = execFileSync('cwebp', ['-quiet', '-preset', 'drawing', '-q', '82', '-m', '6', '-o', '-', '--', '-'], { input: picture, maxBuffer: 1 << 26 })
  writeFileSync(join(root, 'docs/screenshots', `${name}.webp`), reduced)
}

/** Takes a picture in every language, English last, in which the stories go on. */
async function keepInEach(name, screen) {
  for (const language of LANGUAGES) {
    await flows.choose(screen, '[data-action=language]', language)
    await screen.until(language, () => screen.evaluate((wanted) => document.documentElement.lang === wanted, language))
    await screen.settled()
    keep(`${name}-${language}`, await screen.picture())
  }
}

/** Ends a story whose picture is there. */
class Taken extends Error {}

for (const { story, moment, name } of MOMENTS) {
  test(name, { timeout: 600_000 }, async (t) => {
    const place = inBrowser(t, story.options)
    place.moment = async (told) => {
      if (told !== moment) return
      if (name.endsWith('-en')) keep(name, await place.screen.picture())
      else await keepInEach(name, place.screen)
      throw new Taken()
    }
    await assert.rejects(story.tell(place), Taken)
  })
}

for (const colorScheme of ['light', 'dark']) {
  test(colorScheme, { timeout: 300_000 }, async (t) => {
    const { url } = await serve(t)
    const { screen, page } = await openBrowser(t, url, { width: 1280, height: 800, colorScheme, locale: 'en-US' })
    await screen.find('[data-action=theme], [data-action=menu]', '', { timeoutMs: 60_000 })
    await dropFiles(page, [{ name: basename(game), text: readFileSync(game, 'utf8') }])
    await flows.gameIsShown(screen)
    await flows.waitsForVisits(screen, 150, { timeoutMs: 200_000 })
    if (colorScheme === 'light') await keepInEach(colorScheme, screen)
    else keep(`${colorScheme}-en`, await screen.picture())
  })
}
