import { defineAsyncComponent, type Component } from 'vue'

type Load<T> = () => Promise<{ default: T }>

const waiting = new Set<Load<unknown>>()

/**
 * A part of the window that its first picture does not need. It is fetched when it is shown first, or, before anybody
 * asks for it, when the window has nothing else to do.
 */
export function lazily<T extends Component>(load: Load<T>): T {
  waiting.add(load as Load<unknown>)
  return defineAsyncComponent(load as never) as unknown as T
}

/** Fetches what was not shown yet, one after the other. What cannot be fetched now is asked for again when it is shown. */
export async function fetchTheRest(): Promise<void> {
  for (const load of waiting) {
    waiting.delete(load)
    await load().catch(() => undefined)
  }
}
