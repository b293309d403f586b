import type { Failure } from '@/api'
import { say } from '@/i18n'
import { problemInWords } from './problems'

/** A failure in the person's words: what happened, and what to try. */
export interface Explanation {
  readonly title: string
  readonly detail: string
  /** The back end's own sentence, which is English in every language of the window. */
  readonly quoted: string
  readonly hint: string
}

/** The back end speaks in lower case and without a full stop, to be quoted; standing alone, its words are a sentence. */
export function asSentence(words: string): string {
  const text = words.trim()
  if (text === '') return ''
  // An address is written as it is.
  const opened = /^[a-z]+:\/\//.test(text) ? text : text.charAt(0).toLocaleUpperCase() + text.slice(1)
  return /[.!?。！？…]$/.test(opened) ? opened : `${opened}.`
}

/** A title as a sentence before another one. It begins as it is: what stands first may be the name of a file. */
export const ended = (title: string): string => /[.!?。！？…]$/.test(title) ? title : title + say('format.fullStop')

const sentences = (...words: string[]): string => words.map(asSentence).filter(Boolean).join(' ')

/** Puts a failure into words. */
export function explain(failure: Failure): Explanation {
  const { title, detail = '', quoted = '', hint = '' } = inWords(failure)
  return { title, detail, quoted, hint }
}

function inWords(failure: Failure): Partial<Explanation> & Pick<Explanation, 'title'> {
  switch (failure.kind) {
    case 'illegalMove':
      return { title: say(`error.illegal.${failure.reason}`) }
    case 'invalidBoard': case 'invalidRequest':
      return { title: say('error.invalidRequest.title'), quoted: asSentence(failure.message) }
    case 'severalGames':
      return { title: say('error.unreadableFile.title', { file: failure.file || say('error.unreadableFile.pasted') }), quoted: asSentence(failure.message) }
    case 'unreadableFile':
      return {
        title: say('error.unreadableFile.title', { file: failure.file || say('error.unreadableFile.pasted') }),
        ...(failure.problem ? { detail: problemInWords(failure.problem, say) } : { quoted: asSentence(failure.message) }),
        hint: say('error.unreadableFile.hint'),
      }
    case 'unwritableFile':
      return { title: say('error.unwritableFile.title', { file: failure.file }), quoted: asSentence(failure.message), hint: say('error.unwritableFile.hint') }
    case 'notFound':
      return { title: say('error.notFound.title'), quoted: asSentence(failure.message), hint: say('error.notFound.hint') }
    case 'engineUnavailable':
      return { title: say('error.engineUnavailable.title'), quoted: sentences(failure.message, failure.hint) }
    case 'library':
      return { title: say('error.library.title'), quoted: sentences(failure.message, failure.hint) }
    // The back end's hint is for a terminal.
    case 'damagedLibrary':
      return { title: say('error.damagedLibrary.title'), quoted: asSentence(failure.message), hint: say('error.damagedLibrary.hint') }
    case 'cancelled':
      return { title: say('error.cancelled.title') }
    case 'notPossibleHere':
      return { title: say('error.notPossibleHere.title'), quoted: asSentence(failure.message) }
    case 'internal':
      return { title: say('error.internal.title'), detail: say('error.internal.detail', { report: failure.report }), hint: say('error.internal.hint') }
    case 'disconnected':
      return { title: say('error.disconnected.title'), hint: say('error.disconnected.hint') }
    case 'refused':
      return { title: say('error.refused.title', { command: failure.command }), quoted: asSentence(failure.message), hint: say('error.refused.hint') }
  }
}
