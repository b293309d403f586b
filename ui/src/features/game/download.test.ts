import { expect, test } from 'vitest'
import { FILE_KINDS } from '@/api'
import { withEnding } from './download'

test('the ending of any kind of record gives way, packed or not', () => {
  const records = FILE_KINDS.filter(kind => !kind.packed).flatMap(kind => kind.extensions)
  const packed = FILE_KINDS.filter(kind => kind.packed).flatMap(kind => kind.extensions)
  expect(records).toContain('mgt')
  for (const ending of records) {
    expect(withEnding(`mine.${ending.toUpperCase()}`, '.sgf')).toBe('mine.sgf')
    for (const outer of packed) expect(withEnding(`mine.${ending}.${outer}`, '.sgf')).toBe('mine.sgf')
  }
  expect(withEnding('all.zip', '.html')).toBe('all.html')
})

test('what is no ending of a record stays', () => {
  expect(withEnding('Honinbo 2.0', '.sgf')).toBe('Honinbo 2.0.sgf')
  expect(withEnding('one.sgf.gz copy', '.sgf')).toBe('one.sgf.gz copy.sgf')
})
