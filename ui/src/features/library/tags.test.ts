import { expect, test } from 'vitest'
import { readTags, writeTags } from './tags'

test('tags are divided by the commas of every language, each once', () => {
  expect(readTags(' joseki, 名局，fuseki、joseki ;', [])).toEqual(['joseki', '名局', 'fuseki'])
  expect(readTags('', ['joseki'])).toEqual([])
})

test('a tag that holds a comma stays one until it is taken out', () => {
  const tags = ['ko, large', 'study']
  expect(readTags(writeTags(tags), tags).sort()).toEqual(tags)
  expect(readTags('study, new', tags)).toEqual(['study', 'new'])
})
