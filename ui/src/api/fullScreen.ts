import type { Backend } from './backend'

/** A browser's page takes the whole screen, or gives it back; undefined where pages cannot, as on phones. */
export function browserFullScreen(): Backend['fullScreen'] {
  if (!document.fullscreenEnabled) return undefined
  // Refused where it does not come from a key or a click: then the window stays as it is.
  return () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined)
}
