import { expect, test } from 'vitest'
import { switchLanguage } from './index'
import { rankWords } from './ranks'

test('ranks of records are said as players say them, and what is no rank of amateurs stays', async () => {
  const said: string[][] = []
  for (const language of ['en', 'zh-Hans', 'ja', 'ko'] as const) {
    await switchLanguage(language)
    said.push(['9d', '12 kyu', '3K', '9p', '9段', '7d?', ''].map(rankWords))
  }
  await switchLanguage('en')
  expect(said).toEqual([
    ['9 dan', '12 kyu', '3 kyu', '9p', '9段', '7d?', ''],
    ['9段', '12级', '3级', '9p', '9段', '7d?', ''],
    ['9段', '12級', '3級', '9p', '9段', '7d?', ''],
    ['9단', '12급', '3급', '9p', '9段', '7d?', ''],
  ])
})
