/**
 * The figures that explain themselves: the anchor of each in the manual's page of figures, in every language. What is said
 * of it at once is `term.NAME` of the locale files.
 */
export const TERMS = {
  accuracy: 'accuracy',
  captured: 'captured',
  connections: 'connections',
  continuations: 'continuations',
  copies: 'copies',
  counting: 'counting',
  deviceSpeed: 'device-speed',
  due: 'due',
  engineTurns: 'engine-turns',
  evaluationSpeed: 'evaluation-speed',
  lead: 'lead',
  libraryRating: 'library-rating',
  lostPerGame: 'lost-per-game',
  mistakeRate: 'mistake-rate',
  networkSpeed: 'network-speed',
  ownership: 'ownership',
  periods: 'periods',
  phases: 'phases',
  pointsLost: 'points-lost',
  policy: 'policy',
  problemRating: 'problem-rating',
  rankRange: 'rank-range',
  rating: 'rating',
  reviewTime: 'review-time',
  storedAnalysis: 'stored-analysis',
  tieBreak: 'tie-break',
  trainingElo: 'training-elo',
  trainingLoss: 'training-loss',
  verdict: 'verdict',
  visits: 'visits',
  winRate: 'win-rate',
  winShare: 'win-share',
} as const
export type Term = keyof typeof TERMS
