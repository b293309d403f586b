import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import type { NodeAnnotations } from '@/api'
import { i18n } from '@/i18n'
import GameAnnotations from './GameAnnotations.vue'

const shown = (name: string, annotations: NodeAnnotations) => mount(GameAnnotations, { props: { name, annotations }, global: { plugins: [i18n] } })

test('a node says its name and its annotations in words, with a sign beside each', () => {
  const wrapper = shown('The <ladder>', { onMove: 'veryGood', onPosition: null, hotspot: 'normal' })
  expect(wrapper.get('h3').text()).toBe('The <ladder>')
  expect(wrapper.findAll('li').map(one => one.text())).toEqual(['Very good move', 'Hotspot'])
  expect(wrapper.findAll('svg[aria-hidden=true]').map(sign => sign.findAll('path').length)).toEqual([2, 1])
})

test('nothing is shown of a node that says nothing', () => {
  expect(shown('', { onMove: null, onPosition: null, hotspot: null }).find('*').exists()).toBe(false)
})
