import { onScopeDispose, shallowRef, type ShallowRef } from 'vue'
import { CLUB_HASH } from '@/api'

/** What the page shows. */
export type Place =
  | { readonly name: 'lobby' }
  | { readonly name: 'server' }
  /** Back from the provider: to come in, or with the account to link. */
  | { readonly name: 'sign-in' }
  | { readonly name: 'link' }
  /** Back from the provider, where somebody has logged out. */
  | { readonly name: 'logged-out' }
  /** To make an account with a code of whoever runs the server. */
  | { readonly name: 'invitation', readonly code: string }
  | { readonly name: 'room', readonly room: string, readonly watch: boolean }
  | { readonly name: 'lesson', readonly lesson: string }
  | { readonly name: 'game', readonly game: number }
  | { readonly name: 'tournament', readonly tournament: number }

/** Reads the part of the address that begins with `#`; what is none of ours is the lobby. */
export function readPlace(hash: string): Place {
  if (!hash.startsWith(CLUB_HASH)) return { name: 'lobby' }
  const [, kind, rest, more] = hash.slice(CLUB_HASH.length).split('/')
  if (kind === 'server' || kind === 'sign-in' || kind === 'link' || kind === 'logged-out') return { name: kind }
  if (kind === undefined || rest === undefined || rest === '') return { name: 'lobby' }
  if (kind === 'game' || kind === 'tournament') {
    const number = Number(rest)
    if (!Number.isSafeInteger(number) || number <= 0) return { name: 'lobby' }
    return kind === 'game' ? { name: 'game', game: number } : { name: 'tournament', tournament: number }
  }
  if (kind === 'invitation') return /^[\da-f]{64}$/.test(rest) ? { name: 'invitation', code: rest } : { name: 'lobby' }
  if (kind === 'lesson') return /^\d{8}$/.test(rest) ? { name: 'lesson', lesson: rest } : { name: 'lobby' }
  try {
    return kind === 'room' ? { name: 'room', room: decodeURIComponent(rest), watch: more === 'watch' } : { name: 'lobby' }
  } catch {
    return { name: 'lobby' }
  }
}

export function hashOf(place: Place): string {
  switch (place.name) {
    case 'lobby': return CLUB_HASH
    case 'server':
    case 'sign-in':
    case 'link':
    case 'logged-out': return `${CLUB_HASH}/${place.name}`
    case 'room': return `${CLUB_HASH}/room/${encodeURIComponent(place.room)}${place.watch ? '/watch' : ''}`
    case 'lesson': return `${CLUB_HASH}/lesson/${place.lesson}`
    case 'invitation': return `${CLUB_HASH}/invitation/${place.code}`
    case 'game': return `${CLUB_HASH}/game/${place.game}`
    case 'tournament': return `${CLUB_HASH}/tournament/${place.tournament}`
  }
}

/** The address of a room to send to somebody. */
export function linkTo(room: string): string {
  return addressOf({ name: 'room', room, watch: false })
}

/** The address at which somebody makes an account with this code, to send to that person alone. */
export function invitationLink(code: string): string {
  return addressOf({ name: 'invitation', code })
}

function addressOf(place: Place): string {
  const address = new URL(window.location.href)
  address.search = ''
  address.hash = hashOf(place)
  return address.href
}

/** The number of a room in what somebody typed or pasted: the number itself, with blanks or dashes, or a link. */
export function roomIn(text: string): string | undefined {
  const lesson = text.indexOf(`${CLUB_HASH}/lesson/`)
  if (lesson >= 0) {
    const place = readPlace(text.slice(lesson).trim())
    return place.name === 'lesson' ? place.lesson : undefined
  }
  const link = text.indexOf(`${CLUB_HASH}/room/`)
  if (link >= 0) {
    const place = readPlace(text.slice(link).trim())
    return place.name === 'room' ? place.room : undefined
  }
  const typed = text.replaceAll(/[\s-]/g, '')
  return /^\d{8}$/.test(typed) || /^ai_\w+$/.test(typed) ? typed : undefined
}

/** Where the page is; going back in the browser goes back. */
export function usePlace(): { place: Readonly<ShallowRef<Place>>, go: (place: Place) => void } {
  const place = shallowRef(readPlace(window.location.hash))
  const read = (): void => { place.value = readPlace(window.location.hash) }
  window.addEventListener('hashchange', read)
  onScopeDispose(() => window.removeEventListener('hashchange', read))
  return { place, go: (next) => { window.location.hash = hashOf(next) } }
}
