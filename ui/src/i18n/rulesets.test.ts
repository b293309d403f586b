import { expect, test } from 'vitest'
import { switchLanguage } from '.'
import { rulesetName } from './rulesets'

test('a ruleset has its words in every language, and its own name where there are none', async () => {
  expect([rulesetName('new-zealand'), rulesetName('house-rules')]).toEqual(['New Zealand', 'house-rules'])
  await switchLanguage('ja')
  expect([rulesetName('japanese'), rulesetName('house-rules')]).toEqual(['日本ルール', 'house-rules'])
  await switchLanguage('en')
})
