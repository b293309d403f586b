// What a phone needs to put the app on its home screen, as the real server gives it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.mjs'
import { dataFolder, serve } from '../support/machine.mjs'
import { stop } from '../support/programs.mjs'

/** Width and height of a PNG. */
function sizeOf(bytes) {
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

test('the manifest is linked, and its icons and its start are there', { timeout: 120_000 }, async (t) => {
  const { url } = await serve(t)
  const { screen, page, faults } = await openBrowser(t, url, { width: 390, height: 844, phone: true })
  await screen.find('[data-test=new-game]', '', { timeoutMs: 60_000 })
  const linked = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('link[rel]')].map((link) => [link.rel, link.href])))
  const given = async (address) => {
    const answer = await fetch(address)
    assert.equal(answer.status, 200, address)
    return { type: answer.headers.get('content-type').split(';')[0], bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  // The page reaches under the notch of a phone, but nothing in it does.
  const kept = await page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.selectorText?.includes('.window'))
    const own = rules.filter((rule) => document.querySelector('.window').matches(rule.selectorText))
    return [...new Set(own.flatMap((rule) => rule.cssText.match(/safe-area-inset-\w+/g) ?? []))].sort()
  })
  assert.deepEqual(kept, ['bottom', 'left', 'right', 'top'].map((side) => `safe-area-inset-${side}`))

  const file = await given(linked.manifest)
  assert.equal(file.type, 'application/manifest+json')
  const manifest = JSON.parse(file.bytes.toString())
  assert.equal(manifest.name, 'Honinbo')
  assert.equal(manifest.display, 'standalone')
  assert.ok(manifest.icons.some((icon) => icon.purpose === 'maskable'))
  for (const wanted of ['192x192', '512x512']) assert.ok(manifest.icons.some((icon) => icon.sizes === wanted), wanted)
  for (const icon of manifest.icons) {
    const { type, bytes } = await given(new URL(icon.src, linked.manifest))
    assert.equal(type, icon.type, icon.src)
    if (type === 'image/png') assert.equal(sizeOf(bytes), icon.sizes, icon.src)
    else assert.match(bytes.toString(), /<svg/)
  }
  const apple = await given(linked['apple-touch-icon'])
  assert.equal(sizeOf(apple.bytes), '180x180')

  // Its icon opens the start without the token of the address: the page knows it from the first visit.
  const start = new URL(manifest.start_url, linked.manifest)
  assert.ok(start.href.startsWith(new URL(manifest.scope, linked.manifest).href))
  await page.goto(start.href)
  await screen.find('[data-test=new-game]', '', { timeoutMs: 60_000 })
  assert.doesNotMatch(page.url(), /token/)
  assert.deepEqual(faults, [])
})

test('an icon on the home screen opens after the server was started again, until the token is changed', { timeout: 180_000 }, async (t) => {
  const data = dataFolder(t)
  const first = await serve(t, { data })
  const { host } = new URL(first.url)
  const { screen, page } = await openBrowser(t, first.url, { width: 390, height: 844, phone: true })
  await screen.find('[data-test=new-game]', '', { timeoutMs: 60_000 })
  await stop(first.child)

  const second = await serve(t, { data, at: host })
  assert.equal(second.url, first.url)
  await page.goto(`http://${host}/`)
  await screen.find('[data-test=new-game]', '', { timeoutMs: 60_000 })
  await stop(second.child)

  const third = await serve(t, { data, at: host, args: ['--new-token'] })
  assert.notEqual(third.url, first.url)
  await page.goto(`http://${host}/`)
  await screen.waitForText(/This page has no access to Honinbo/)
  assert.equal(await screen.count('[data-test=new-game]'), 0)
})

test('a page of which a part cannot be had says so in the browser’s language, and loads when it can', { timeout: 120_000 }, async (t) => {
  const { url } = await serve(t)
  const { screen, page } = await openBrowser(t, url, { locale: 'zh-CN' })
  await screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
  const part = /\/assets\/web-[^/]+\.js$/
  await page.route(part, (route) => route.fulfill({ status: 404, body: 'There is nothing here.\n' }))
  await page.goto(url)
  await screen.waitForText(/页面没有完整加载/)
  await page.unroute(part)
  await screen.click('button', '重试')
  await screen.find('[data-action=theme]', '', { timeoutMs: 60_000 })
})
