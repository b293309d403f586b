import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { LinkView, MarkShape, MarkView } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { pointName } from '@/features/board'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { isDragged, nextLetter, nextNumber, rectangle, toggledLink, toggledMark, type Tool } from './tools'

const SHAPES: Partial<Record<Tool, MarkShape>> = {
  triangle: 'triangle', square: 'square', circle: 'circle', cross: 'cross', selected: 'selected', dimmed: 'dimmed',
}

/** Editing on the board: which tool is in the hand, and what it does where it is put down. */
export const useEditing = defineStore('editing', () => {
  const games = useGames()
  const analysis = useAnalysis()
  const notices = useNotices()
  /** The bar of tools is shown. */
  const open = shallowRef(false)
  const tool = shallowRef<Tool>('play')
  /** What the text tool writes. */
  const text = shallowRef('')
  /** A line that is being drawn. */
  const drawing = shallowRef<LinkView>()
  /** A region that is being drawn. */
  const outlined = shallowRef<readonly number[]>([])
  /** Where a line or a region begins that is drawn point by point, by keys or without dragging. */
  const begun = shallowRef<number>()

  const dragged = computed(() => open.value && isDragged(tool.value))

  /** What is being drawn is not wanted. */
  function drop(): void {
    drawing.value = undefined
    outlined.value = []
    begun.value = undefined
  }

  function show(shown: boolean): void {
    open.value = shown
    if (!shown) tool.value = 'play'
  }
  function take(wanted: Tool): void {
    tool.value = tool.value === wanted ? 'play' : wanted
  }

  const label = (used: Tool, marks: readonly MarkView[]): string =>
    used === 'letter' ? nextLetter(marks) : used === 'number' ? nextNumber(marks) : text.value.trim()

  let last: Promise<unknown> = Promise.resolve()
  /** One change after the other: each begins with the marks that the one before it left. */
  function inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
    const game = games.activeId
    // By then another game may be on the board.
    const begun = last.then(() => games.activeId === game ? work() : undefined)
    last = begun.catch(() => undefined)
    return begun
  }

  /** Puts the tool down on a point; false if it is the one that plays, which others take care of. */
  async function apply(point: number): Promise<boolean> {
    const used = tool.value
    if (!open.value || used === 'play' || !games.position) return false
    if (isDragged(used)) {
      await stretch(used, point)
      return true
    }
    return await inTurn(() => put(used, point)) ?? true
  }

  async function put(used: Tool, point: number): Promise<boolean> {
    const position = games.position
    if (!position) return false
    switch (used) {
      case 'black': case 'white': {
        // On a stone of its own colour it takes that away again.
        const own = position.stones[point] === (used === 'black' ? 1 : -1)
        await games.setStones([point], own ? null : used)
        break
      }
      case 'erase': {
        if (position.stones[point]) await games.setStones([point], null)
        const marks = position.marks.filter(mark => mark.point !== point)
        const links = position.links.filter(link => link.from !== point && link.to !== point)
        if (marks.length !== position.marks.length || links.length !== position.links.length) {
          await games.setMarks(games.position?.nodeId ?? position.nodeId, marks, links)
        }
        break
      }
      case 'letter': case 'number': case 'text': {
        const known = position.marks.find(mark => mark.point === point && mark.shape === 'label')
        // A letter on a point that has one takes it away; words are exchanged for others.
        const words = known && used !== 'text' ? known.label : label(used, position.marks)
        if (!words) notices.show({ tone: 'info', title: say('edit.noText') })
        else await games.setMarks(position.nodeId, toggledMark(position.marks, point, 'label', words), position.links)
        break
      }
      case 'avoid':
        await analysis.avoid(point)
        break
      default: {
        const shape = SHAPES[used]
        if (shape) await games.setMarks(position.nodeId, toggledMark(position.marks, point, shape), position.links)
      }
    }
    return true
  }

  /** Puts a frame around the position, so that the engine looks at nothing else. */
  async function frame(): Promise<void> {
    await inTurn(() => games.frame())
  }

  /** The first point begins a line or a region, the second one ends it. A region that is there is taken away first. */
  async function stretch(used: Tool, point: number): Promise<void> {
    const { active } = games
    if (!active) return
    const nameOf = (at: number): string => pointName(at, active.width, active.height)
    const from = begun.value
    if (from === undefined && used === 'region' && analysis.region.length > 0) await analysis.lookAt([])
    else if (from === undefined) {
      begun.value = point
      notices.announce(say('edit.begun', { point: nameOf(point) }))
    } else if (from === point && used !== 'region') {
      drop()
      notices.announce(say('edit.dropped'))
    } else {
      notices.announce(say('edit.drawn', { from: nameOf(from), to: nameOf(point) }))
      await drag(from, point, true)
    }
  }

  /** From one point to another: lines, arrows and regions. */
  async function drag(from: number, to: number, done: boolean): Promise<void> {
    const { position, active } = games
    if (!position || !active || !dragged.value) return
    begun.value = undefined
    if (tool.value === 'region') {
      outlined.value = done ? [] : rectangle(from, to, active.width)
      if (done) await analysis.lookAt(rectangle(from, to, active.width))
      return
    }
    const link = { from, to, arrow: tool.value === 'arrow' }
    drawing.value = done || from === to ? undefined : link
    if (!done || from === to) return
    await inTurn(async () => {
      const now = games.position
      if (now) await games.setMarks(now.nodeId, [...now.marks], toggledLink(now.links, link))
    })
  }

  watch([() => games.activeId, () => games.position?.nodeId], drop)
  // Another tool does not end what this one began. At once: it may begin something itself.
  watch(tool, drop, { flush: 'sync' })

  function $reset(): void {
    show(false)
    text.value = ''
    drop()
  }

  return { open, tool, text, drawing, outlined, begun, dragged, show, take, apply, frame, drag, drop, $reset }
})
