import { createFakeBackend, type FakeBackend, type FakeOptions } from './index'

/** States that are hard to come by, for looking at them: `?state=noEngine`. */
const STATES: Record<string, FakeOptions> = {
  noEngine: {
    engine: { state: { kind: 'failed', message: 'the file networks/b18.bin.gz ends in the middle of block 7', hint: 'fetch it again with honinbo net fetch' }, network: '', device: '' },
    failures: { set_analysis: { kind: 'engineUnavailable', message: 'the file networks/b18.bin.gz ends in the middle of block 7', hint: 'fetch it again with honinbo net fetch' } },
  },
  loading: { engine: { state: { kind: 'loading' }, network: '', device: '', evaluationsPerSecond: 0 }, reportEveryMs: 0 },
  noLibrary: { failures: { search_records: { kind: 'library', message: 'library.sqlite was written by a newer version (9, this one knows 4)', hint: 'update Honinbo, or choose another data folder' } } },
  empty: { records: 0, withGame: false },
  slow: { delayMs: 1500 },
  noStart: { failures: { startup: { kind: 'internal', report: '4f2a-11' } } },
}

/** The back end in memory as the page's address asks for it. */
export function fakeFromAddress(search: string): FakeBackend {
  const wishes = new URLSearchParams(search)
  const records = Number(wishes.get('records') ?? '240')
  return createFakeBackend({ records, ...STATES[wishes.get('state') ?? ''] })
}
