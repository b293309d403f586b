// Games that come by themselves, and what a person makes of problems: an account at a game server of this machine, and a
// booklet that is played on as a page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { dropFiles, openBrowser } from '../support/browser.mjs'
import { atEnd } from '../support/endings.mjs'
import { ownFolder, root, serve } from '../support/machine.mjs'

const recorded = (name) => readFileSync(join(root, 'tests/fixtures/servers', name))

/** A server of this machine that answers as OGS does; `asked` are the paths that it was asked for. */
async function gameServer(owner) {
  const asked = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    const game = /^\/api\/v1\/games\/(\d+)\/sgf$/.exec(pathname)?.[1]
    const page = searchParams.get('page')
    const name = pathname === '/api/v1/players' ? 'ogs-players.json' : game ? `ogs-game-${game}.sgf` : page === '1' || page === '2' ? `ogs-games-${page}.json` : undefined
    if (name) response.end(recorded(name))
    else response.writeHead(404).end()
  })
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  atEnd(owner, () => new Promise((resolve) => { server.close(resolve) }))
  return { asked, address: `http://127.0.0.1:${server.address().port}` }
}

const act = async (screen, name) => {
  await screen.press('k', ['Control'])
  await screen.find('.palette')
  await screen.type(name)
  await screen.press('Enter')
  await screen.gone('.palette')
}

test('an account is added, asked at the press of a button, and its games are in the library', { timeout: 180_000 }, async (t) => {
  const { asked, address } = await gameServer(t)
  const { url } = await serve(t, { env: { HONINBO_OGS: address } })
  const { screen, page, faults } = await openBrowser(t, url)
  await screen.find('[data-action=theme], [data-action=menu]', '', { timeoutMs: 60_000 })
  await act(screen, 'My accounts')
  await screen.write('[data-field=source-name]', 'stonegarden')
  await screen.click('[data-action=add-source]')
  await screen.find('[data-action=sync-source]')
  assert.deepEqual(asked, [])
  await screen.click('[data-action=sync-sources]')
  await screen.until('the games', async () => /StoneGarden/.test(await screen.text('.dialog')) && /4 games/.test(await screen.text('.dialog')))
  assert.equal(asked.length, 7)
  if (process.env.HONINBO_PICTURES) await page.screenshot({ path: join(process.env.HONINBO_PICTURES, 'accounts.png') })
  await screen.press('Escape')
  await screen.press('l')
  await screen.until('the list', async () => /river_moss/.test(await screen.text('[data-test=library-room]')))
  assert.deepEqual(faults, [])
})

test('problems become a page on which they are solved by keyboard, without any connection', { timeout: 180_000 }, async (t) => {
  const { url } = await serve(t)
  const { screen, page, context } = await openBrowser(t, url)
  await screen.find('[data-action=theme], [data-action=menu]', '', { timeoutMs: 60_000 })
  await dropFiles(page, [{ name: 'corners.sgf', text: '(;GM[1]SZ[9]AB[aa][ba]AW[ab][bb]PL[W];W[ca]C[Correct])(;GM[1]SZ[9]AB[ia][ha]AW[ib][hb]PL[W];W[ga]C[Correct])' }])
  await screen.click('[data-action=solve-problems]')
  await screen.find('[data-test=problem-question]')
  await screen.press('Escape')
  await act(screen, 'A booklet')
  await screen.find('[data-field=booklet-of]')
  const collection = await page.evaluate(() => document.querySelector('[data-field=booklet-of] option:last-child').value)
  await screen.choose('[data-field=booklet-of]', collection)
  await screen.choose('[data-field=booklet-form]', 'page')
  if (process.env.HONINBO_PICTURES) await page.screenshot({ path: join(process.env.HONINBO_PICTURES, 'booklet.png') })
  const [download] = await Promise.all([page.waitForEvent('download'), screen.click('[data-action=make-booklet]')])
  assert.equal(download.suggestedFilename(), 'corners.html')
  const file = join(ownFolder(t), 'corners.html')
  await download.saveAs(file)
  const book = await context.newPage()
  const outside = []
  book.on('request', (request) => { if (!request.url().startsWith('file:')) outside.push(request.url()) })
  await book.goto(pathToFileURL(file).href)
  await book.locator('svg').focus()
  // From the middle of the corner to C9.
  for (let step = 0; step < 9; step++) await book.keyboard.press('ArrowUp')
  for (let step = 0; step < 9; step++) await book.keyboard.press('ArrowLeft')
  for (let step = 0; step < 2; step++) await book.keyboard.press('ArrowRight')
  await book.keyboard.press('Enter')
  assert.match(await book.locator('.says').textContent(), /C9: Right\. Correct/)
  await book.keyboard.press('n')
  assert.match(await book.locator('h2').textContent(), /2 \/ 2 · White to play/)
  assert.deepEqual(outside, [])
})
