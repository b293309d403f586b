import type { RecordProblem } from '@/api'
import type { Say } from '@/i18n'

/** What was wrong with a record, and what was done about it, as a sentence. */
export function problemInWords(problem: RecordProblem, t: Say): string {
  const [a = '', b = ''] = problem.values
  return t(`game.diagnostics.problem.${problem.kind}`, { a, b })
}
