import { join } from 'node:path'
import { createPinia, setActivePinia } from 'pinia'
import { inject } from 'vitest'
import { createApp, type App } from 'vue'
import famousGame from '../../../tests/fixtures/games/ear-reddening-1846.sgf?raw'
import { provideBackend, toBase64, type Answer, type CommandName, type Commands, type RecordSummary, type Settings } from '@/api'
import { i18n } from '@/i18n'
import { openControl, type Control, type Wishes } from './program.mjs'
import { openTransport, type Transport } from './transport'

export { recordOf, someRecords } from './records'

/** The command line of an engine that speaks GTP and always begins at E5. */
export const ENGINE = `"${process.execPath}" "${join(import.meta.dirname, 'engine.mjs')}"`

export interface AppOptions extends Wishes {
  /** The record that is open when the window starts, at its move `at`; without one none is. */
  readonly game?: string | undefined
  readonly at?: number
  /** Records in the library, as one text. */
  readonly records?: string
  /** What the person chose before. */
  readonly settings?: Partial<Settings>
}

export interface TestBackend extends Transport {
  /** The app's data folder. */
  readonly dataDir: string
  /** Moves the clock of the back end on. */
  advance(milliseconds: number): Promise<void>
  /** How many more positions are evaluated; null for all. */
  allow(positions: number | null): Promise<void>
  /** Another window on the same app. */
  another(): Transport
  /** The program ends and is started again. */
  restart(): Promise<void>
}

/** Shusaku against Gennan Inseki, 1846: the record of the first start. */
export const FAMOUS = famousGame

const open: { end(): void }[] = []

/** Ends what a test has opened. */
export function endApps(): void {
  for (const one of open.splice(0)) one.end()
}

function ok<T>(answer: Answer<T>): T {
  if (answer.status === 'error') throw new Error(`a preparation failed: ${JSON.stringify(answer.error)}`)
  return answer.data
}

const encoded = (text: string): string => toBase64(new TextEncoder().encode(text))

/** The records of the library, the first ones by their date. */
export async function recordsOf(backend: Pick<Transport, 'call'>): Promise<RecordSummary[]> {
  return ok(await backend.call('search_records', { text: '', sort: 'date', descending: false, offset: 0, limit: 500 })).records
}

/** Does what the options wish by commands, as a person before this window would have. */
async function prepare(transport: Transport, { game, at, records, network = true, settings }: AppOptions): Promise<void> {
  const must = async <Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Commands[Name][1]> => ok(await transport.call(name, args))
  // The network that comes with the program may be in the development tree: no test waits for that one.
  const wanted = network ? settings : { network: 'missing.bin.gz', ...settings }
  if (wanted) await must('set_settings', { ...(await must('startup', {})).settings, ...wanted })
  if (records) {
    let finished = false
    const deaf = transport.listen((event) => { if (event.event === 'import' && event.payload.finished) finished = true })
    await must('import_content', { name: 'records.sgf', base64: encoded(records), batch: 0, remaining: 0 })
    await transport.until(() => finished)
    deaf()
  }
  if (game !== undefined) {
    const view = await must('open_content', { name: 'game.sgf', base64: encoded(game) })
    if (at !== undefined) await must('go_to', { gameId: view.gameId, nodeId: view.position.line[at] ?? 0 })
  }
}

/** An app with stores on the real back end, of which this test is the only user. */
export async function startApp(options: AppOptions = {}): Promise<{ app: App, backend: TestBackend }> {
  const { files = {}, paths = false, network = true } = options
  const control: Control = await openControl(inject('testServer'), { files, paths, network })
  open.push(control)
  let { url } = control
  const connected = (): Transport => {
    const transport = openTransport(() => url)
    open.push(transport)
    return transport
  }
  const hands = connected()
  await prepare(hands, options)
  hands.end()
  const transport = connected()
  const backend: TestBackend = {
    ...transport,
    dataDir: control.dataDir,
    async advance(milliseconds) { await control.ask({ advance: milliseconds }) },
    async allow(positions) { await control.ask({ allow: positions }) },
    another: connected,
    async restart() {
      const answer = await control.ask({ restart: {} }) as { url: string }
      url = answer.url
      transport.drop()
    },
  }
  await backend.until(() => backend.connection.value === 'connected')

  const app = createApp({ render: () => null })
  provideBackend(app, backend)
  const pinia = createPinia()
  app.use(pinia)
  app.use(i18n)
  setActivePinia(pinia)
  return { app, backend }
}
