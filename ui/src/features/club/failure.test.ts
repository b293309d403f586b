import { expect, test } from 'vitest'
import { failureWords } from './failure'

test('a second is no "seconds"', () => {
  const words = (retryAfter?: number): string => failureWords({ kind: 'too_many_attempts', message: '', retryAfter })
  expect([1, 2, undefined].map(words)).toEqual(['1 second', '2 seconds', '60 seconds'].map(time => `Too many attempts; try again in ${time}.`))
})
