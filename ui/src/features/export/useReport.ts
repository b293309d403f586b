import type { GameView, LineReview } from '@/api'
import { betterMoves, graphPoints, useAnalysis } from '@/features/analysis'
import { pointName } from '@/features/board'
import { fileNameOf, indexOf, resultWords, titleOf, useGames } from '@/features/game'
import { i18n, useText } from '@/i18n'
import { listed, percent, plainPoints, signedPoints, wholeNumber } from '@/i18n/formats'
import { playerName } from '@/i18n/opponents'
import { makeDiagram } from './diagram'
import { reportPage, type ReportMistake } from './report'

/** Mistakes that are listed, and those that have a diagram. */
const MAX_LISTED = 30
const MAX_DRAWN = 12
/** Better moves that a diagram names, as A, B and C. */
const LETTERS = ['A', 'B', 'C'] as const

/** Saves the review of a game as a page of its own. */
export function useReport(): { saveReport: (game: GameView, review: LineReview) => Promise<void> } {
  const games = useGames()
  const analysis = useAnalysis()
  const { t } = useText()

  async function saveReport(game: GameView, review: LineReview): Promise<void> {
    const { entryOf } = indexOf(game.tree)
    const { line } = game.position
    const points = graphPoints(line, analysis.graph)
    const nameOf = (vertex: number | null): string => vertex === null ? t('game.pass') : pointName(vertex, game.width, game.height)
    const mistakes: ReportMistake[] = []
    for (const [place, mistake] of review.mistakes.slice(0, MAX_LISTED).entries()) {
      const move = game.tree.moves[entryOf(mistake.nodeId) ?? -1] ?? -2
      const played = move >= 0 ? move : null
      const known = await analysis.recall(game.gameId, mistake.before)
      const better = known ? betterMoves(known.candidates, played, mistake.pointsLost).map(candidate => candidate.vertex) : [mistake.best]
      const start = place < MAX_DRAWN && played !== null ? await games.positionAt(mistake.before, game.gameId) : undefined
      mistakes.push({
        number: mistake.number, side: mistake.side, point: nameOf(played), loss: signedPoints(-mistake.pointsLost),
        better: listed(better.map((vertex, index) => `${LETTERS[index] ?? ''} ${nameOf(vertex)}`.trim())),
        diagram: start && makeDiagram({
          columns: game.width, rows: game.height, topology: game.topology, stones: start.stones, coordinates: 'letters',
          moves: [{ number: mistake.number, point: played, color: mistake.side === 'black' ? 1 : -1 }],
          marks: better.flatMap((point, index) => point === null ? [] : [{ point, shape: 'label' as const, label: LETTERS[index] ?? '' }]),
        }).svg,
      })
    }
    const visits = Math.max(0, ...points.map(point => point.value?.visits ?? 0))
    const { info } = game
    const page = reportPage({
      review, mistakes, leads: points.map(point => point.value?.blackScoreLead ?? undefined), points: signedPoints, percent,
      words: {
        language: i18n.global.locale.value, title: titleOf(game),
        facts: [info.event, info.place, info.date, t('game.komiIs', { komi: plainPoints(info.komi) }), resultWords(info.result, t)].filter(Boolean),
        black: playerName(info.black) || t('game.player.black'), white: playerName(info.white) || t('game.player.white'),
        accuracy: t('analysis.review.accuracy'), lost: t('analysis.review.lost'), mean: t('analysis.review.mean'),
        phases: { opening: t('analysis.review.phase.opening'), middle: t('analysis.review.phase.middle'), endgame: t('analysis.review.phase.endgame') },
        choices: {
          first: t('analysis.review.choice.first'), five: t('analysis.review.choice.five'),
          small: t('analysis.review.choice.small'), large: t('analysis.review.choice.large'), largest: t('analysis.review.choice.largest'),
        },
        mistakes: t('analysis.review.title'), move: t('analysis.graph.move'), player: t('game.players.title'), loss: t('analysis.column.loss'), better: t('analysis.review.better'), graph: t('analysis.graph.score'),
        source: t('analysis.review.source', { network: analysis.engine.network, visits: wholeNumber(visits) }),
      },
    })
    await games.saveContent(fileNameOf(game, '.html'), new Blob([page], { type: 'text/html' }))
  }

  return { saveReport }
}
