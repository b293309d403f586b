import type { Ref } from 'vue'
import type * as wire from './bindings'
import type { Commands } from './bindings'

/** A point's index, row by row from the top left; null is a pass. */
export type Vertex = number | null

export type { Commands } from './bindings'
export type CommandName = keyof Commands

/** Why a call brought nothing: what the back end says, or that it could not be asked at all. */
export type Failure =
  | wire.ApiError
  /** The connection was lost before the answer came. */
  | { kind: 'disconnected' }
  /** The shell or the server refused the command itself. */
  | { kind: 'refused', command: string, message: string }

export type Answer<T> = { status: 'ok', data: T } | { status: 'error', error: Failure }

/** `closed` is for good: a browser without the right token. */
export type Connection = 'connecting' | 'connected' | 'lost' | 'closed'

/** A record that the person chose: by its place on the back end's disk, or by its content. */
export type ChosenFile = { kind: 'path', path: string } | { kind: 'content', name: string, base64: string }

/** A chosen or dropped file that did not come: a folder or a file that has gone, or one that is too large to be sent. */
export interface UnreadFile { readonly name: string, readonly why: 'unreadable' | 'tooLarge' }

/** How many of the chosen or dropped files have been read. */
export interface FilesRead { readonly done: number, readonly total: number }

/** The one door to the back end. Nothing outside this folder knows Tauri or a socket. */
export interface Backend {
  readonly connection: Readonly<Ref<Connection>>
  /** Names this run of the back end, empty until it is known: games are other ones under the same names once it is started again. */
  readonly run: Readonly<Ref<string>>
  call<Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Answer<Commands[Name][1]>>
  /** Hears every event of the back end; call the answer to stop. */
  listen(listener: (event: wire.Event) => void): () => void
  /** Lets the person choose records; empty when nothing was chosen. */
  chooseRecords(options: { multiple: boolean, folder?: boolean }): Promise<ChosenFile[]>
  /** Lets the person choose an ONNX Runtime library; undefined when nothing was chosen or when the host has no dialogs. */
  chooseRuntime(): Promise<string | undefined>
  /** Lets the person choose where to save; undefined when nothing was chosen or when the host has no dialogs. */
  chooseSavePath(fileName: string): Promise<string | undefined>
  /** Lets the person choose a backup of the library; undefined when none was chosen or when the host has no dialogs. */
  chooseBackup(): Promise<string | undefined>
  /** Hears files that are dropped on the window; `over` says that they hang above it. */
  onDrop(handler: { over: (hanging: boolean) => void, drop: (files: ChosenFile[]) => void }): () => void
  /** Hears of files that were chosen or dropped and could not be read here. */
  onUnread(listener: (files: readonly UnreadFile[]) => void): () => void
  /** Hears how far the reading of chosen or dropped files is; undefined at its end. */
  onReading(listener: (reading: FilesRead | undefined) => void): () => void
  /** Hears that the window is about to go. Where it can wait, it does until the answer is there, for a moment at most; a page cannot. */
  onLeave(leave: (waits: boolean) => Promise<unknown>): () => void
  /** Names the window, where windows have names. */
  setTitle(title: string): void
  /** Gives the window the whole screen, or takes it away again; undefined where the host cannot. */
  readonly fullScreen: (() => Promise<void>) | undefined
  /** Tells the person something while they look elsewhere; undefined where the host has no way to. */
  readonly notifier: Notifier | undefined
}

/** The system's own notices, outside the window. */
export interface Notifier {
  /** Whether notices are allowed; the person is asked where nobody was before. Called only when they turn them on. */
  allowed(): Promise<boolean>
  show(title: string, body: string): void
}

const ERROR_KINDS = new Set<string>([
  'illegalMove', 'invalidBoard', 'invalidRequest', 'unreadableFile', 'unwritableFile', 'severalGames', 'notFound', 'engineUnavailable', 'library', 'damagedLibrary', 'cancelled',
  'notPossibleHere', 'internal',
])

/** Tells a typed error from whatever else may arrive in its place (a refused permission comes as a bare string). */
export function asFailure(command: string, value: unknown): Failure {
  if (typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string' && ERROR_KINDS.has(value.kind)) {
    return value as Failure
  }
  const message = typeof value === 'string' ? value : value instanceof Error ? value.message : JSON.stringify(value)
  return { kind: 'refused', command, message }
}
