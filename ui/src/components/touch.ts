import { onScopeDispose, shallowRef, type ShallowRef } from 'vue'

/** Whether a finger caused it, which can neither hover nor hit what is small. */
export function byTouch(event: MouseEvent): boolean {
  return 'pointerType' in event && event.pointerType === 'touch'
}

/** Whether the window is mostly used with fingers. */
export const useCoarsePointer = (): Readonly<ShallowRef<boolean>> => useMedia('(pointer: coarse)')

/** Whether there is nothing but fingers: then keys and what a pointer rests on are not spoken of. */
export const useFingersOnly = (): Readonly<ShallowRef<boolean>> => useMedia('(hover: none) and (pointer: coarse)')

function useMedia(condition: string): Readonly<ShallowRef<boolean>> {
  const query = window.matchMedia(condition)
  const holds = shallowRef(query.matches)
  const update = (): void => { holds.value = query.matches }
  query.addEventListener('change', update)
  onScopeDispose(() => query.removeEventListener('change', update))
  return holds
}
