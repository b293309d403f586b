import type { RecordSummary } from '@/api'
import { occasionTitle, playersTitle } from '@/features/game'
import { say } from '@/i18n'

/** What a record is called: as the person named it, else its players, else where and when it was played, and only then its file. */
export function recordTitle({ title, black, white, event, date, source }: RecordSummary): string {
  return title || playersTitle(black, white) || occasionTitle(event, date) || fileNameOf(source) || say('game.untitled')
}

/** The last part of a path, also of one inside an archive. */
const fileNameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? ''
