import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import * as flows from '../flows.mjs'
import { game } from '../support/machine.mjs'
import { inBrowser, SMALL_NETWORK } from '../support/places.mjs'
test('whole review', { timeout: 580_000 }, async (t) => {
  const place = inBrowser(t, { network: SMALL_NETWORK, pictures: '/tmp/wr' })
  const screen = await place.open({ files: [{ name: basename(game), text: readFileSync(game, 'utf8') }] })
  await flows.gameIsShown(screen)
  const began = performance.now()
  await screen.click('button', 'Review', { scope: '.panels', exact: true })
  await screen.find('.sums', '', { timeoutMs: 500_000 })
  await screen.waitForText(/Review deeper/)
  t.diagnostic(`seconds ${(performance.now() - began) / 1000}`)
  t.diagnostic(await screen.text('.sums'))
  t.diagnostic(JSON.stringify(await screen.evaluate(() => [...document.querySelectorAll('.mistake')].slice(0, 12).map((r) => r.innerText.replace(/\s+/g, ' ')))))
  await place.moment('whole-review')
})
