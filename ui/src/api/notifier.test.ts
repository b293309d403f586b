import { afterEach, expect, test, vi } from 'vitest'
import { browserNotifier } from './notifier'

afterEach(() => vi.unstubAllGlobals())

function browser(permission: NotificationPermission, secure = true) {
  const made: { title: string, body?: string | undefined }[] = []
  class Notices extends EventTarget {
    static permission = permission
    static requestPermission = vi.fn(() => Promise.resolve(permission))
    constructor(title: string, options: NotificationOptions) {
      super()
      made.push({ title, body: options.body })
    }
  }
  vi.stubGlobal('Notification', Notices)
  vi.stubGlobal('isSecureContext', secure)
  return { made, Notices }
}

test('a browser is asked only when it has to be, and shows what it allows', async () => {
  const { made, Notices } = browser('granted')
  const notifier = browserNotifier()!
  expect(Notices.requestPermission).not.toHaveBeenCalled()
  expect(await notifier.allowed()).toBe(true)
  notifier.show('Done', 'A game')
  expect(made).toEqual([{ title: 'Done', body: 'A game' }])
})

test('what was refused is not shown, and a page that is not secure has no notices', async () => {
  const { made } = browser('denied')
  const notifier = browserNotifier()!
  expect(await notifier.allowed()).toBe(false)
  notifier.show('Done', 'A game')
  expect(made).toEqual([])
  browser('granted', false)
  expect(browserNotifier()).toBeUndefined()
})
