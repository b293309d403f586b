/** How an app is to be before it starts. */
export interface Wishes {
  /** Files in the data folder, by name. */
  readonly files?: Record<string, string>
  /** Whether paths of this disk may be opened and saved, as in the window of the desktop. */
  readonly paths?: boolean
  /** Whether the made-up evaluator answers; otherwise there is no network. */
  readonly network?: boolean
  /** Whether the built interface is served beside its WebSocket, for a browser. */
  readonly page?: boolean
}

/** An app of the test server: it lives as long as this connection. */
export interface Control {
  readonly url: string
  readonly dataDir: string
  ask(request: unknown): Promise<unknown>
  end(): void
}

/** Builds and starts the back end that all tests share. */
export function startTestServer(): Promise<{ readonly port: number, end(): Promise<void> }>

/** Has the test server start an app with an empty data folder. */
export function openControl(port: number, wishes: Wishes): Promise<Control>
