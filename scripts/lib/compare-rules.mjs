// Compares figures of `honinbo bench rules` with those of tests/rivals/katago-board.cpp: medians, and ratios of pairs.
// Usage: node scripts/lib/compare-rules.mjs FOLDER PAIRS     reads katago-N.json and honinbo-N.json; scripts/compare-rules
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const round = (value) => Number(value.toPrecision(3))

/** Each pair is `{ katago, honinbo }`, what the two programs printed one after the other. Throws where their games differ. */
export function compareRules(pairs) {
  for (const { katago, honinbo } of pairs) {
    const [theirs, ours] = [katago.games.join('; '), honinbo.more.games.join('; ')]
    if (theirs !== ours) throw new Error(`the games differ, so the times say nothing: KataGo ${theirs}, Honinbo ${ours}`)
  }
  const figures = {}
  for (const { name } of pairs[0].katago.figures) {
    const of = (side) => pairs.map((pair) => pair[side].figures.find((figure) => figure.name === name).nanoseconds)
    const [katago, honinbo] = [of('katago'), of('honinbo')]
    const ratios = katago.map((theirs, i) => theirs / honinbo[i])
    figures[name] = {
      katagoNanoseconds: round(median(katago)),
      honinboNanoseconds: round(median(honinbo)),
      ratio: { median: round(median(ratios)), least: round(Math.min(...ratios)), most: round(Math.max(...ratios)) },
    }
  }
  return { pairs: pairs.length, games: pairs[0].katago.games, figures }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, pairs] = [process.argv[2], Number(process.argv[3])]
  const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const both = Array.from({ length: pairs }, (_, i) => ({ katago: read(`katago-${i}.json`), honinbo: read(`honinbo-${i}.json`) }))
  const machine = { processor: os.cpus()[0]?.model, cores: os.cpus().length, loadAverage: os.loadavg()[0] }
  process.stdout.write(`${JSON.stringify({ bench: 'rules beside KataGo', machine, ...compareRules(both) }, undefined, 2)}\n`)
}
