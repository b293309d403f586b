// People in rooms: two real browsers at once on `honinbo serve --rooms`, one of them a phone behind a network that fails.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.mjs'
import { layCable } from '../support/cable.mjs'
import { FINGER, misfits } from '../support/fit.mjs'
import { dataFolder, serve, SMALL_NETWORK } from '../support/machine.mjs'
import { CLIENT_ID, CLIENT_SECRET, hasProvider, startProvider } from '../support/provider.mjs'

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const LANGUAGES = ['en', 'zh-Hans', 'zh-Hant', 'ja', 'ko']
const PICTURES = process.env.HONINBO_PICTURES
const PASSWORD = 'long enough'

/** A server with rooms, guests, and a network that thinks in milliseconds. */
async function club(context, { args = ['--rooms', '--guests'], env = {} } = {}) {
  const data = dataFolder(context, { network: SMALL_NETWORK })
  const server = await serve(context, { data, args, env })
  const { host, port, searchParams } = new URL(server.url)
  return { ...server, address: `http://${host}/`, port: Number(port), operator: searchParams.get('token') }
}

async function picture(name, { screen }) {
  if (PICTURES === undefined) return
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(join(PICTURES, `rooms-${name}.png`), await screen.picture())
}

/** Looks at a screen in every language and both themes: everything fits, and axe finds nothing. */
async function inspect(name, client, { finger = 0 } = {}) {
  const { screen, page } = client
  await page.evaluate(axe)
  for (const [turn, language] of LANGUAGES.entries()) {
    await screen.choose('[data-action=language]', language)
    await screen.until(`the language ${language}`, () => screen.evaluate((tag) => document.documentElement.lang === tag, language))
    if (turn > 0) await screen.evaluate(() => document.querySelector('[data-action=theme]').click())
    await screen.settled()
    const theme = await screen.evaluate(() => document.documentElement.dataset.theme)
    assert.deepEqual(await screen.evaluate(misfits, finger), [], `${name} in ${language}, ${theme}`)
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
    assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`), [], `axe on ${name} in ${language}, ${theme}`)
    if (turn < 2) await picture(`${name}-${language}-${theme}`, client)
  }
  await screen.choose('[data-action=language]', 'en')
  await screen.until('English', () => screen.evaluate(() => document.documentElement.lang === 'en'))
}

async function register({ screen }, name) {
  await screen.click('[data-action=choose-register]')
  await screen.write('[data-field=username]', name)
  await screen.write('[data-field=password]', PASSWORD)
  await screen.click('[data-action=enter]')
  await screen.find('[data-test=lobby]')
}

const stage = ({ screen }, wanted) => screen.until(`the stage ${wanted}`, () => screen.evaluate((name) => {
  const room = document.querySelector('[data-test=club-room]')
  return room?.dataset.stage === name && room.dataset.link === 'connected'
}, wanted))
const status = ({ screen }) => screen.text('[data-test=room-status]')
const move = async (mover, others, column, row, sign) => {
  await mover.screen.waitForText(/Your move/, { selector: '[data-test=room-status]' })
  await mover.screen.clickPoint(column, row)
  for (const one of [mover, ...others]) await one.screen.waitForStone(column, row, sign)
}
/** Choices in the dialog of a new room: nine lines, no clock, one's colour. */
async function nine({ screen }, color) {
  await screen.find('[data-test=new-room]')
  await screen.click('[role=dialog] label:has([data-size-choice="9"])')
  await screen.choose('[data-field=color]', color)
}

test('two people register, invite, play, are cut off, come back, count, and both have the game', { timeout: 600_000 }, async (t) => {
  const server = await club(t)
  const cable = await layCable(t, server.port)
  const anna = await openBrowser(t, server.address, { width: 1280, height: 800 })
  // A small phone: what fits there fits a larger one.
  const ben = await openBrowser(t, `http://127.0.0.1:${cable.port}/`, { width: 360, height: 640, phone: true, taps: true, colorScheme: 'dark' })

  await anna.screen.find('[data-action=enter]')
  await inspect('entrance', anna)
  await inspect('entrance-phone', ben, { finger: FINGER })
  // A wrong password says what a name that nobody has says.
  await ben.screen.write('[data-field=username]', 'Ben')
  await ben.screen.write('[data-field=password]', 'wrong password')
  await ben.screen.click('[data-action=enter]')
  await ben.screen.waitForText(/name or the password is wrong/, { selector: '[data-test=entrance-problem]' })
  await register(anna, 'Anna')
  await register(ben, 'Ben')

  await anna.screen.click('[data-user=Ben] [data-action=invite]')
  await nine(anna, 'black')
  await anna.screen.click('[data-field=rated]')
  await inspect('new-room', anna)
  await anna.screen.click('[data-action=create-room]')
  await stage(anna, 'waiting')
  await ben.screen.find('[data-test=invitation]')
  await inspect('lobby-phone', ben, { finger: FINGER })
  await inspect('waiting', anna)
  await ben.screen.click('[data-action=accept-invitation]')
  await Promise.all([stage(anna, 'playing'), stage(ben, 'playing')])

  for (const [column, row] of [[2, 2], [3, 2]]) await move(anna, [ben], column, row, 'X').then(() => move(ben, [anna], column, row + 4, 'O'))
  await inspect('playing', anna)
  await inspect('playing-phone', ben, { finger: FINGER })

  // A point that is taken: the server says so, and nothing changes.
  await anna.screen.clickPoint(2, 2)
  await anna.screen.waitForText(/stone on that point/)

  // Ben's network fails in the middle of the game; Anna plays on.
  cable.cut()
  await anna.screen.find('[data-player="2"] [data-test=away]')
  await ben.screen.until('Ben to see that he is cut off', () => ben.screen.evaluate(() => document.querySelector('[data-test=club-room]').dataset.link === 'lost'))
  await picture('lost-phone', ben)
  await anna.screen.clickPoint(4, 4)
  await anna.screen.waitForStone(4, 4, 'X')
  assert.notEqual((await ben.screen.stones())[4][4], 'X')
  cable.mend()
  await ben.screen.waitForStone(4, 4, 'X')
  await anna.screen.gone('[data-player="2"] [data-test=away]')
  assert.deepEqual(await ben.screen.stones(), await anna.screen.stones())
  // He opens the page again, and is in the same game.
  await ben.page.reload()
  await stage(ben, 'playing')
  await ben.screen.waitForStone(4, 4, 'X')
  await move(ben, [anna], 5, 5, 'O')

  // Taking back is asked and granted.
  await anna.screen.clickPoint(7, 7)
  await ben.screen.waitForStone(7, 7, 'X')
  await anna.screen.click('[data-action=take-back]')
  await ben.screen.waitForText(/Anna asks to take back/, { selector: '[data-test=undo-asked]' })
  await ben.screen.click('[data-action=grant-undo]')
  for (const one of [anna, ben]) await one.screen.waitForStone(7, 7, '.')

  await ben.screen.write('[data-field=say]', 'またね <b>')
  await ben.screen.click('[data-action=say]')
  await anna.screen.waitForText(/Ben またね <b>/, { selector: '[data-test=talk]' })
  await anna.screen.click('[data-action=chat-switch]')
  await ben.screen.gone('[data-field=say]')
  await anna.screen.click('[data-action=chat-switch]')
  await ben.screen.find('[data-field=say]')

  // Adjourned, and gone on with.
  await anna.screen.click('[data-action=adjourn]')
  await ben.screen.click('[data-action=grant-adjourn]')
  await stage(anna, 'adjourned')
  await inspect('adjourned-phone', ben, { finger: FINGER })
  for (const one of [anna, ben]) await one.screen.click('[data-action=continue]')
  await stage(ben, 'playing')

  for (const one of [anna, ben]) {
    await one.screen.waitForText(/Your move/, { selector: '[data-test=room-status]' })
    await one.screen.click('[data-action=pass]')
  }
  await Promise.all([stage(anna, 'counting'), stage(ben, 'counting')])
  await inspect('counting', anna)
  await inspect('counting-phone', ben, { finger: FINGER })
  // A mark of one is seen by the other, who has not agreed to it: marked and taken away again.
  const score = await anna.screen.text('[data-test=count]')
  await anna.screen.clickPoint(5, 5)
  await ben.screen.until('another score', async () => await ben.screen.text('[data-test=count]') !== score)
  await ben.screen.clickPoint(5, 5)
  await anna.screen.until('the score of before', async () => await anna.screen.text('[data-test=count]') === score)
  for (const one of [anna, ben]) await one.screen.click('[data-action=agree]')
  await Promise.all([stage(anna, 'over'), stage(ben, 'over')])
  const result = await status(anna)
  assert.match(result, /(Black|White) wins by [\d.]+ points/)
  assert.equal(await status(ben), result)
  await inspect('over', anna)
  await inspect('over-phone', ben, { finger: FINGER })

  // The game is with both.
  for (const one of [anna, ben]) {
    await one.screen.click('[data-action=to-lobby]')
    await one.screen.click('[data-game]')
    await one.screen.waitForText(new RegExp(result), { selector: '[data-test=game-result]' })
    assert.equal((await one.screen.stones())[4][4], 'X')
    await one.screen.click('[data-action=first]')
    await one.screen.until('the empty board', async () => await one.screen.stoneCount() === 0)
    await one.screen.click('[data-action=next]')
    await one.screen.waitForStone(2, 2, 'X')
  }
  await inspect('game', anna)
  await inspect('game-phone', ben, { finger: FINGER })
  const [download] = await Promise.all([anna.page.waitForEvent('download'), anna.screen.click('[data-action=download]')])
  assert.match(readFileSync(await download.path(), 'utf8'), /PB\[Anna\]/)
  // It is in the library of her own window too; that is where it can be analysed.
  await anna.screen.click('[data-action=to-lobby]')
  // It counted: one of them has a rating above where everybody begins, the other one below.
  const black = /Black wins/.test(result)
  await anna.screen.waitForText(black ? /9 × 9 1662\?/ : /9 × 9 1338\?/, { selector: '[data-action=own-ratings]' })
  await anna.screen.click('[data-user=Ben] [data-action=ratings]')
  await anna.screen.waitForText(black ? /1338\? ± 58\d/ : /1662\? ± 58\d/, { selector: '[data-test=rating-table]' })
  await inspect('ratings', anna)
  await anna.screen.press('Escape')
  await anna.screen.click('[data-action=own-board]')
  await anna.screen.find('dialog')
  await anna.screen.press('Escape')
  await anna.screen.gone('dialog')
  await anna.screen.waitForText(/Anna[^]*Ben/, { selector: 'aside.start-room' })
  await picture('own-board', anna)
  await anna.screen.click('.brand')
  await anna.screen.click('menuitem', 'Play with others')
  await anna.screen.find('[data-test=lobby]')
  assert.deepEqual(anna.faults.filter((fault) => !/401|404/.test(fault)), [])
  assert.deepEqual(ben.faults.filter((fault) => !/ERR_|WebSocket|401/.test(fault)), [])
})

test('somebody plays an engine with the keyboard, watches others, changes the password and leaves for good', { timeout: 600_000 }, async (t) => {
  const server = await club(t)
  const anna = await openBrowser(t, server.address, { width: 1280, height: 800 })
  const guest = await openBrowser(t, server.address, { width: 1280, height: 720 })
  await register(anna, 'Anna')
  await guest.screen.click('[data-action=guest]')
  await guest.screen.find('[data-test=lobby]')

  await anna.screen.click('[data-action=new-room]')
  await nine(anna, 'black')
  await anna.screen.until('the engines', () => anna.screen.evaluate(() => document.querySelectorAll('[data-field=opponent] option').length > 3))
  await anna.screen.choose('[data-field=opponent]', 'easy')
  await anna.screen.click('[data-action=create-room]')
  await stage(anna, 'playing')
  await anna.screen.waitForText(/Your move/, { selector: '[data-test=room-status]' })
  // By keyboard: to the board, a cursor in the middle, a stone.
  await anna.screen.evaluate(() => document.querySelector('.board').focus())
  // A cursor that stands there already is put away first.
  await anna.screen.press('Escape')
  await anna.screen.press('Enter')
  await anna.screen.press('ArrowLeft')
  await anna.screen.press('Enter')
  await anna.screen.waitForStone(3, 4, 'X')
  await anna.screen.until('the answer', async () => await anna.screen.stoneCount() === 2)

  // The guest watches, and may say something but not play.
  await guest.screen.click('[data-action=watch]')
  await stage(guest, 'playing')
  assert.deepEqual(await guest.screen.stones(), await anna.screen.stones())
  await anna.screen.waitForText(/One watching/)
  await guest.screen.waitForText(/You are watching/)
  assert.equal(await guest.screen.count('[data-action=resign]'), 0)
  const before = await anna.screen.stones()
  await guest.screen.clickPoint(0, 0)
  await guest.screen.write('[data-field=say]', 'hello')
  await guest.screen.press('Enter')
  await anna.screen.waitForText(/guest-\w+ hello/, { selector: '[data-test=talk]' })
  assert.deepEqual(await anna.screen.stones(), before)

  await anna.screen.click('[data-action=resign]')
  await anna.screen.click('[data-action=resign-surely]')
  for (const one of [anna, guest]) await one.screen.waitForText(/White wins by resignation/, { selector: '[data-test=room-status]' })
  await inspect('watching', guest)
  // The same again, with the colours exchanged: the engine begins.
  await anna.screen.click('[data-action=rematch]')
  await anna.screen.until('the engine to begin', async () => await anna.screen.stoneCount() === 1 && (await anna.screen.stones()).join('').includes('X'))
  await anna.screen.click('[data-action=to-lobby]')
  await anna.screen.find('[data-action=return]')
  await inspect('lobby', anna)

  // A wrong password changes nothing; the right one does.
  await anna.screen.click('[data-action=account]')
  await anna.screen.write('[data-field=old-password]', 'something else')
  await anna.screen.write('[data-field=new-password]', 'another one')
  await anna.screen.click('[data-action=change-password]')
  await anna.screen.waitForText(/name or the password is wrong/, { selector: '[data-test=account-problem]' })
  await anna.screen.write('[data-field=old-password]', PASSWORD)
  await anna.screen.click('[data-action=change-password]')
  await anna.screen.waitForText(/Password changed/)
  await anna.screen.click('[data-action=account]')
  await anna.screen.click('[data-action=log-out]')
  await anna.screen.write('[data-field=username]', 'anna')
  await anna.screen.write('[data-field=password]', 'another one')
  await anna.screen.press('Enter')
  await anna.screen.find('[data-test=lobby]')
  await anna.screen.click('[data-action=account]')
  await anna.screen.click('[data-action=delete-account]')
  await anna.screen.write('[data-field=delete-password]', 'another one')
  await inspect('account', anna)
  await anna.screen.click('[data-action=delete-surely]')
  await anna.screen.find('[data-action=enter]')
  await guest.screen.click('[data-action=to-lobby]')
  await guest.screen.waitForText(/Nobody else is here/)
  assert.deepEqual(anna.faults.filter((fault) => !/40[13]/.test(fault)), [])
  assert.deepEqual(guest.faults, [])
})

test('a room is found by its link, by its number and in the list; with invitations only a code lets somebody in', { timeout: 600_000 }, async (t) => {
  const server = await club(t, { args: ['--rooms', '--by-invitation'] })
  const code = async () => {
    const answer = await fetch(`${server.address}api/sign-up-codes`, { method: 'POST', headers: { Authorization: `Bearer ${server.operator}` } })
    return (await answer.json()).code
  }
  const people = []
  for (const name of ['Anna', 'Ben', 'Carl']) {
    const person = await openBrowser(t, server.address, { width: 820, height: 700 })
    await person.screen.click('[data-action=choose-register]')
    assert.equal(await person.screen.count('[data-action=guest]'), 0)
    if (name === 'Anna') await inspect('by-invitation', person)
    await person.screen.write('[data-field=username]', name)
    await person.screen.write('[data-field=password]', PASSWORD)
    await person.screen.write('[data-field=code]', name === 'Anna' ? 'wrong' : await code())
    await person.screen.click('[data-action=enter]')
    if (name === 'Anna') {
      await person.screen.waitForText(/invitation code is missing or no longer valid/)
      await person.screen.write('[data-field=code]', await code())
      await person.screen.click('[data-action=enter]')
    }
    await person.screen.find('[data-test=lobby]')
    people.push(person)
  }
  const [anna, ben, carl] = people
  await anna.screen.click('[data-action=new-room]')
  await nine(anna, 'white')
  await anna.screen.click('[data-field=torus]')
  await anna.screen.click('[data-action=create-room]')
  await stage(anna, 'waiting')
  const number = await anna.screen.text('[data-test=room-number]')
  assert.match(number, /^\d{8}$/)
  // Carl sees it in the list, and Ben types its number: he sits down once he has seen the terms, and Carl watches.
  await carl.screen.find(`[data-room="${number}"] [data-action=sit-down]`)
  await picture('list', carl)
  await ben.screen.write('[data-field=room-number]', `${number.slice(0, 4)} ${number.slice(4)}`)
  await ben.screen.press('Enter')
  await ben.screen.waitForText(/Anna[^]*9 × 9 · torus/, { selector: '[data-test=sit-or-watch]' })
  await inspect('sit-or-watch', ben)
  await ben.screen.click('[data-action=take-seat]')
  await Promise.all([stage(anna, 'playing'), stage(ben, 'playing')])
  await carl.page.goto(`${server.address}#/rooms/room/${number}`)
  await stage(carl, 'playing')
  await carl.screen.waitForText(/You are watching/)
  await move(ben, [anna, carl], 0, 0, 'X')
  await inspect('torus', anna)
  // A number that no room has.
  await carl.page.goto(`${server.address}#/rooms/room/00000000`)
  await carl.screen.waitForText(/There is no such room/)
  await inspect('no-room', carl)
  // The operator's window has a way to the rooms, and the rooms one back.
  const window = await openBrowser(t, server.url, { width: 1280, height: 800 })
  await window.screen.find('[data-action=theme]')
  await window.screen.click('.brand')
  await window.screen.click('menuitem', 'Play with others')
  await window.screen.find('[data-action=enter]')
  await window.screen.click('[data-action=own-window]')
  await window.screen.find('[data-action=new-game]')
  assert.deepEqual(window.faults, [])
})

/** A student without a page: a socket in somebody's browser that remembers the last state that came. Answers the token. */
async function pupil(server, { page }, room, name) {
  const answer = await fetch(`${server.address}api/register`, { method: 'POST', body: JSON.stringify({ username: name, password: PASSWORD }) })
  const { token } = await answer.json()
  await page.evaluate(({ address, key }) => {
    const known = { state: null }
    window.pupils = { ...window.pupils, [key]: known }
    new WebSocket(address).addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      if (message.state) known.state = message.state
      if (message.type === 'lesson_pointer') known.state = { ...known.state, pointer: message.point }
    })
  }, { address: `${server.address.replace('http', 'ws')}ws/${room}?token=${token}`, key: name })
  return token
}

test('a teacher gives a lesson to a class of ten: moves, a pointer, own variations, the engine, the record', { timeout: 600_000 }, async (t) => {
  const server = await club(t)
  const cable = await layCable(t, server.port)
  const tomo = await openBrowser(t, server.address, { width: 1280, height: 800 })
  const anna = await openBrowser(t, `http://127.0.0.1:${cable.port}/`, { width: 390, height: 844, phone: true, taps: true })
  await register(tomo, 'Tomo')
  await register(anna, 'Anna')

  await tomo.screen.click('[data-action=new-lesson]')
  await tomo.screen.find('[data-test=new-lesson]')
  await inspect('new-lesson', tomo)
  await tomo.screen.write('[data-field=title]', 'Corners')
  await tomo.screen.choose('[data-field=size]', '9')
  await tomo.screen.click('[data-action=create-lesson]')
  await tomo.screen.waitForText(/Everybody sees your board/, { selector: '[data-test=lesson-status]' })
  await anna.screen.waitForText(/Corners[^]*Tomo/, { selector: '.lessons' })
  await inspect('lobby-lesson-phone', anna, { finger: FINGER })
  await anna.screen.click('[data-action=join-lesson]')
  await anna.screen.waitForText(/You see the teacher’s board/, { selector: '[data-test=lesson-status]' })
  const room = new URL(await anna.page.url()).hash.split('/').at(-1)
  const tokens = await Promise.all(Array.from({ length: 9 }, (_, nth) => pupil(server, tomo, room, `Student ${nth + 1}`)))
  await tomo.screen.waitForText(/11 people here/, { selector: '[data-test=lesson-people]' })
  const states = () => tomo.page.evaluate(() => Object.values(window.pupils).map(({ state }) => state))
  const all = (what, is) => tomo.screen.until(what, async () => (await states()).every((state) => state && is(state)))

  await tomo.screen.clickPoint(2, 2)
  for (const one of [tomo, anna]) await one.screen.waitForStone(2, 2, 'X')
  await all('the stone with everybody', (state) => state.board[2][2] === 1)
  await tomo.screen.click('[data-tool=point]')
  await tomo.screen.hoverPoint(5, 4)
  await all('the pointer with everybody', (state) => String(state.pointer) === '5,4')
  await anna.screen.until('the pointer on the board', async () => await anna.screen.drawnAt('marks', 5, 4) > 0.2)
  await tomo.screen.click('[data-tool=triangle]')
  await tomo.screen.clickPoint(2, 2)
  await all('the triangle with everybody', (state) => state.marks[0]?.shape === 'triangle' && state.pointer === null)
  await tomo.screen.write('[data-field=comment]', 'A corner.')
  await tomo.screen.press('Tab')
  await anna.screen.waitForText(/A corner\./, { selector: '[data-test=comment]' })
  await inspect('lesson-phone', anna, { finger: FINGER })

  // Anna tries something for herself, is cut off, and has it still; then she offers it.
  await anna.screen.clickPoint(3, 2)
  await anna.screen.waitForStone(3, 2, 'O')
  await anna.screen.clickPoint(3, 3)
  await anna.screen.waitForStone(3, 3, 'X')
  assert.equal(await tomo.screen.stoneCount(), 1)
  cable.cut()
  await anna.screen.until('Anna to see that she is cut off', () => anna.screen.evaluate(() => document.querySelector('[data-test=club-lesson]').dataset.link === 'lost'))
  cable.mend()
  await anna.screen.until('Anna to be back', () => anna.screen.evaluate(() => document.querySelector('[data-test=club-lesson]').dataset.link === 'connected'))
  await anna.page.reload()
  await anna.screen.waitForStone(3, 3, 'X')
  await anna.screen.waitForText(/2 moves after move 1/, { selector: '[data-test=lesson-status]' })
  await inspect('own-board-phone', anna, { finger: FINGER })
  await anna.screen.click('[data-action=offer]')
  await tomo.screen.waitForText(/Anna: 2 moves after move 1/, { selector: '[data-test=offers]' })
  await inspect('lesson-offers', tomo)
  await tomo.screen.click('[data-action=show-offer]')
  for (const one of [tomo, anna]) await one.screen.waitForStone(3, 3, 'X')
  await all('her variation with everybody', (state) => state.board[3][3] === 1 && state.move_number === 3)

  // The engine's opinion, for everybody and for as long as the teacher wishes.
  await tomo.screen.click('[data-field=engine]')
  for (const one of [tomo, anna]) await one.screen.waitForText(/leads by/, { selector: '[data-test=opinion]' })
  await all('the opinion with everybody', (state) => state.opinion?.candidates.length > 0)
  await inspect('lesson-engine', tomo)
  await tomo.screen.click('[data-field=engine]')
  await anna.screen.gone('[data-test=opinion]')
  await all('no opinion with anybody', (state) => state.opinion === null)

  // Back, and another way: two variations. Anna only watches from now on.
  await tomo.screen.click('[data-action=previous]')
  await tomo.screen.click('[data-tool=play]')
  await tomo.screen.clickPoint(6, 6)
  await anna.screen.waitForStone(6, 6, 'X')
  await tomo.screen.click('[data-action=previous-variation]')
  await anna.screen.waitForStone(3, 3, 'X')
  await tomo.screen.click('[data-test=lesson-people] summary')
  await tomo.screen.choose('[data-person=Anna] [data-field=role]', 'audience')
  await anna.screen.gone('[data-field=say]')
  await inspect('lesson-people', tomo)
  await anna.screen.clickPoint(0, 0)
  await anna.screen.waitForStone(0, 0, 'O')
  assert.equal(await anna.screen.count('[data-action=offer]'), 0)

  await tomo.screen.click('[data-action=finish]')
  await tomo.screen.click('[data-action=finish-surely]')
  for (const one of [tomo, anna]) await one.screen.waitForText(/The lesson is over/, { selector: '[data-test=lesson-status]' })
  await inspect('lesson-over', tomo)
  await tomo.screen.click('[data-action=to-records]')
  const [download] = await Promise.all([tomo.page.waitForEvent('download'), tomo.screen.click('[data-action=download-lesson]')])
  const sgf = readFileSync(await download.path(), 'utf8')
  assert.match(sgf, /GN\[Corners\]/)
  assert.match(sgf, /C\[A corner\.\]/)
  assert.match(sgf, /N\[Anna\]/)
  assert.match(sgf, /;B\[gg\]/)
  for (const token of tokens) {
    const kept = await (await fetch(`${server.address}api/lesson-records`, { headers: { Authorization: `Bearer ${token}` } })).json()
    assert.equal(kept.records[0].title, 'Corners')
  }
  // It is in the library of a student's own board.
  await anna.screen.click('[data-action=to-records]')
  await anna.screen.waitForText(/Corners/, { selector: '.records' })
  await inspect('records-phone', anna, { finger: FINGER })
  assert.deepEqual(tomo.faults, [])
  assert.deepEqual(anna.faults.filter((fault) => !/ERR_|WebSocket/.test(fault)), [])
})

test('whoever runs the server sees who is there, closes a room, lets somebody go and says who may come in', { timeout: 600_000 }, async (t) => {
  const server = await club(t)
  const anna = await openBrowser(t, server.address)
  await register(anna, 'Anna')
  const operator = await openBrowser(t, `${server.address}?token=${server.operator}#/rooms`)
  await operator.screen.click('[data-action=server]')
  await operator.screen.waitForText(/Anna/, { selector: '[data-person=Anna]' })
  await operator.screen.waitForText(/online/, { selector: '[data-person=Anna]' })

  // A room that nobody lists is there, and is closed after a question.
  const token = await anna.screen.evaluate(() => localStorage.getItem('honinbo.club'))
  const made = await fetch(`${server.address}api/generate-room`, { method: 'POST', headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: '{"color":"black"}' })
  const { room_id: room } = await made.json()
  await operator.screen.waitForText(/Anna/, { selector: `[data-room="${room}"]` })
  await inspect('server', operator)
  await operator.screen.click(`[data-room="${room}"] [data-action=close-room]`)
  await operator.screen.waitForText(/without a result/, { selector: '[role=dialog]' })
  await operator.screen.click('[data-action=surely]')
  await operator.screen.gone(`[data-room="${room}"]`)

  // A code for one person, where an account takes one.
  await operator.screen.write('[data-field=rooms_of_one]', '3')
  await operator.screen.click('[data-action=save-limits]')
  await operator.screen.waitForText(/Limits changed/)
  await operator.screen.click('[data-field=by-invitation]')
  await operator.screen.until('the policy on the server', async () => (await (await fetch(`${server.address}api/server`)).json()).registration === 'invitation')
  await operator.screen.click('[data-action=make-code]')
  const code = await operator.screen.until('a code', () => operator.screen.evaluate(() => document.querySelector('[data-test=code]')?.textContent))
  const ben = await fetch(`${server.address}api/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ username: 'Ben', password: PASSWORD, code }) })
  assert.equal(ben.status, 201)
  await operator.screen.click('[data-action=back-up]')
  await operator.screen.waitForText(/server-\d+\.sqlite/)

  // Anna goes: her page asks her to log in.
  await operator.screen.write('[data-field=part]', 'ann')
  await operator.screen.until('Anna alone', async () => await operator.screen.count('[data-person]') === 1)
  await operator.screen.click('[data-person=Anna] [data-action=remove-person]')
  await operator.screen.click('[data-action=surely]')
  await operator.screen.waitForText(/Nobody of this name/)
  await anna.page.reload()
  await anna.screen.find('[data-action=choose-register]')
  assert.deepEqual(operator.faults, [])

  const phone = await openBrowser(t, `${server.address}?token=${server.operator}#/rooms/server`, { width: 390, height: 844, phone: true })
  await phone.screen.waitForText(/Ben/, { selector: '[data-person=Ben]' })
  await inspect('server-phone', phone, { finger: FINGER })
})

test('a tournament: somebody organises it, one plays on a phone, the results come from the rooms, and the table stands', { timeout: 600_000 }, async (t) => {
  const server = await club(t)
  const tomo = await openBrowser(t, server.address, { width: 1280, height: 800 })
  const anna = await openBrowser(t, server.address, { width: 390, height: 844, phone: true, taps: true })
  await register(tomo, 'Tomo')
  await register(anna, 'Anna')

  await tomo.screen.click('[data-action=new-tournament]')
  await tomo.screen.find('[data-test=new-tournament]')
  await tomo.screen.choose('[data-field=system]', 'mc_mahon')
  await tomo.screen.choose('[data-field=handicap]', '1')
  await tomo.screen.gone('[data-field=rated]')
  await inspect('new-tournament', tomo)
  await tomo.screen.choose('[data-field=system]', 'swiss')
  await tomo.screen.write('[data-field=title]', 'Spring cup')
  await tomo.screen.write('[data-field=rounds]', '1')
  await tomo.screen.choose('[data-field=size]', '9')
  await tomo.screen.choose('[data-field=clock]', 'none')
  await tomo.screen.click('[data-action=create-tournament]')
  await tomo.screen.waitForText(/Nobody has joined yet/, { selector: '[data-test=tournament]' })
  await tomo.screen.write('[data-field=rank]', '3d')
  await tomo.screen.click('[data-action=join-tournament]')
  await tomo.screen.find('[data-player=Tomo]')

  await anna.screen.waitForText(/Spring cup[^]*Swiss[^]*Open for players/, { selector: '.tournaments' })
  await inspect('lobby-tournament-phone', anna, { finger: FINGER })
  await anna.screen.click('[data-action=open-tournament]')
  await anna.screen.write('[data-field=rank]', '5 kyu')
  await anna.screen.click('[data-action=join-tournament]')
  await anna.screen.waitForText(/5k/, { selector: '[data-player=Anna]' })
  await tomo.screen.find('[data-player=Anna]')
  await inspect('tournament-open', tomo)

  // The round is paired: both see the way to their game, and the one who resigns has lost.
  await tomo.screen.click('[data-action=pair-round]')
  for (const one of [tomo, anna]) await one.screen.find('[data-action=go-to-game]')
  await inspect('tournament-phone', anna, { finger: FINGER })
  await inspect('tournament', tomo)
  for (const one of [tomo, anna]) await one.screen.click('[data-action=go-to-game]')
  for (const one of [tomo, anna]) await stage(one, 'playing')
  await anna.screen.click('[data-action=resign]')
  await anna.screen.click('[data-action=resign-surely]')
  await tomo.screen.waitForText(/wins by resignation/, { selector: '[data-test=room-status]' })
  await tomo.page.goBack()
  await tomo.screen.waitForText(/1/, { selector: '[data-player=Tomo] [data-test=points]' })
  await tomo.screen.waitForText(/0/, { selector: '[data-player=Anna] [data-test=points]' })
  await anna.page.goBack()
  await anna.screen.waitForText(/won/, { selector: '[data-test=pairing-result]' })
  assert.equal(await anna.screen.count('[data-action=go-to-game]'), 0)

  // The organiser corrects the result; then the table stands.
  await tomo.screen.choose('[data-field=result]', 'draw')
  await anna.screen.waitForText(/½/, { selector: '[data-player=Anna] [data-test=points]' })
  await tomo.screen.click('[data-action=finish-tournament]')
  for (const one of [tomo, anna]) await one.screen.until('the end', () => one.screen.evaluate(() => document.querySelector('[data-test=tournament]').dataset.stage === 'over'))
  await inspect('tournament-over-phone', anna, { finger: FINGER })
  assert.equal(await tomo.screen.count('[data-action=pair-round]'), 0)
  assert.deepEqual(tomo.faults, [])
  assert.deepEqual(anna.faults, [])
})

test('an organiser pairs by hand, exchanges places and colours, gives a pause, and lets somebody in late', { timeout: 600_000 }, async (t) => {
  const server = await club(t)
  const post = async (path, token, body = {}) => (await fetch(`${server.address}api/${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) }, body: JSON.stringify(body) })).json()
  const tomo = await openBrowser(t, server.address, { width: 1280, height: 800 })
  const anna = await openBrowser(t, server.address, { width: 390, height: 844, phone: true, taps: true })
  await register(tomo, 'Tomo')
  await register(anna, 'Anna')
  const token = await tomo.screen.evaluate(() => localStorage.getItem('honinbo.club'))
  const wanted = { title: 'Spring cup', system: 'swiss', rounds: 3, terms: { width: 9, height: 9 } }
  const { id } = await post('tournaments', token, wanted)
  const tokens = { Anna: await anna.screen.evaluate(() => localStorage.getItem('honinbo.club')) }
  for (const name of ['Ben', 'Carl', 'Dora', 'Eva', 'Frida']) tokens[name] = (await post('register', undefined, { username: name, password: PASSWORD })).token
  // Whoever asks for something is online, and can be put on the list.
  await fetch(`${server.address}api/me`, { headers: { Authorization: `Bearer ${tokens.Frida}` } })
  for (const name of ['Anna', 'Ben', 'Carl', 'Dora', 'Eva']) await post(`tournaments/${id}/join`, tokens[name])
  for (const one of [tomo, anna]) {
    await one.screen.waitForText(/Spring cup/, { selector: '.tournaments' })
    await one.screen.click('[data-action=open-tournament]')
    await one.screen.find('[data-player=Eva]')
  }

  // Eva sits the first round out for half a point; the four others are paired.
  await tomo.screen.choose('[data-field=paused]', 'Eva')
  await tomo.screen.click('[data-action=give-pause]')
  await tomo.screen.waitForText(/Eva sits out round 1: Half a point/, { selector: '[data-test=planned-pauses]' })
  await inspect('tournament-pause', tomo)
  await tomo.screen.click('[data-action=pair-round]')
  await tomo.screen.waitForText(/Half a point/, { selector: '[data-idle=Eva]' })
  await tomo.screen.waitForText(/½/, { selector: '[data-player=Eva] [data-test=points]' })
  await anna.screen.find('[data-action=go-to-game]')
  await inspect('tournament-by-hand', tomo)
  const hand = await openBrowser(t, server.address, { width: 390, height: 844, phone: true, taps: true })
  await hand.screen.evaluate((own) => { localStorage.setItem('honinbo.club', own) }, token)
  await hand.page.goto('about:blank')
  await hand.page.goto(`${server.address}#/rooms/tournament/${id}`)
  await hand.screen.find('[data-test=by-hand]')
  await inspect('tournament-by-hand-phone', hand, { finger: FINGER })
  const pairs = () => tomo.screen.evaluate(() => [...document.querySelectorAll('[data-test=pairings] [data-game] b')].map((pair) => pair.textContent))
  const [first] = await pairs()
  await tomo.screen.click('[data-game="0"] [data-action=exchange-colors]')
  await tomo.screen.until('other colours', async () => (await pairs())[0] === first.split(' – ').reverse().join(' – '))

  // Anna's game is taken apart and she has none; then she plays Ben, whose place Carl gets.
  const number = (name) => tomo.screen.evaluate((player) => [...document.querySelectorAll('[data-field=first-player] option')].find((option) => option.textContent.trim().startsWith(player)).value, name)
  const two = async (one, other, action) => {
    await tomo.screen.choose('[data-field=first-player]', await number(one))
    await tomo.screen.choose('[data-field=second-player]', await number(other))
    await tomo.screen.click(`[data-action=${action}]`)
  }
  const game = (names) => tomo.screen.until(`a game of ${names.join(' and ')}`, async () => (await pairs()).some((pair) => names.every((name) => pair.includes(name))))
  await tomo.screen.click('[data-game="0"] [data-action=take-apart]')
  await tomo.screen.waitForText(/no game/, { selector: '[data-idle=Anna]' })
  await anna.screen.gone('[data-action=go-to-game]')
  await two('Carl', 'Ben', 'exchange-places')
  await game(['Carl', 'Dora'])
  await two('Anna', 'Ben', 'pair-two')
  await game(['Anna', 'Ben'])
  await anna.screen.find('[data-action=go-to-game]')
  await inspect('tournament-paired-phone', anna, { finger: FINGER })

  // With everything entered, the second round has them meet again only after a question.
  const settle = async (nth) => {
    await tomo.screen.choose(`[data-game="${nth}"] [data-field=result]`, 'black')
    await tomo.screen.waitForText(/Black won/, { selector: `[data-game="${nth}"] [data-test=pairing-result]` })
  }
  for (const nth of [0, 1]) await settle(nth)
  await tomo.screen.write('[data-field=player]', 'Frida')
  await tomo.screen.choose('[data-field=missed]', 'half')
  await tomo.screen.click('[data-action=add-player]')
  await tomo.screen.waitForText(/½/, { selector: '[data-player=Frida] [data-test=points]' })
  await tomo.screen.click('[data-action=pair-round]')
  await tomo.screen.until('three games', async () => (await pairs()).length === 3)
  for (let left = 2; left >= 0; left--) {
    await tomo.screen.click('[data-game="0"] [data-action=take-apart]')
    await tomo.screen.until(`${left} games`, async () => (await pairs()).length === left)
  }
  await two('Anna', 'Ben', 'pair-two')
  await tomo.screen.waitForText(/would meet again/, { selector: '[role=dialog]' })
  await inspect('tournament-again', tomo)
  await tomo.screen.click('[data-action=pair-again]')
  await tomo.screen.waitForText(/Rematch/, { selector: '[data-test=pairing-rematch]' })
  await tomo.screen.choose('[data-idle=Dora] [data-field=rest]', 'bye')
  await tomo.screen.waitForText(/bye/, { selector: '[data-idle=Dora]' })

  // A game under way is nobody's to take away; with the keyboard the refusal is the same.
  await anna.screen.click('[data-action=go-to-game]')
  await stage(anna, 'waiting')
  const rounds = (await (await fetch(`${server.address}api/tournaments/${id}`, { headers: { Authorization: `Bearer ${token}` } })).json()).rounds
  const ben = await openBrowser(t, server.address, { width: 800, height: 700 })
  await ben.screen.evaluate((own) => { localStorage.setItem('honinbo.club', own) }, tokens.Ben)
  await ben.page.goto('about:blank')
  await ben.page.goto(`${server.address}#/rooms/room/${rounds[1].games[0].room}`)
  for (const one of [anna, ben]) await stage(one, 'playing')
  const black = /Your move/.test(await status(anna)) ? anna : ben
  await move(black, [black === anna ? ben : anna], 2, 2, 'X')
  await tomo.screen.evaluate(() => { document.querySelector('[data-game="0"] [data-action=take-apart]').focus() })
  await tomo.screen.press('Enter')
  await tomo.screen.waitForText(/That game has begun or has a result/)
  assert.equal((await pairs()).length, 1)
  assert.deepEqual(tomo.faults.filter((fault) => !/409/.test(fault)), [])
  assert.deepEqual(anna.faults, [])
})

/** Somebody at the pages of the provider: any name and any password do. */
async function atProvider({ page }, name) {
  await page.waitForSelector('[name=login]')
  await page.fill('[name=login]', name)
  await page.fill('[name=password]', 'x')
  await page.click('[type=submit]')
  await page.waitForSelector('[name=prompt][value=consent]', { state: 'attached' })
  await page.click('[type=submit]')
}

test('people log in by the provider of their school, link an account, change their mind, and a teacher runs the server', { timeout: 600_000, skip: hasProvider ? false : 'the OpenID Connect provider is not there; scripts/clients gets it' }, async (t) => {
  const provider = await startProvider(t)
  const server = await club(t, {
    args: ['--rooms', '--guests', '--oidc-issuer', provider.issuer, '--oidc-client-id', CLIENT_ID, '--oidc-name', 'Example School', '--oidc-operator', 'groups=go-operators'],
    env: { HONINBO_OIDC_CLIENT_SECRET: CLIENT_SECRET },
  })
  for (const path of ['callback', 'logged-out']) provider.allow(`${server.address}api/oidc/${path}`)
  provider.tell(`${server.address}api/oidc/backchannel-logout`)
  const anna = await openBrowser(t, server.address, { width: 1280, height: 800 })
  const ben = await openBrowser(t, server.address, { width: 390, height: 844, phone: true, taps: true, colorScheme: 'dark' })
  // The provider's pages want fonts and an icon that are not there: only what is ours counts.
  const refused = []
  const watch = ({ page }) => page.on('response', (answer) => { if (answer.url().startsWith(server.address) && answer.status() >= 400) refused.push(answer.url()) })
  watch(anna)
  watch(ben)
  const comesIn = async (name, size) => {
    const own = await openBrowser(t, server.address, size)
    watch(own)
    await own.screen.click('[data-action=provider]')
    await atProvider(own, name)
    await own.screen.find('[data-test=lobby]')
    return own
  }

  await anna.screen.waitForText(/Log in with Example School/, { selector: '[data-action=provider]' })
  await inspect('entrance-provider', anna)
  await inspect('entrance-provider-phone', ben, { finger: FINGER })
  await anna.screen.click('[data-action=provider]')
  await atProvider(anna, 'anna')
  await anna.screen.find('[data-test=lobby]')
  assert.equal(await anna.screen.text('[data-action=account]'), 'anna')
  assert.equal(new URL(anna.page.url()).search, '', 'nothing of the provider is left in the address')
  await anna.screen.click('[data-action=account]')
  await anna.screen.waitForText(/no password/, { selector: '[data-test=account-provider]' })
  await anna.screen.settled()
  await picture('account-provider', anna)
  assert.equal(await anna.screen.count('[data-field=old-password]'), 0)
  await anna.screen.click('[data-action=log-out]')
  // The provider still knows the browser.
  await anna.screen.click('[data-action=provider]')
  await anna.screen.find('[data-test=lobby]')
  assert.equal(await anna.screen.text('[data-action=account]'), 'anna')
  // In another browser she logs out there, too, and is asked who she is the next time.
  const other = await comesIn('anna', { width: 1024, height: 700 })
  await other.screen.click('[data-action=account]')
  await other.screen.waitForText(/Log out at Example School too/, { selector: '[data-action=log-out-there]' })
  await inspect('account-log-out-there', other)
  await other.screen.click('[data-action=log-out-there]')
  await other.page.click('[name=logout][value=yes]')
  await other.screen.waitForText(/You are logged out/, { selector: '[data-test=logged-out]' })
  assert.equal(new URL(other.page.url()).search, '', 'nothing of the provider is left in the address')
  await inspect('logged-out', other)
  await other.screen.click('[data-action=provider]')
  await atProvider(other, 'anna')
  await other.screen.find('[data-test=lobby]')

  // Ben has an account, and links it.
  await register(ben, 'Ben')
  await ben.screen.click('[data-action=account]')
  await ben.screen.click('[data-action=link-provider]')
  await atProvider(ben, 'benjamin')
  await ben.screen.waitForText(/linked with Example School/)
  await ben.screen.find('[data-test=lobby]')
  await ben.screen.click('[data-action=account]')
  await ben.screen.find('[data-action=unlink-provider]')
  await ben.screen.settled()
  await picture('account-linked-phone', ben)
  await ben.screen.click('[data-action=log-out]')
  await ben.screen.click('[data-action=provider]')
  await ben.screen.find('[data-test=lobby]')
  assert.equal(await ben.screen.text('[data-action=account]'), 'Ben')
  await ben.screen.click('[data-action=account]')
  await ben.screen.find('[data-action=log-out-there]')
  await inspect('account-log-out-there-phone', ben, { finger: FINGER })
  await ben.screen.click('[data-action=unlink-provider]')
  await ben.screen.find('[data-action=link-provider]')

  // Somebody changes their mind there, and is told so here; a link to a room is gone on with.
  const carl = await openBrowser(t, `${server.address}#/rooms/room/12345678`, { width: 1024, height: 700 })
  await carl.screen.click('[data-action=provider]')
  await carl.page.waitForSelector('[name=login]')
  await carl.page.click('a[href*=abort]')
  await carl.screen.waitForText(/did not let you in/, { selector: '[data-test=sign-in-problem]' })
  await inspect('sign-in-denied', carl)
  await carl.page.goto(`${server.address}#/rooms/room/12345678`)
  await carl.screen.click('[data-action=provider]')
  await atProvider(carl, 'carl')
  await carl.screen.waitForText(/There is no such room/)

  // A teacher is an operator by the provider's word.
  const teacher = await comesIn('teacher', { width: 1280, height: 800 })
  await teacher.screen.click('[data-action=server]')
  await teacher.screen.waitForText(/carl/)
  assert.deepEqual(refused, [])
  for (const one of [anna, other, ben, teacher]) assert.deepEqual(one.faults.filter((fault) => !fault.startsWith('Failed to load resource')), [])
})
