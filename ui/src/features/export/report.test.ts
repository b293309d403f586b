import { expect, test } from 'vitest'
import type { PlayerReview } from '@/api'
import { reportPage } from './report'

test('a report stands alone and takes nothing of the record for markup', () => {
  const player = (moves: number, lost: number): PlayerReview =>
    ({ moves, lost, mean: moves > 0 ? lost / moves : 0, accuracy: moves > 0 ? 80 : null, phases: { opening: lost, middle: 0, endgame: 0 }, mistakes: 0, sizes: [1, 0, 2], best: Math.floor(moves / 2), amongTop: moves })
  const review = { moves: 2, black: player(2, 3), white: player(0, 0), mistakes: [], turningPoints: [], changes: [] }
  const evil = '<script>alert(1)</script>'
  const page = reportPage({
    review, mistakes: [{ number: 2, side: 'white', point: 'Q16', loss: '-2.0', better: 'A R14', diagram: '<svg></svg>' }], leads: [0, undefined, 4, -12],
    points: value => value.toFixed(1), percent: share => `${Math.round(share * 100)}%`,
    words: {
      language: 'en', title: evil, facts: [evil], black: evil, white: '柯洁', accuracy: 'Accuracy', lost: 'Lost', mean: 'Mean',
      phases: { opening: 'O', middle: 'M', endgame: 'E' }, choices: { first: 'First', five: 'Five', small: '2 to 6', large: '6 to 12', largest: '12' }, mistakes: 'Mistakes', move: 'Move', player: 'Player', loss: 'Loss', better: 'Better', graph: 'Graph', source: evil,
    },
  })
  expect(page).not.toContain('<script>')
  expect(page).toContain('柯洁')
  expect(page).toContain('Q16')
  expect(page).toContain('<td>80%</td><td>-3.0</td><td>-1.5</td>')
  expect(page).toContain('<td>–</td><td>0.0</td>')
  expect(page).toContain('<th>First</th><th>Five</th>')
  expect(page).toContain('<td>50%</td><td>100%</td><td>1</td><td>0</td><td>2</td>')
  expect(page).toContain('<td>–</td><td>–</td><td>1</td>')
  expect(page).toContain('Better: A R14')
  expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
  expect(page).not.toContain('NaN')
})
