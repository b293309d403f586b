// Sabaki's GTP package plays a game between two engines of ours, and analyses on the way.
//
// Usage: sabaki_game.cjs ENGINE ARG... (with @sabaki/gtp on NODE_PATH)
// Prints one JSON object: what the package made of the answers.
const { Controller, ControllerStateTracker } = require('@sabaki/gtp')

const [path, ...args] = process.argv.slice(2)
const sides = ['B', 'W'].map((color) => {
  const controller = new Controller(path, args)
  return { color, controller, tracker: new ControllerStateTracker(controller) }
})

async function ask(controller, name, ...args) {
  const { error, content } = await controller.sendCommand({ name, args })
  if (error) throw new Error(`${name} ${args.join(' ')}: ${content}`)
  return content
}

async function main() {
  for (const { controller } of sides) controller.start()
  const [black, white] = sides.map((side) => side.controller)
  const result = { name: await ask(black, 'name'), commands: (await ask(black, 'list_commands')).split('\n').length }
  const history = []
  let analyses = 0
  let last = []
  for (let number = 0; number < 60 && !(last[0] === 'pass' && last[1] === 'pass'); number++) {
    const { color, controller, tracker } = sides[number % 2]
    await tracker.sync({ komi: 7, boardsize: [7, 7], history })
    let vertex
    if (number === 4) {
      // As Sabaki shows an engine thinking: lines of information, and the move at the end.
      const lines = []
      const reply = await controller.sendCommand({ name: 'genmove_analyze', args: [color, '1'] }, ({ line }) => {
        lines.push(line)
      })
      vertex = reply.content.split('\n').find((line) => line.startsWith('play ')).slice(5).trim()
      analyses += lines.filter((line) => line.includes('info move')).length
    } else {
      vertex = await ask(controller, 'genmove', color)
    }
    if (/resign/i.test(vertex)) break
    history.push({ name: 'play', args: [color, vertex] })
    last = [last[1], vertex.toLowerCase()]
  }
  for (const { tracker } of sides) await tracker.sync({ komi: 7, boardsize: [7, 7], history })
  // An analysis has no end; the next command ends it.
  const analysed = new Promise((resolve) => {
    const running = white.sendCommand({ name: 'analyze', args: ['B', '1', 'ownership', 'true'] }, ({ line }) => {
      if (line.includes('info move') && line.includes('ownership')) {
        analyses++
        white.sendCommand({ name: 'name' }).then(() => running).then(resolve)
      }
    })
  })
  await analysed
  result.moves = history.map((command) => command.args[1])
  result.analyses = analyses
  result.scores = [await ask(black, 'final_score'), await ask(white, 'final_score')]
  result.boards = [await ask(black, 'list_stones', 'B'), await ask(white, 'list_stones', 'B')]
  result.stopped = await Promise.all([black, white].map((controller) => controller.stop()))
  console.log(JSON.stringify(result))
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
