import { expect, test } from 'vitest'
import { switchLanguage } from './index'
import { opponentName, playerName } from './opponents'

test('an opponent has one name, in the panel and in records', async () => {
  for (const language of ['en', 'zh-Hans', 'zh-Hant', 'ja', 'ko'] as const) {
    await switchLanguage(language)
    for (const [recorded, id] of [['Honinbo pupil 1', 'pupil_1'], ['Honinbo 20k', 'rank_20k'], ['Honinbo medium', 'medium']] as const) {
      expect(playerName(recorded)).toBe(opponentName(id))
      expect(playerName(recorded)).not.toMatch(/Honinbo|_/)
    }
    expect(playerName('Honinbo Shusaku'), 'a person').toBe('Honinbo Shusaku')
  }
  await switchLanguage('en')
  expect(playerName('Honinbo pupil 1')).toBe('First steps 1')
})
