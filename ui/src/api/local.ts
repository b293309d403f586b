import { shallowRef } from 'vue'
import type { Backend, Connection } from './backend'
import type { Settings } from './bindings'
import { browserFullScreen } from './fullScreen'
import { leaveInBrowser } from './leaving'
import { browserNotifier } from './notifier'

const SETTINGS_KEY = 'honinbo.settings'

/** What somebody chose in this browser before; what is damaged is nothing. */
export function localSettings(): Partial<Settings> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? kept : {}
  } catch {
    return {}
  }
}

/** What a window kept for itself, by name. */
function entries(window: string | undefined): object {
  try {
    const kept: unknown = JSON.parse(window || '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}

/** A back end for those who have none on the server: the browser keeps how things look, and everything else is refused. */
export function createLocalBackend(): Backend {
  return {
    connection: shallowRef<Connection>('connected'),
    run: shallowRef('here'),
    call(name, args) {
      if (name !== 'set_settings') return Promise.resolve({ status: 'error', error: { kind: 'refused', command: name, message: '' } })
      const change = args as Partial<Settings>
      const kept = { ...localSettings(), ...change, window: JSON.stringify({ ...entries(localSettings().window), ...entries(change.window) }) }
      localStorage.setItem(SETTINGS_KEY, JSON.stringify(kept))
      return Promise.resolve({ status: 'ok', data: null as never })
    },
    listen: () => () => undefined,
    chooseRecords: () => Promise.resolve([]),
    chooseRuntime: () => Promise.resolve(undefined),
    chooseSavePath: () => Promise.resolve(undefined),
    chooseBackup: () => Promise.resolve(undefined),
    onDrop: () => () => undefined,
    onUnread: () => () => undefined,
    onReading: () => () => undefined,
    onLeave: leaveInBrowser,
    setTitle(title) { document.title = title },
    fullScreen: browserFullScreen(),
    notifier: browserNotifier(),
  }
}
