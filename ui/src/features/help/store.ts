import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { PageName } from './pages'

/** Whether the manual is open, and at which page and heading: whatever shows something can lead to what is said about it. */
export const useHelp = defineStore('help', () => {
  const open = shallowRef(false)
  const page = shallowRef<PageName>('begin')
  /** The anchor in the page that is shown first; none is its beginning. */
  const anchor = shallowRef('')

  function show(wanted: PageName, at = ''): void {
    page.value = wanted
    anchor.value = at
    open.value = true
  }
  function $reset(): void {
    open.value = false
    page.value = 'begin'
    anchor.value = ''
  }
  return { open, page, anchor, show, $reset }
})
