import type { ClubFailure } from '@/api'
import { i18n, say, type MessageKey } from '@/i18n'

/** A refusal in words: those of the language, or the server's own sentence. */
export function failureWords({ kind, message, retryAfter }: ClubFailure): string {
  const key = `club.failure.${kind}`
  const seconds = retryAfter ?? 60
  return i18n.global.te(key, 'en') ? say(key as MessageKey, { seconds }, seconds) : message || say('club.failure.refused')
}
