import type { Fact, LeadView, Side, Vertex } from '@/api'
import { say } from '@/i18n'
import { plainPoints, wholeNumber, wholePercent } from '@/i18n/formats'
import { rankWords } from '@/i18n/ranks'

/** What a sentence is made of beside the fact. */
export interface FactWords {
  /** The move of the game, and the better one. */
  readonly played: string
  readonly better: string
  /** Whose move it was. */
  readonly player: Side
  readonly nameOf: (vertex: Vertex) => string
  readonly playerOf: (side: Side) => string
}

const about = (points: number): string => plainPoints(Math.max(1, Math.round(points)))

/** A fact as a sentence. */
export function sentenceOf(fact: Fact, { played, better, player, nameOf, playerOf }: FactWords): string {
  const other: Side = player === 'black' ? 'white' : 'black'
  const words = { played, better, player: playerOf(player), other: playerOf(other) }
  switch (fact.kind) {
    case 'taken': return say('lessons.fact.taken', { ...words, count: fact.stones, at: nameOf(fact.at), by: nameOf(fact.by) }, fact.stones)
    case 'ladder': return say('lessons.fact.ladder', { ...words, at: nameOf(fact.at), by: nameOf(fact.by) })
    case 'lost': return say('lessons.fact.lost', { ...words, count: fact.stones, at: nameOf(fact.at) }, fact.stones)
    case 'spared': return say('lessons.fact.spared', { ...words, count: fact.stones, at: nameOf(fact.at) }, fact.stones)
    case 'cut': return say('lessons.fact.cut', { ...words, by: nameOf(fact.by), one: nameOf(fact.one), next: nameOf(fact.other) })
    case 'area': return say(`lessons.fact.area.${fact.region}`, { ...words, count: fact.points })
    case 'sente': return say('lessons.fact.sente', { ...words, points: about(fact.threat) })
    case 'elsewhere': return say('lessons.fact.elsewhere', { ...words, reply: nameOf(fact.reply) })
    case 'lead': return leadWords(fact.before, fact.after, words, playerOf)
    case 'byRank': return rankShareWords(fact, words)
    case 'inLibrary': {
      const numbers = {
        ...words, most: nameOf(fact.most), games: wholeNumber(fact.games), count: wholeNumber(fact.count), own: wholeNumber(fact.played),
        black: wholeNumber(fact.blackWins), white: wholeNumber(fact.whiteWins),
      }
      if (numbers.most === played) return say('lessons.fact.inLibrary.same', numbers)
      return say(fact.played > 0 ? 'lessons.fact.inLibrary.other' : 'lessons.fact.inLibrary.none', numbers)
    }
  }
}

function rankShareWords(fact: Extract<Fact, { kind: 'byRank' }>, words: Readonly<Record<string, string>>): string {
  const isRare = (share: number): boolean => share < 0.01
  // Nobody is sure of all hundred.
  const ofHundred = (share: number): number => Math.min(99, Math.round(share * 100))
  const numbers = { ...words, rank: rankWords(fact.rank), share: ofHundred(fact.played), good: ofHundred(fact.better) }
  if (isRare(fact.played)) return say(isRare(fact.better) ? 'lessons.fact.byRank.bothRare' : 'lessons.fact.byRank.playedRare', numbers)
  return say(isRare(fact.better) ? 'lessons.fact.byRank.betterRare' : 'lessons.fact.byRank.shares', numbers)
}

function leadWords(before: LeadView, after: LeadView, words: Readonly<Record<string, string>>, playerOf: (side: Side) => string): string {
  const numbers = {
    ...words, leader: before.side ? playerOf(before.side) : '', now: after.side ? playerOf(after.side) : '',
    points: about(before.points), left: about(after.points), chance: wholePercent(before.chance), then: wholePercent(after.chance),
  }
  if (!before.side) return say('lessons.fact.lead.taken', { ...numbers, points: numbers.left })
  if (!after.side) return say('lessons.fact.lead.evened', numbers)
  return say(before.side === after.side ? 'lessons.fact.lead.kept' : 'lessons.fact.lead.turned', numbers)
}
