'use strict'
{
  const { words, exercises } = JSON.parse(document.getElementById('booklet').textContent)
  const SVG = 'http://www.w3.org/2000/svg'
  const main = document.querySelector('main')
  const make = (tag, text, kind) => { const node = document.createElement(tag); node.textContent = text; if (kind) node.className = kind; return node }
  const draw = (parent, tag, attributes, text) => { const node = document.createElementNS(SVG, tag); for (const name in attributes) node.setAttribute(name, attributes[name]); if (text !== undefined) node.textContent = text; parent.append(node); return node }
  let number = 0
  let level, stones, line, cursor, ended
  const head = make('h2', '')
  const heading = make('p', '', 'soft')
  const text = make('p', '', 'soft')
  const says = make('p', '', 'says')
  says.setAttribute('role', 'status')
  const board = document.createElementNS(SVG, 'svg')
  board.setAttribute('tabindex', '0')
  board.setAttribute('role', 'application')
  const bar = make('div', '', 'bar')
  const button = (name, act) => { const node = make('button', name); node.type = 'button'; node.onclick = act; bar.append(node); return node }
  const before = button(words.previous, () => go(number - 1))
  const after = button(words.next, () => go(number + 1))
  button(words.again, () => go(number))
  button(words.show, show)
  main.append(head, heading, text, board, says, bar, make('p', words.keys, 'soft'))
  const exercise = () => exercises[number]
  const name = (at) => exercise().columns[at % exercise().width] + (exercise().height - Math.floor(at / exercise().width))

  function go(to) {
    if (to < 0 || to >= exercises.length) return
    number = to
    const asked = exercise()
    level = asked.tries
    stones = asked.stones
    line = []
    ended = false
    const [left, top, right, bottom] = asked.window
    cursor = Math.floor((top + bottom) / 2) * asked.width + Math.floor((left + right) / 2)
    head.textContent = [`${number + 1} / ${exercises.length}`, asked.black ? words.blackToPlay : words.whiteToPlay, asked.joined].filter(Boolean).join(' · ')
    heading.textContent = asked.heading
    text.textContent = asked.text
    before.disabled = number === 0
    after.disabled = number === exercises.length - 1
    say('', '')
    paint()
  }
  function say(sentence, kind) {
    says.textContent = sentence
    says.className = `says ${kind}`
  }
  function take(tried) {
    stones = tried.stones
    level = tried.next
    line.push(tried.at)
  }
  function play(at) {
    if (ended || stones[at] !== '.') return
    const tried = level.find(one => one.at === at)
    if (!tried) return say(`${name(at)}: ${words.unknown}`, '')
    take(tried)
    let [moves, comment] = [name(at), tried.text]
    if (level.length > 0) {
      const answer = level[0]
      take(answer)
      if (answer.at < 0) moves += `, ${words.pass}`
      comment = answer.text || comment
    }
    if (!tried.right) { ended = true; say(`${moves}: ${words.wrong} ${comment}`, 'bad') }
    else if (level.length === 0) { ended = true; say(`${moves}: ${words.right} ${comment}`, 'good') }
    else say(`${moves} ${comment}`, '')
    paint()
  }
  function show() {
    go(number)
    let own = true
    for (let found = level.find(one => one.right); found; found = own ? level.find(one => one.right) : level[0]) {
      take(found)
      own = !own
    }
    ended = true
    const played = exercise().played
    say([line.map((at, index) => `${index + 1} ${at < 0 ? words.pass : name(at)}`).join(', '), played === null ? '' : words.inTheGame.replace('×', played < 0 ? words.pass : name(played))].filter(Boolean).join(' — '), '')
    paint()
  }
  function paint() {
    const { width, window: [left, top, right, bottom], edges: [endsLeft, endsRight, endsTop, endsBottom], stars, black, played } = exercise()
    const cell = 24
    board.replaceChildren()
    board.setAttribute('viewBox', `${left * cell - 12} ${top * cell - 12} ${(right - left + 2) * cell} ${(bottom - top + 2) * cell}`)
    board.setAttribute('aria-label', `${words.board}: ${name(cursor)} ${{ x: '●', o: '○', '.': '' }[stones[cursor]]}`)
    draw(board, 'rect', { x: left * cell - 12, y: top * cell - 12, width: (right - left + 2) * cell, height: (bottom - top + 2) * cell, fill: 'var(--wood)' })
    const x = at => (at % width + 0.5) * cell + 0
    const y = at => (Math.floor(at / width) + 0.5) * cell
    let path = ''
    const from = (edge, low) => edge ? low : low - 0.5
    for (let column = left; column <= right; column++) path += `M${(column + 0.5) * cell} ${(from(endsTop, top) + 0.5) * cell}V${(bottom + (endsBottom ? 0.5 : 1)) * cell}`
    for (let row = top; row <= bottom; row++) path += `M${(from(endsLeft, left) + 0.5) * cell} ${(row + 0.5) * cell}H${(right + (endsRight ? 0.5 : 1)) * cell}`
    draw(board, 'path', { d: path, stroke: 'var(--line)', fill: 'none' })
    const inside = at => at % width >= left && at % width <= right && Math.floor(at / width) >= top && Math.floor(at / width) <= bottom
    for (const star of stars) if (inside(star)) draw(board, 'circle', { cx: x(star), cy: y(star), r: 2.5, fill: 'var(--line)' })
    for (let at = 0; at < stones.length; at++) {
      if (stones[at] === '.' || !inside(at)) continue
      const dark = stones[at] === 'x'
      draw(board, 'circle', { cx: x(at), cy: y(at), r: 11, fill: dark ? '#1b1b1b' : '#fdfdfb', stroke: '#1b1b1b' })
      const moved = line.lastIndexOf(at)
      if (moved >= 0) draw(board, 'text', { x: x(at), y: y(at) + 4, 'text-anchor': 'middle', 'font-size': 11, fill: dark ? '#fff' : '#000' }, moved + 1)
    }
    if (ended && played !== null && played >= 0 && stones[played] === '.' && inside(played)) draw(board, 'path', { d: `M${x(played) - 5} ${y(played) - 5}l10 10m0-10l-10 10`, stroke: '#b3261e', 'stroke-width': 3 })
    draw(board, 'rect', { x: x(cursor) - 11, y: y(cursor) - 11, width: 22, height: 22, fill: 'none', stroke: black ? '#1b1b1b' : '#fff', 'stroke-width': 2, 'stroke-dasharray': '4 3', class: 'cursor' })
  }
  board.addEventListener('click', (event) => {
    const { width, window: [left, top, right, bottom] } = exercise()
    const matrix = board.getScreenCTM()
    if (!matrix) return
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
    const [column, row] = [Math.floor(point.x / 24), Math.floor(point.y / 24)]
    if (column < left || column > right || row < top || row > bottom) return
    cursor = row * width + column
    play(cursor)
    paint()
  })
  board.addEventListener('keydown', (event) => {
    const { width, window: [left, top, right, bottom] } = exercise()
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (step) {
      const column = Math.min(right, Math.max(left, cursor % width + step[0]))
      const row = Math.min(bottom, Math.max(top, Math.floor(cursor / width) + step[1]))
      cursor = row * width + column
      paint()
    } else if (event.key === 'Enter' || event.key === ' ') play(cursor)
    else return
    event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'n') go(number + 1)
    else if (event.key === 'p') go(number - 1)
    else return
    board.focus()
  })
  go(0)
}
