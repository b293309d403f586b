import type { ChatLine } from '@/api'

/** Lines of talk that are kept on the screen. */
export const MAX_LINES = 200

/** A line of the talk: what somebody said, or what happened. */
export interface TalkLine extends ChatLine { readonly id: number, readonly happened: boolean }

/** Whether the talk ends with what the server still knows of it: then nothing was missed, and the lines of this page stay. */
export function hasAllOf(talk: readonly TalkLine[], chat: readonly ChatLine[]): boolean {
  const said = talk.filter(line => !line.happened)
  // Of a full talk the first lines have gone.
  if (said.length < chat.length && talk.length < MAX_LINES) return false
  const both = Math.min(said.length, chat.length)
  const last = chat.slice(chat.length - both)
  return said.slice(said.length - both).every(({ name, text }, at) => {
    const known = last[at]
    return known?.name === name && known.text === text
  })
}
