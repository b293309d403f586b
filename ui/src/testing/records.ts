/** A number in 0..1 that belongs to its seeds. */
function chance(...seeds: number[]): number {
  let mixed = 0x811c9dc5
  for (const seed of seeds) {
    mixed = Math.imul(mixed ^ seed, 0x01000193)
    mixed ^= mixed >>> 13
    mixed = Math.imul(mixed, 0x5bd1e995)
  }
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296
}

const NAMES = ['Shusaku', '柯洁', '古力', 'Cho Chikun', 'Go Seigen', '芈昱廷', '조훈현', '이창호', 'Takemiya Masaki', '聂卫平', '大竹英雄', 'Otake Hideo']
const EVENTS = ['Castle game', '名人戰', 'LG杯', 'Honinbo title match', 'Ing Cup', '天元戰', 'Jubango', '']

function record(index: number, moves: number): string {
  const pick = (list: readonly string[], seed: number): string => list[Math.floor(chance(index, seed) * list.length)] ?? ''
  const number = (seed: number, from: number, to: number): number => from + Math.floor(chance(index, seed) * (to - from + 1))
  const two = (value: number): string => String(value).padStart(2, '0')
  const black = pick(NAMES, 1)
  const white = pick(NAMES.filter(name => name !== black), 2)
  const points = Array.from({ length: 361 }, (_, point) => point).sort((a, b) => chance(index, a, 13) - chance(index, b, 13)).slice(0, moves)
  const played = points.map((point, move) => `;${move % 2 === 0 ? 'B' : 'W'}[${String.fromCharCode(97 + point % 19, 97 + Math.floor(point / 19))}]`)
  const result = `${chance(index, 9) > 0.5 ? 'B' : 'W'}+${chance(index, 10) > 0.5 ? 'R' : '2.5'}`
  return `(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]PB[${black}]BR[${number(3, 1, 9)}p]PW[${white}]WR[${number(4, 1, 9)}p]EV[${pick(EVENTS, 5)}]`
    + `DT[${number(6, 1930, 2019)}-${two(number(7, 1, 12))}-${two(number(8, 1, 28))}]RE[${result}]${played.join('')})`
}

/** A collection of so many games between a dozen players; always the same. */
export function someRecords(count: number, moves = 6): string {
  return Array.from({ length: count }, (_, index) => record(index, moves)).join('\n')
}

/** A record with these properties, which begins as given and goes on in a way of its own. */
export function recordOf(properties: Record<string, string>, moves: readonly string[] = []): string {
  const head = Object.entries({ GM: '1', FF: '4', CA: 'UTF-8', SZ: '19', ...properties }).map(([name, value]) => `${name}[${value}]`).join('')
  return `(;${head}${moves.map((move, index) => `;${index % 2 === 0 ? 'B' : 'W'}[${move}]`).join('')})`
}
