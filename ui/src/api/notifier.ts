import type { Notifier } from './backend'

/** A browser's notices. There are none on a page that is not secure, such as one that another machine serves without TLS. */
export function browserNotifier(): Notifier | undefined {
  if (!('Notification' in window) || !window.isSecureContext) return undefined
  return {
    allowed: async () => await Notification.requestPermission() === 'granted',
    show(title, body) {
      if (Notification.permission !== 'granted') return
      try {
        // A later notice takes the place of an earlier one that nobody has seen.
        const notice = new Notification(title, { body, tag: 'honinbo', icon: '/icon-192.png' })
        notice.addEventListener('click', () => {
          window.focus()
          notice.close()
        })
      } catch {
        // Browsers of phones have the name and refuse to show one.
      }
    },
  }
}
