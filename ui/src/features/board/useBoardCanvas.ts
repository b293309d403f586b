import { onScopeDispose, shallowRef, toValue, watch, type MaybeRefOrGetter, type ShallowRef } from 'vue'
import { onResize } from '@/components/resize'
import { fitBoard, type BoardGeometry, type JoinedView } from './geometry'
import type { Orientation } from './model'

export interface BoardSizeOptions {
  readonly room: Readonly<ShallowRef<HTMLElement | null>>
  readonly columns: MaybeRefOrGetter<number>
  readonly rows: MaybeRefOrGetter<number>
  readonly orientation: MaybeRefOrGetter<Orientation>
  readonly coordinates: MaybeRefOrGetter<boolean>
  readonly joined: MaybeRefOrGetter<JoinedView | undefined>
}

/** Keeps the board's geometry fitted to the element it stands in and to the screen's pixels. */
export function useBoardGeometry(options: BoardSizeOptions): { geometry: Readonly<ShallowRef<BoardGeometry | undefined>> } {
  const geometry = shallowRef<BoardGeometry>()
  let width = 0
  let height = 0

  function refit(): void {
    if (width < 40 || height < 40) return
    const fitted = fitBoard({
      columns: toValue(options.columns), rows: toValue(options.rows), orientation: toValue(options.orientation),
      availableWidth: width, availableHeight: height, ratio: window.devicePixelRatio || 1, coordinates: toValue(options.coordinates),
      joined: toValue(options.joined),
    })
    // Whoever sees another geometry draws everything anew.
    const known = geometry.value
    if (!known || (Object.keys(fitted) as (keyof BoardGeometry)[]).some(key => fitted[key] !== known[key])) geometry.value = fitted
  }

  watch(options.room, (element) => {
    if (!element) return
    // Not `clientWidth`, which is rounded: the observer's first word would be another size, and all be drawn twice.
    ;({ width, height } = element.getBoundingClientRect())
    refit()
  }, { immediate: true, flush: 'post' })
  onResize(options.room, (box) => {
    if (!box) return
    width = box.width
    height = box.height
    refit()
  })
  watch([() => toValue(options.columns), () => toValue(options.rows), () => toValue(options.orientation), () => toValue(options.coordinates), () => toValue(options.joined)], refit)

  // A window that moves to a screen of another density keeps its size, so no observer reports it: the media query does.
  let density: MediaQueryList | undefined
  function watchDensity(): void {
    density?.removeEventListener('change', watchDensity)
    density = window.matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`)
    density.addEventListener('change', watchDensity)
    refit()
  }
  watchDensity()
  onScopeDispose(() => density?.removeEventListener('change', watchDensity))
  return { geometry }
}

/** Runs each named job at most once a frame, however often it is asked for. */
export function useFrameJobs<Name extends string>(jobs: Record<Name, () => void>): { request: (name: Name) => void, requestAll: () => void } {
  const waiting = new Set<Name>()
  let frame = 0
  function run(): void {
    frame = 0
    const due = [...waiting]
    waiting.clear()
    for (const name of due) jobs[name]()
  }
  function request(name: Name): void {
    waiting.add(name)
    frame ||= requestAnimationFrame(run)
  }
  onScopeDispose(() => cancelAnimationFrame(frame))
  return { request, requestAll: () => { for (const name of Object.keys(jobs) as Name[]) request(name) } }
}
