import { expect, test } from 'vitest'
import type { ClockLeft } from '@/api'
import { clockText, shownClock } from './clock'

test('a clock shows hours, minutes and, at the end, tenths', () => {
  expect([3723, 725, 59.9, 9.96, 0.04, -3].map(clockText)).toEqual(['1:02:03', '12:05', '0:59', '9.9', '0.0', '0.0'])
})

const clock = (given: Partial<ClockLeft>): ClockLeft => ({ mainSeconds: 600, periodSeconds: null, periods: 3, stones: 0, ...given })

test('only time that really ends is urgent', () => {
  expect(shownClock(clock({ mainSeconds: 8 }), 0).urgent).toBe(false)
  expect(shownClock(clock({ mainSeconds: 8, periods: 0 }), 0).urgent).toBe(true)
  expect(shownClock(clock({ mainSeconds: 8, periods: 0, stones: 25 }), 0).urgent).toBe(false)
  expect(shownClock(clock({ periodSeconds: 30 }), 0).urgent).toBe(false)
  expect(shownClock(clock({ periodSeconds: 30 }), 21).urgent).toBe(true)
})

test('a clock runs between two messages and never below nothing', () => {
  expect(shownClock(clock({}), 61).text).toBe('8:59')
  expect(shownClock(clock({ mainSeconds: 5 }), 60).seconds).toBe(0)
})
