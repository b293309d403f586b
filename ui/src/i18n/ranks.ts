import { say } from './index'

/** A rank as records write it (`9d`, `5 kyu`) in the words of the window's language; anything else, such as `9p`, as it is. */
export function rankWords(rank: string): string {
  const [, figure, unit] = /^(\d{1,2}) ?(k|d|kyu|dan)$/i.exec(rank.trim()) ?? []
  if (figure === undefined) return rank
  return say(unit?.toLowerCase().startsWith('k') ? 'play.rank.kyu' : 'play.rank.dan', { rank: figure })
}
