/** Rulesets that a new game offers, with the komi each usually has on 19x19. */
export const RULESETS = [
  { name: 'chinese', komi: 7.5 },
  { name: 'japanese', komi: 6.5 },
  { name: 'korean', komi: 6.5 },
  { name: 'aga', komi: 7.5 },
  { name: 'new-zealand', komi: 7 },
  { name: 'tromp-taylor', komi: 7.5 },
  { name: 'stone-scoring', komi: 7.5 },
] as const

export type RulesetName = (typeof RULESETS)[number]['name']
