import { invoke } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'
import { TauriEvent } from '@tauri-apps/api/event'
import { getCurrentWindow } from '@tauri-apps/api/window'
import { open, save } from '@tauri-apps/plugin-dialog'
import { shallowRef } from 'vue'
import { asFailure, type Answer, type Backend, type CommandName, type Commands, type Connection } from './backend'
import { FILE_KINDS, type Event } from './bindings'

/** The name under which the shell's one event type travels. */
const BACK_END_EVENT = 'back-end-event'

const RECORD_EXTENSIONS = FILE_KINDS.flatMap(kind => kind.extensions)

/** The back end inside the desktop window's own process. */
export function createTauriBackend(): Backend {
  return {
    connection: shallowRef<Connection>('connected'),
    // The back end ends with the window's process.
    run: shallowRef('here'),
    async call<Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Answer<Commands[Name][1]>> {
      try {
        return { status: 'ok', data: await invoke<Commands[Name][1]>(name, { args }) }
      } catch (error) {
        return { status: 'error', error: asFailure(name, error) }
      }
    },
    listen(listener) {
      return untilStopped(listen<Event>(BACK_END_EVENT, event => listener(event.payload)))
    },
    async chooseRecords({ multiple, folder = false }) {
      const paths = await open(folder
        ? { directory: true, multiple }
        : { multiple, filters: [{ name: FILE_KINDS.map(kind => kind.name).join(', '), extensions: RECORD_EXTENSIONS }, { name: '*', extensions: ['*'] }] })
      const list = paths === null ? [] : Array.isArray(paths) ? paths : [paths]
      return list.map(path => ({ kind: 'path', path }))
    },
    async chooseRuntime() {
      // A library with its version at the end of its name has no ending that a filter knows.
      return await open({ multiple: false, filters: [{ name: '*', extensions: ['*'] }, { name: 'ONNX Runtime', extensions: ['whl', 'so', 'dll', 'dylib'] }] }) ?? undefined
    },
    async chooseSavePath(fileName) {
      const extension = /\.([a-z]+)$/i.exec(fileName)?.[1] ?? 'sgf'
      return await save({ defaultPath: fileName, filters: [{ name: extension.toUpperCase(), extensions: [extension] }] }) ?? undefined
    },
    async chooseBackup() {
      const filters = [{ name: 'SQLITE', extensions: ['sqlite'] }, { name: '*', extensions: ['*'] }]
      return await open({ multiple: false, filters }) ?? undefined
    },
    onDrop({ over, drop }) {
      const stops = [
        untilStopped(listen(TauriEvent.DRAG_ENTER, () => over(true))),
        untilStopped(listen(TauriEvent.DRAG_LEAVE, () => over(false))),
        untilStopped(listen<{ paths: string[] }>(TauriEvent.DRAG_DROP, (event) => {
          over(false)
          drop(event.payload.paths.map(path => ({ kind: 'path', path })))
        })),
      ]
      return () => { for (const stop of stops) stop() }
    },
    // Paths are read by the back end.
    onUnread: () => () => undefined,
    onReading: () => () => undefined,
    onLeave(leave) {
      // The window is closed by the page once this is done, or by the shell where that takes too long.
      return untilStopped(getCurrentWindow().onCloseRequested(async () => { await leave(true) }))
    },
    setTitle(title) {
      document.title = title
      // Without the permission the window keeps its old name, which harms nobody.
      getCurrentWindow().setTitle(title).catch(() => undefined)
    },
    async fullScreen() {
      const here = getCurrentWindow()
      await here.setFullscreen(!await here.isFullscreen())
    },
    notifier: {
      // The system itself has the last word, in its own settings, and says nothing of it.
      allowed: () => Promise.resolve(true),
      show: (title, body) => void invoke('plugin:notification|notify', { options: { title, body } }).catch(() => undefined),
    },
  }
}

/** A way to stop that works even before the listening has begun. */
function untilStopped(starting: Promise<() => void>): () => void {
  let stopped = false
  let stop: (() => void) | undefined
  starting.then((end) => { if (stopped) end(); else stop = end }, () => undefined)
  return () => { stopped = true; stop?.() }
}
