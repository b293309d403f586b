// Whether everything on the screen fits: nothing clipped, nothing over something else, nothing outside, nothing too small.

/** CSS pixels that whatever a finger presses is high and wide. */
export const FINGER = 44

/**
 * What does not fit, in words; an empty list when everything does. While a dialog or a menu is open only that is looked at.
 * Runs inside the page, so it uses nothing from outside.
 */
export function misfits(finger) {
  const found = []
  const open = [...document.querySelectorAll('[role=menu], [role=dialog], [role=alertdialog]')].filter((element) => element.getBoundingClientRect().width > 0)
  const scope = open.at(-1) ?? document.body
  const width = window.innerWidth
  const height = window.innerHeight
  const nameOf = (element) => {
    const words = (element.getAttribute('aria-label') ?? element.innerText ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)
    return `${element.localName}.${[...element.classList].join('.')} "${words}"`
  }
  // What a closed <details> holds has a place, and is not shown.
  const hidden = (element) => Boolean(element.closest('.visually-hidden, [aria-hidden=true], [inert]')) || getComputedStyle(element).visibility === 'hidden' || !element.checkVisibility()
  const scrolls = (style, side) => ['auto', 'scroll'].includes(style[`overflow${side}`])
  /** What is seen of an element, and whether some of it can only be scrolled to. */
  const seen = (element) => {
    const box = element.getBoundingClientRect()
    let { left, top, right, bottom } = box
    let scrolled = false
    let crushed = false
    for (let around = element.parentElement; around; around = around.parentElement) {
      const style = getComputedStyle(around)
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      const outer = around.getBoundingClientRect()
      if (scrolls(style, 'X') || scrolls(style, 'Y')) {
        scrolled = true
        // What it scrolls cannot be seen in so little of it.
        crushed ||= Math.min(outer.width, outer.height) < 16
      }
      left = Math.max(left, outer.left)
      right = Math.min(right, outer.right)
      top = Math.max(top, outer.top)
      bottom = Math.min(bottom, outer.bottom)
    }
    return { box, left, top, right, bottom, scrolled, crushed, empty: right - left < 1 || bottom - top < 1 }
  }

  for (const element of scope.querySelectorAll('*')) {
    const own = [...element.childNodes].some((node) => node.nodeName === '#text' && node.textContent.trim() !== '')
    if (!own || element.clientWidth === 0 || hidden(element) || element.closest('svg')) continue
    const style = getComputedStyle(element)
    if (finger > 0 && style.display !== 'none' && /\b(Ctrl|Esc|Escape|Enter|Shift|Alt)\b|⌘/.test(element.innerText)) found.push(`a key where there are none: ${nameOf(element)}`)
    // The field around a word in a line is wider than the word.
    if (style.textOverflow === 'ellipsis' || scrolls(style, 'X') || element.matches('.in-text')) continue
    if (element.scrollWidth > element.clientWidth + 1) found.push(`clipped: ${nameOf(element)} needs ${element.scrollWidth} of ${element.clientWidth}`)
    else if (['hidden', 'clip'].includes(style.overflowY) && element.scrollHeight > element.clientHeight + 2) found.push(`cut off below: ${nameOf(element)}`)
  }

  const pressed = [...scope.querySelectorAll('button, a[href], input, select, textarea, summary, [role=tab], [role^=menuitem], [role=option]')]
    .filter((element) => !hidden(element) && !element.closest('[tabindex="-1"].veil') && element.getBoundingClientRect().width > 1 && getComputedStyle(element).pointerEvents !== 'none')
    .map((element) => ({ element, ...seen(element) }))
  for (const { element, box, left, right, top, bottom, scrolled, crushed, empty } of pressed) {
    if (crushed) found.push(`no room: ${nameOf(element)}`)
    if (!scrolled && (box.left < -1 || box.right > width + 1 || box.top < -1 || box.bottom > height + 1)) found.push(`outside: ${nameOf(element)}`)
    if (!scrolled && (empty || right - left < box.width - 2 || bottom - top < box.height - 2)) found.push(`partly hidden: ${nameOf(element)}`)
    if (finger === 0 || element.closest('p, .prose')) continue
    // What stands in a line has a field around it that is not drawn.
    const field = element.matches('.in-text') ? getComputedStyle(element, '::after') : undefined
    const around = field?.position === 'absolute' ? { width: Number.parseFloat(field.width), height: Number.parseFloat(field.height) } : element.matches('[type=checkbox], [type=radio]') ? element.closest('label')?.getBoundingClientRect() ?? box : box
    if (around.width < finger - 0.5 || around.height < finger - 0.5) found.push(`small: ${nameOf(element)} ${Math.round(around.width)}x${Math.round(around.height)}`)
  }
  const staysInSight = (element) => element !== null && element !== scope && (getComputedStyle(element).position === 'sticky' || staysInSight(element.parentElement))
  const shown = pressed.filter(({ empty }) => !empty)
  for (const [index, one] of shown.entries()) {
    for (const other of shown.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      // A notice floats above the window until it is dismissed.
      if (one.element.closest('.stack') !== other.element.closest('.stack')) continue
      // What lies below a button or a title that stays in sight is scrolled to.
      if ([one, other].some(({ element }) => staysInSight(element))) continue
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      if (across > 1.5 && down > 1.5) found.push(`overlap: ${nameOf(one.element)} and ${nameOf(other.element)}`)
    }
  }
  for (const tab of scope.querySelectorAll('[role=tab]')) {
    if (tab.childElementCount > 0 || hidden(tab)) continue
    const range = document.createRange()
    range.selectNodeContents(tab)
    if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(`in two lines: ${nameOf(tab)}`)
  }
  // A word that leads somewhere stands once, but in the items of a list, whose groups have names; under a board there is no
  // room for headings that repeat it.
  const leading = '[role=tab], [role=group]:not(li [role=group]) button'
  const words = [...scope.querySelectorAll(finger > 0 && width <= 832 ? `${leading}, h2` : leading)]
    .filter((element) => !hidden(element) && !seen(element).empty).map((element) => element.innerText.trim()).filter(Boolean)
  for (const word of new Set(words)) if (words.indexOf(word) !== words.lastIndexOf(word)) found.push(`said twice: "${word}"`)
  const page = document.documentElement
  if (page.scrollWidth > page.clientWidth) {
    const ends = [...document.body.querySelectorAll('*')].map((element) => ({ element, right: element.getBoundingClientRect().right }))
    const widest = ends.reduce((one, other) => other.right > one.right ? other : one)
    found.push(`the page is ${page.scrollWidth} wide: ${nameOf(widest.element)} ends at ${Math.round(widest.right)}`)
  }
  return [...new Set(found)]
}
