/** Where the browser keeps the token of the window, and that of somebody with an account. */
export const TOKEN_KEY = 'honinbo.token'
export const CLUB_TOKEN_KEY = 'honinbo.club'

/** Whether this browser came here with a token, now or before. */
export function hasToken(): boolean {
  return new URL(window.location.href).searchParams.has('token') || localStorage.getItem(TOKEN_KEY) !== null
}

/** The token of the window; empty where this browser has none. Whoever has it runs the server. */
export function windowToken(): string {
  return new URL(window.location.href).searchParams.get('token') ?? localStorage.getItem(TOKEN_KEY) ?? ''
}

/** The token of somebody with an account on this server; empty where nobody is logged in. */
export function clubToken(): string {
  return localStorage.getItem(CLUB_TOKEN_KEY) ?? ''
}
