import type { LineReview } from '@/api'
import { CHOICES, choiceFigures, PHASES } from '@/features/analysis'
import { escapeText } from './diagram'

/** The words of a report, in the person's language. */
export interface ReportWords {
  readonly language: string
  readonly title: string
  readonly facts: readonly string[]
  readonly black: string
  readonly white: string
  readonly accuracy: string
  readonly lost: string
  readonly mean: string
  readonly phases: Readonly<Record<(typeof PHASES)[number], string>>
  readonly choices: Readonly<Record<(typeof CHOICES)[number], string>>
  readonly mistakes: string
  readonly move: string
  readonly player: string
  readonly loss: string
  /** What would have been better. */
  readonly better: string
  readonly graph: string
  /** What made the report: program, network, visits. */
  readonly source: string
}

export interface ReportMistake {
  readonly number: number
  readonly side: 'black' | 'white'
  readonly point: string
  readonly loss: string
  /** The moves that were better, with their letters in the diagram. */
  readonly better: string
  /** The position before it with the move that was played and the better ones on it, for the worst. */
  readonly diagram?: string | undefined
}

export interface ReportContent {
  readonly words: ReportWords
  readonly review: LineReview
  readonly mistakes: readonly ReportMistake[]
  /** Black's lead after each position of the line; undefined where it is not known. */
  readonly leads: readonly (number | undefined)[]
  readonly points: (value: number) => string
  readonly percent: (share: number) => string
}

/** A review as one page that stands alone: no script, no address, everything of a record escaped. */
export function reportPage({ words, review, mistakes, leads, points, percent }: ReportContent): string {
  const text = escapeText
  const cells = (values: readonly string[], tag = 'td'): string => values.map(value => `<${tag}>${text(value)}</${tag}>`).join('')
  const player = (side: 'black' | 'white'): string => {
    const { accuracy, lost, mean, phases } = review[side]
    return `<tr><th scope="row">${text(words[side])}</th>${cells([
      accuracy === null ? '–' : percent(accuracy / 100), points(-lost), points(-mean), ...PHASES.map(phase => points(-phases[phase])),
    ])}</tr>`
  }
  const choices = (side: 'black' | 'white'): string => `<tr><th scope="row">${text(words[side])}</th>${cells(choiceFigures(review[side], percent))}</tr>`
  const rows = mistakes.map(({ number, side, point, loss, better }) => `<tr>${cells([String(number), words[side], point, loss, better])}</tr>`).join('')
  const diagrams = mistakes.filter(mistake => mistake.diagram).map(({ number, side, point, loss, better, diagram }) =>
    `<figure>${diagram ?? ''}<figcaption>${text(`${number} · ${words[side]} ${point} · ${loss}`)}<br>${text(`${words.better}: ${better}`)}</figcaption></figure>`).join('')
  return `<!doctype html>
<html lang="${text(words.language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(words.title)}</title>
<style>
body{max-width:54rem;margin:2rem auto;padding:0 1rem;color:#2a241c;background:#fff;font:1rem/1.5 system-ui,"Noto Sans","Noto Sans CJK SC","Noto Sans CJK JP",sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:1.6rem}h2{margin-top:2rem;font-size:1.2rem}
table{border-collapse:collapse}td,th{padding:.25rem .75rem;border-bottom:1px solid #dbd2c2;text-align:right}th:first-child,td:nth-child(2):not(.n){text-align:left}
svg{max-width:100%;height:auto}.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1.5rem}figure{margin:0;break-inside:avoid}figcaption{text-align:center}
.facts,footer{color:#665b4b}
</style>
<h1>${text(words.title)}</h1>
<p class="facts">${words.facts.map(text).join(' · ')}</p>
<table><thead><tr><td></td>${cells([words.accuracy, words.lost, words.mean, ...PHASES.map(phase => words.phases[phase])], 'th')}</tr></thead><tbody>${player('black')}${player('white')}</tbody></table>
<table><thead><tr><td></td>${cells(CHOICES.map(choice => words.choices[choice]), 'th')}</tr></thead><tbody>${choices('black')}${choices('white')}</tbody></table>
<h2>${text(words.graph)}</h2>
${leadGraph(leads)}
<h2>${text(words.mistakes)}</h2>
<table><thead><tr>${cells([words.move, words.player, '', words.loss, words.better], 'th')}</tr></thead><tbody>${rows}</tbody></table>
<div class="figures">${diagrams}</div>
<footer><p>${text(words.source)}</p></footer>
</html>
`
}

const WIDTH = 800
const HEIGHT = 220

function leadGraph(leads: readonly (number | undefined)[]): string {
  const largest = Math.max(5, ...leads.map(lead => Math.abs(lead ?? 0)))
  const last = Math.max(1, leads.length - 1)
  let path = ''
  let drawing = false
  leads.forEach((lead, index) => {
    if (lead === undefined) {
      drawing = false
      return
    }
    path += `${drawing ? 'L' : 'M'}${(index / last * WIDTH).toFixed(1)} ${(HEIGHT / 2 - lead / largest * (HEIGHT / 2 - 6)).toFixed(1)}`
    drawing = true
  })
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><rect width="${WIDTH}" height="${HEIGHT}" fill="#f5f0e5"/><path d="M0 ${HEIGHT / 2}H${WIDTH}" stroke="#8f8471" stroke-dasharray="4 4"/><path d="${path}" fill="none" stroke="#1f5b85" stroke-width="2"/><text x="4" y="14" font-size="12">+${largest.toFixed(0)}</text><text x="4" y="${HEIGHT - 5}" font-size="12">−${largest.toFixed(0)}</text></svg>`
}
