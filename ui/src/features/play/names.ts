import { computed, type ComputedRef } from 'vue'
import { useText } from '@/i18n'
import { rankWords } from '@/i18n/ranks'

const LEVELS = new Set(['easy', 'medium', 'hard', 'expert', 'custom'])

/** Whether an opponent has just learnt the rules: below all ranks, without a style. */
export const isPupil = (id: string): boolean => id.startsWith('pupil_')

/** What an opponent is called in the language of the window: levels, pupils and ranks have words, networks and engines their names. */
export function useOpponentNames(): ComputedRef<(id: string) => string> {
  const { t } = useText()
  return computed(() => (id: string): string => {
    if (LEVELS.has(id)) return t(`play.level.${id as 'easy'}`)
    const [, network] = /^network:(.+?)(?:\.(?:bin|txt)\.gz)?$/.exec(id) ?? []
    if (network !== undefined) return network
    const [, step] = /^pupil_(\d)$/.exec(id) ?? []
    if (step !== undefined) return t('play.pupil', { step })
    const [, rank] = /^rank_(\d+[kd])/.exec(id) ?? []
    return rank === undefined ? id : rankWords(rank)
  })
}
