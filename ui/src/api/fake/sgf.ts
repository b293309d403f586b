/** Just enough SGF for the back end in memory. */

export interface SgfNode { properties: Map<string, string[]>, children: SgfNode[] }

/** Reads the first game of a text; what is broken is reported and read as far as it goes. */
export function readSgf(text: string): { root: SgfNode, problems: { line: number, column: number, message: string }[] } {
  const problems: { line: number, column: number, message: string }[] = []
  const top: SgfNode = { properties: new Map(), children: [] }
  const starts: SgfNode[] = []
  let current = top
  let at = text.indexOf('(')
  const problem = (message: string): void => {
    const before = text.slice(0, at).split('\n')
    problems.push({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message })
  }
  if (at < 0) { at = 0; problem('there is no game in this text') }
  for (; at < text.length; at++) {
    const sign = text[at]
    if (sign === '(') starts.push(current)
    else if (sign === ')') {
      const back = starts.pop()
      if (!back) { problem('a bracket closes that was never opened'); break }
      current = back
      if (starts.length === 0) break
    } else if (sign === ';') {
      const node: SgfNode = { properties: new Map(), children: [] }
      current.children.push(node)
      current = node
    } else if (sign && /[A-Za-z]/.test(sign)) {
      let name = ''
      while (/[A-Za-z]/.test(text[at] ?? '')) name += text[at++]
      const values: string[] = []
      for (;;) {
        while (/\s/.test(text[at] ?? '')) at++
        if (text[at] !== '[') break
        let value = ''
        for (at++; at < text.length && text[at] !== ']'; at++) {
          if (text[at] === '\\') at++
          value += text[at] ?? ''
        }
        if (at >= text.length) problem(`the value of ${name} is never closed`)
        values.push(value)
        at++
      }
      at--
      current.properties.set(name.replace(/[a-z]/g, ''), values)
    }
  }
  if (starts.length > 0) problem('the game is never closed')
  return { root: top.children[0] ?? { properties: new Map([['SZ', ['19']]]), children: [] }, problems }
}

export function sgfPoint(value: string, width: number, height: number): number {
  if (value.length < 2 || (value === 'tt' && width <= 19)) return -1
  const x = value.charCodeAt(0) - 97
  const y = value.charCodeAt(1) - 97
  return x >= 0 && x < width && y >= 0 && y < height ? y * width + x : -3
}

export function sgfCoordinates(point: number, width: number): string {
  return point < 0 ? '' : String.fromCharCode(97 + point % width, 97 + Math.floor(point / width))
}
