import type { ClassRate } from '@/api'

/** Kinds of mistakes that occurred, the ones that cost most first; what is of no kind says least and comes last. */
export function kindsByCost(classes: readonly ClassRate[]): ClassRate[] {
  const isOther = (one: ClassRate): number => Number(one.class === 'other')
  return classes.filter(one => one.kind && one.rate.mistakes > 0).toSorted((a, b) => isOther(a) - isOther(b) || b.lostPerGame - a.lostPerGame)
}
