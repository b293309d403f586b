import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import { usePainting } from './canvasInks'

test('a canvas is painted anew in the colours of a contrast theme that is put on meanwhile', async () => {
  const forced = Object.assign(new EventTarget(), { matches: false })
  vi.spyOn(window, 'matchMedia').mockReturnValue(forced as unknown as MediaQueryList)
  const painted: string[] = []
  const Drawn = defineComponent(() => {
    const { request, inks } = usePainting(() => painted.push(inks(document.documentElement).color('--ink')))
    request()
    return () => h('canvas')
  })
  document.documentElement.style.setProperty('--ink', '#2a241c')
  const wrapper = mount(Drawn)
  onTestFinished(() => {
    wrapper.unmount()
    vi.restoreAllMocks()
    document.documentElement.style.removeProperty('--ink')
  })
  await vi.waitFor(() => expect(painted).toEqual(['#2a241c']))
  document.documentElement.style.setProperty('--ink', 'CanvasText')
  forced.dispatchEvent(new Event('change'))
  await vi.waitFor(() => expect(painted).toEqual(['#2a241c', 'CanvasText']))
})
