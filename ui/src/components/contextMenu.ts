import { shallowRef, type ShallowRef } from 'vue'

/** What a context menu is about, where it opens, and whether it is open. */
export function useContextMenu<Subject>(): {
  subject: ShallowRef<Subject | undefined>
  at: ShallowRef<{ readonly x: number, readonly y: number }>
  open: ShallowRef<boolean>
  show: (subject: Subject, event: MouseEvent) => void
} {
  const subject = shallowRef<Subject>()
  const at = shallowRef<{ readonly x: number, readonly y: number }>({ x: 0, y: 0 })
  const open = shallowRef(false)
  function show(about: Subject, event: MouseEvent): void {
    subject.value = about
    at.value = { x: event.clientX, y: event.clientY }
    open.value = true
  }
  return { subject, at, open, show }
}
