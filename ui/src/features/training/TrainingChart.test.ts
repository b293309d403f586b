import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { plainPoints } from '@/i18n/formats'
import TrainingChart from './TrainingChart.vue'

const chart = (...lines: (readonly number[])[]) => mount(TrainingChart, {
  props: { label: 'Losses', axis: 'Steps', figure: plainPoints, lines: lines.map((values, index) => ({ name: `line ${index}`, points: values.map((y, x) => ({ x, y })) })) },
})

test('a line of one point is a dot, beside other lines too', () => {
  expect(chart([5], [3]).findAll('.dot')).toHaveLength(2)
  expect(chart([5]).findAll('.dot')).toHaveLength(1)
  expect(chart([5, 4], [3, 2]).findAll('.dot')).toHaveLength(0)
  expect(chart([5, 4]).findAll('.dot')).toHaveLength(2)
})
