import { say } from './index'
import { rankWords } from './ranks'

const LEVELS = new Set(['easy', 'medium', 'hard', 'expert', 'custom'])

/** What an opponent is called in the language of the window: levels, pupils and ranks have words, networks and engines their names. */
export function opponentName(id: string): string {
  if (LEVELS.has(id)) return say(`play.level.${id as 'easy'}`)
  const [, network] = /^network:(.+?)(?:\.(?:bin|txt)\.gz)?$/.exec(id) ?? []
  if (network !== undefined) return network
  const [, step] = /^pupil_(\d)$/.exec(id) ?? []
  if (step !== undefined) return say('play.pupil', { step })
  const [, rank] = /^rank_(\d+[kd])/.exec(id) ?? []
  return rank === undefined ? id : rankWords(rank)
}

/** What a player of a record is called. Records name the program's own opponents in English in every language, as `Honinbo pupil 1`. */
export function playerName(name: string): string {
  const [, own] = /^Honinbo (easy|medium|hard|expert|custom|pupil [1-5]|\d{1,2}[kd])$/.exec(name) ?? []
  if (own === undefined) return name
  return opponentName(/^\d/.test(own) ? `rank_${own}` : own.replace(' ', '_'))
}
