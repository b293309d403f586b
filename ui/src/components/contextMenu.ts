import { shallowRef, watch, type Ref, type ShallowRef } from 'vue'

/** Where a menu opens: at a pointer, or beside what the keyboard asks about. */
export type MenuPlace = Pick<MouseEvent, 'clientX' | 'clientY'>

/** Whether the key asks for the menu of what has the focus. */
export const isMenuKey = (event: KeyboardEvent): boolean => event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)

/** What a context menu is about, where it opens, and whether it is open. */
export function useContextMenu<Subject>(): {
  subject: ShallowRef<Subject | undefined>
  at: ShallowRef<{ readonly x: number, readonly y: number }>
  open: ShallowRef<boolean>
  show: (subject: Subject, place: MenuPlace) => void
} {
  const subject = shallowRef<Subject>()
  const at = shallowRef<{ readonly x: number, readonly y: number }>({ x: 0, y: 0 })
  const open = shallowRef(false)
  function show(about: Subject, { clientX, clientY }: MenuPlace): void {
    subject.value = about
    at.value = { x: clientX, y: clientY }
    open.value = true
  }
  return { subject, at, open, show }
}

/**
 * For the end of a menu that was opened from somewhere else than its own button: the focus goes back to what had it, unless
 * the entry that was chosen has led it to a field or a dialog.
 */
export function useFocusBack(open: Ref<boolean>): (event: Event) => void {
  let before: Element | null = null
  watch(open, (opens) => { if (opens) before = document.activeElement }, { immediate: true })
  return (event) => {
    const place = before
    if (!(place instanceof HTMLElement) || place === document.body || !place.isConnected) return
    event.preventDefault()
    // Once the menu is gone, which holds the focus inside it.
    setTimeout(() => {
      const { activeElement, body } = document
      if (activeElement === null || activeElement === body) place.focus({ preventScroll: true })
    })
  }
}
