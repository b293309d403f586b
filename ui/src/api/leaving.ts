import type { Backend } from './backend'

/** Hears that a browser's page is about to go. It waits for nothing. */
export const leaveInBrowser: Backend['onLeave'] = (leave) => {
  const gone = (): void => { void leave(false) }
  // A phone ends a page that is not seen without another word.
  const hidden = (): void => { if (document.visibilityState === 'hidden') gone() }
  const events = ['beforeunload', 'pagehide'] as const
  for (const event of events) window.addEventListener(event, gone)
  document.addEventListener('visibilitychange', hidden)
  return () => {
    for (const event of events) window.removeEventListener(event, gone)
    document.removeEventListener('visibilitychange', hidden)
  }
}
