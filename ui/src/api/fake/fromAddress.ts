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

/** A record with about so many nodes: a game of 300 moves with a long variation at each of them. */
function bushyRecord(nodes: number): string {
  const point = (move: number): string => String.fromCharCode(97 + move * 7 % 19, 97 + Math.floor(move * 7 / 19) % 19)
  const length = Math.max(1, Math.round(nodes / 300) - 1)
  const branch = (start: number): string => `(${Array.from({ length }, (_, step) => `;${(start + step) % 2 === 0 ? 'B' : 'W'}[]`).join('')})`
  let text = ''
  for (let move = 299; move >= 0; move--) text = `(;${move % 2 === 0 ? 'B' : 'W'}[${point(move)}]${text})${branch(move)}`
  return `(;SZ[19]PB[Many]PW[Branches]${text})`
}

/** The back end in memory as the page's address asks for it. */
export function fakeFromAddress(search: string): FakeBackend {
  const wishes = new URLSearchParams(search)
  const records = Number(wishes.get('records') ?? '240')
  const tree = Number(wishes.get('tree') ?? '0')
  // Whoever looks at the window alone has been welcomed, unless it is the welcome that is looked at: `?first`.
  const settings = wishes.has('first') ? {} : { window: '{"welcomed":true}' }
  return createFakeBackend({ records, settings, ...(tree > 0 ? { game: bushyRecord(tree) } : {}), ...STATES[wishes.get('state') ?? ''] })
}
