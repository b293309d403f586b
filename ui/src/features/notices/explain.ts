import type { Failure } from '@/api'
import { say } from '@/i18n'

/** A failure in the person's words: what happened, and what to try. */
export interface Explanation {
  readonly title: string
  /** The back end's own sentence. */
  readonly detail: string
  readonly hint: string
}

/** The back end speaks in lower case and without a full stop, to be quoted; standing alone, its words are a sentence. */
export function asSentence(words: string): string {
  const text = words.trim()
  if (text === '') return ''
  const opened = text.charAt(0).toLocaleUpperCase() + text.slice(1)
  return /[.!?。！？…]$/.test(opened) ? opened : `${opened}.`
}

/** Puts a failure into words. */
export function explain(failure: Failure): Explanation {
  const { title, detail, hint } = inWords(failure)
  return { title, detail: asSentence(detail), hint: asSentence(hint) }
}

function inWords(failure: Failure): Explanation {
  switch (failure.kind) {
    case 'illegalMove':
      return { title: say(`error.illegal.${failure.reason}`), detail: '', hint: '' }
    case 'invalidBoard': case 'invalidRequest':
      return { title: say('error.invalidRequest.title'), detail: failure.message, hint: '' }
    case 'severalGames':
    case 'unreadableFile':
      return { title: say('error.unreadableFile.title', { file: failure.file || say('error.unreadableFile.pasted') }), detail: failure.message, hint: say('error.unreadableFile.hint') }
    case 'unwritableFile':
      return { title: say('error.unwritableFile.title', { file: failure.file }), detail: failure.message, hint: say('error.unwritableFile.hint') }
    case 'notFound':
      return { title: say('error.notFound.title'), detail: failure.message, hint: say('error.notFound.hint') }
    case 'engineUnavailable':
      return { title: say('error.engineUnavailable.title'), detail: failure.message, hint: failure.hint }
    case 'library':
      return { title: say('error.library.title'), detail: failure.message, hint: failure.hint }
    case 'cancelled':
      return { title: say('error.cancelled.title'), detail: '', hint: '' }
    case 'notPossibleHere':
      return { title: say('error.notPossibleHere.title'), detail: failure.message, hint: '' }
    case 'internal':
      return { title: say('error.internal.title'), detail: say('error.internal.detail', { report: failure.report }), hint: say('error.internal.hint') }
    case 'disconnected':
      return { title: say('error.disconnected.title'), detail: '', hint: say('error.disconnected.hint') }
    case 'refused':
      return { title: say('error.refused.title', { command: failure.command }), detail: failure.message, hint: say('error.refused.hint') }
  }
}
