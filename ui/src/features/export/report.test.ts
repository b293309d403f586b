import { expect, test } from 'vitest'
import { reviewOf } from '@/features/analysis'
import { reportPage } from './report'

test('a report stands alone and takes nothing of the record for markup', () => {
  const points = [0, 1, 2, 3].map(nodeId => ({ nodeId, value: undefined, loss: nodeId === 0 ? undefined : nodeId }))
  const review = reviewOf(points, nodeId => nodeId % 2 === 1 ? 1 : -1)
  const evil = '<script>alert(1)</script>'
  const page = reportPage({
    review, mistakes: [{ number: 2, side: 'white', point: 'Q16', loss: '-2.0', better: 'A R14', diagram: '<svg></svg>' }], leads: [0, undefined, 4, -12],
    points: value => value.toFixed(1), percent: share => `${Math.round(share * 100)}%`,
    words: {
      language: 'en', title: evil, facts: [evil], black: evil, white: '柯洁', accuracy: 'Accuracy', lost: 'Lost', mean: 'Mean',
      phases: { opening: 'O', middle: 'M', endgame: 'E' }, mistakes: 'Mistakes', move: 'Move', player: 'Player', loss: 'Loss', better: 'Better', graph: 'Graph', source: evil,
    },
  })
  expect(page).not.toContain('<script>')
  expect(page).toContain('柯洁')
  expect(page).toContain('Q16')
  expect(page).toContain('Better: A R14')
  expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
  expect(page).not.toContain('NaN')
})
