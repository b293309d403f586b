// Sabaki's own engine modules (`src/modules` of its repository) start an engine of ours, take it through a game and read its
// analysis, as the window does.
//
// Usage: sabaki_engine.cjs SABAKI.cjs ENGINE [ARGUMENT…]
// Prints one JSON object: what Sabaki made of the answers.
const [modules, path, ...args] = process.argv.slice(2)
const { EngineSyncer, newTree } = require(modules)

const quote = text => `"${text.replace(/(["\\])/g, '\\$1')}"`
const engine = new EngineSyncer({ name: 'Honinbo', path, args: args.map(quote).join(' '), commands: '' })

async function main() {
  const analyses = []
  engine.on('analysis-update', () => engine.analysis && analyses.push(engine.analysis))
  engine.start()
  await new Promise((resolve) => {
    const wait = () => engine.commands.length > 0 ? resolve() : setTimeout(wait, 20)
    wait()
  })
  // A handicap game with a variation, as a window holds it.
  let tree = newTree().mutate((draft) => {
    for (const [name, values] of [['SZ', ['9']], ['KM', ['0.5']], ['AB', ['cc', 'gg']]]) draft.updateProperty(draft.root.id, name, values)
  })
  let id = tree.root.id
  const play = (color, at) => {
    tree = tree.mutate((draft) => {
      id = draft.appendNode(id, { [color]: [at] })
    })
  }
  play('W', 'gc')
  await engine.sync(tree, id)
  // Sabaki takes the first of the listed commands that it knows.
  const command = ['analyze', 'kata-analyze', 'lz-analyze'].find(name => engine.commands.includes(name))
  const running = engine.queueCommand({ name: command, args: ['B', '10'] })
  await new Promise((resolve) => {
    const wait = () => analyses.length >= 3 ? resolve() : setTimeout(wait, 20)
    wait()
  })
  const { content } = await engine.queueCommand({ name: 'genmove', args: ['B'] })
  await running
  await engine.stop()
  const last = analyses.at(-1)
  console.log(JSON.stringify({
    commands: engine.commands, command, content, analyses: analyses.length,
    sign: last.sign, winrate: last.winrate, scoreLead: last.scoreLead,
    variations: last.variations.map(({ vertex, visits, winrate, scoreLead, moves }) => ({ vertex, visits, winrate, scoreLead, moves: moves?.length })),
  }))
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
