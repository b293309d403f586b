import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { PageName } from './pages'

/** Whether the manual is open, and at which page: whatever shows something can lead to the page about it. */
export const useHelp = defineStore('help', () => {
  const open = shallowRef(false)
  const page = shallowRef<PageName>('begin')

  function show(wanted: PageName): void {
    page.value = wanted
    open.value = true
  }
  function $reset(): void {
    open.value = false
    page.value = 'begin'
  }
  return { open, page, show, $reset }
})
