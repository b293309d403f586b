/** How often a connection is asked whether it still is one. */
const CHECK_MS = 15_000
/** How long it may be silent after that. */
const ANSWER_MS = 15_000
const MIN_WAIT_MS = 400
const MAX_WAIT_MS = 8000

export interface ReopeningOptions {
  /** The connection that is in use. */
  socket(): WebSocket | undefined
  open(): void
  /** Sends something that is answered soon. */
  ask(socket: WebSocket): void
  /** Forgets a connection that does not answer. */
  lost(): void
}

export interface Reopening {
  /** Something was received. */
  heard(): void
  /** Opens after a while, each time a longer one. */
  later(): void
  /** It stands: the next wait is short again. */
  settled(): void
  stop(): void
}

/**
 * Opens a connection again that was closed, or that a sleeping machine or a lost network has left standing, which tells nobody:
 * it is asked now and then, and when the network or the page comes back.
 */
export function reopening({ socket, open, ask, lost }: ReopeningOptions): Reopening {
  let silence: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let wait = MIN_WAIT_MS

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
      if (asked.bufferedAmount < unsent) return listen(asked)
      lost()
      // It is not waited for: closing could take as long again.
      asked.close()
      open()
    }, ANSWER_MS)
  }

  /** Opens at once what waits to be opened. */
  function hurry(): void {
    if (retry === undefined) return
    clearTimeout(retry)
    wait = MIN_WAIT_MS
    reopen()
  }

  function reopen(): void {
    retry = undefined
    open()
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
    later() {
      retry = setTimeout(reopen, wait)
      wait = Math.min(MAX_WAIT_MS, wait * 2)
    },
    settled() { wait = MIN_WAIT_MS },
    stop() {
      heard()
      clearTimeout(retry)
      clearInterval(checks)
      window.removeEventListener('online', check)
      document.removeEventListener('visibilitychange', awake)
    },
  }
}
