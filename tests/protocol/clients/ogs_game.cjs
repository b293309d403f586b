// gtp2ogs plays a game with an engine of ours, on a server of this file's own that speaks as online-go.com does: messages
// [name, data] and [number of the question, answer] over a WebSocket (gtp2ogs 9.0.1, goban's GobanSocket.ts).
//
// Usage: ogs_game.cjs GTP2OGS.js FOLDER ENGINE [ARGUMENT…]
// Prints one JSON object: what the server heard.
const { spawn } = require('node:child_process')
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { WebSocketServer } = require('ws')

const [program, folder, ...engine] = process.argv.slice(2)
const GAME = 77
const BOT = 5
const heard = { authenticated: false, config: undefined, moves: [], chat: [], resigned: false, names: [] }
const moves = []
// The opponent plays in the corners that the bot leaves, then passes.
const answers = ['cc', 'gc', 'cg', 'gg']

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
const point = text => text === '..' ? [-1, -1] : [text.charCodeAt(0) - 97, text.charCodeAt(1) - 97]
const clock = turn => ({
  game_id: GAME, current_player: turn, black_player_id: BOT, white_player_id: 9, title: '', last_move: Date.now(),
  expiration: Date.now() + 600_000,
  black_time: { thinking_time: 120, skip_bonus: false }, white_time: { thinking_time: 120, skip_bonus: false },
})
const game = (phase = 'play', more = {}) => ({
  game_id: GAME, phase, width: 9, height: 9, rules: 'chinese', komi: 7, handicap: 0, free_handicap_placement: false,
  ranked: false, private: false, initial_state: { black: '', white: '' }, initial_player: 'black', moves: [...moves],
  players: { black: { id: BOT, username: 'honinbo' }, white: { id: 9, username: 'guest' } },
  time_control: { system: 'fischer', speed: 'live', initial_time: 120, time_increment: 30, max_time: 300, pause_on_weekends: false },
  clock: clock(moves.length % 2 === 0 ? BOT : 9), ...more,
})

server.on('connection', (socket) => {
  const send = (...message) => socket.send(JSON.stringify(message))
  const add = (text) => {
    moves.push([...point(text), 1000])
    send(`game/${GAME}/clock`, clock(moves.length % 2 === 0 ? BOT : 9))
    send(`game/${GAME}/move`, { game_id: GAME, move_number: moves.length, move: moves.at(-1) })
  }
  const end = () => {
    send(`game/${GAME}/gamedata`, game('finished', { outcome: 'resignation', winner: 9 }))
    setTimeout(finish, 1500)
  }
  socket.on('message', (text) => {
    const [name, data, id] = JSON.parse(text)
    heard.names.push(name)
    const reply = answer => id !== undefined && send(id, answer)
    switch (name) {
      case 'net/ping': return send('net/pong', { client: data.client, server: Date.now() })
      case 'authenticate':
        heard.authenticated = data.bot_apikey === 'secret'
        return reply({ id: BOT, username: 'honinbo' })
      case 'bot/config':
        heard.config = data
        return send('active_game', { id: GAME, phase: 'play', width: 9, height: 9 })
      case 'game/connect':
        return send(`game/${GAME}/gamedata`, game())
      case 'game/chat':
        return heard.chat.push({ type: data.type, body: data.body })
      case 'game/resign':
        heard.resigned = true
        return end()
      case 'game/move':
        heard.moves.push(data.move)
        reply({})
        add(data.move)
        // Two passes end the game; before that the guest has made all its moves.
        if (data.move === '..' && moves.at(-2)?.[0] === -1) return end()
        const free = answers.find(text => !moves.some(([x, y]) => x === point(text)[0] && y === point(text)[1]))
        return setTimeout(() => add(heard.moves.length > 3 || !free ? '..' : free), 20)
    }
  })
})

let bot
function finish() {
  bot?.kill()
  console.log(JSON.stringify(heard))
  process.exit(0)
}

server.on('listening', () => {
  const config = join(folder, 'ogs.json5')
  const command = JSON.stringify(engine)
  writeFileSync(config, `{
    // As in docs/programs.md, but for the server and the delay.
    apikey: "secret", server: "http://127.0.0.1:${server.address().port}",
    bot: { command: ${command}, release_delay: 100 },
  }\n`)
  bot = spawn(process.execPath, [program, '--config', config], { stdio: ['ignore', 'inherit', 'inherit'] })
  bot.on('exit', code => setTimeout(() => {
    console.error(`gtp2ogs ended with ${code}`)
    finish()
  }, 100))
})
setTimeout(() => {
  console.error('no game came to its end in time')
  finish()
}, 180_000)
