import type { RecordSummary } from '@/api'
import { occasionTitle, playersTitle } from '@/features/game'
import { say } from '@/i18n'
import { dateSpan } from '@/i18n/formats'

/** What a record is called: as the person named it, else its players, else where and when it was played, and only then its file. */
export function recordTitle({ title, black, white, event, date, lastDate, source }: RecordSummary): string {
  return title || playersTitle(black, white) || occasionTitle(event, dateSpan(date, lastDate)) || fileNameOf(source) || say('game.untitled')
}

/** The last part of a path, also of one inside an archive. */
const fileNameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? ''
