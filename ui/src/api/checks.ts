/** How often a connection is asked whether it still is one. */
const CHECK_MS = 15_000
/** How long it may be silent after that. */
const ANSWER_MS = 15_000

export interface CheckOptions {
  /** The connection that is in use. */
  socket(): WebSocket | undefined
  /** Sends something that is answered soon. */
  ask(socket: WebSocket): void
  /** Goes on without a connection that does not answer. */
  abandon(): void
  /** Opens a lost connection at once where it waits to be opened again. */
  hurry(): void
}

/**
 * Asks a connection whether it still is one: now and then, and when the network or the page comes back. One that a sleeping
 * machine or a lost network has left standing tells nobody. Whatever is received is to be told by `heard`.
 */
export function checkConnection({ socket, ask, abandon, hurry }: CheckOptions): { heard(): void, stop(): void } {
  let silence: ReturnType<typeof setTimeout> | undefined

  function check(): void {
    const asked = socket()
    if (!asked) hurry()
    else if (asked.readyState === 1 && silence === undefined) {
      ask(asked)
      listen(asked)
    }
  }

  function listen(asked: WebSocket): void {
    const unsent = asked.bufferedAmount
    silence = setTimeout(() => {
      silence = undefined
      if (socket() !== asked) return
      // The question stands behind a large message that is still on its way.
      if (asked.bufferedAmount < unsent) listen(asked)
      else abandon()
    }, ANSWER_MS)
  }

  function heard(): void {
    clearTimeout(silence)
    silence = undefined
  }

  const checks = setInterval(check, CHECK_MS)
  const awake = (): void => { if (document.visibilityState === 'visible') check() }
  window.addEventListener('online', check)
  document.addEventListener('visibilitychange', awake)
  return {
    heard,
    stop() {
      heard()
      clearInterval(checks)
      window.removeEventListener('online', check)
      document.removeEventListener('visibilitychange', awake)
    },
  }
}
