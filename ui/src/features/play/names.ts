import { computed, type ComputedRef } from 'vue'
import { useText } from '@/i18n'
import { opponentName } from '@/i18n/opponents'

/** Whether an opponent has just learnt the rules: below all ranks, without a style. */
export const isPupil = (id: string): boolean => id.startsWith('pupil_')

/** What an opponent is called, anew when the language changes. */
export function useOpponentNames(): ComputedRef<(id: string) => string> {
  const { locale } = useText()
  return computed(() => {
    void locale.value
    return (id: string): string => opponentName(id)
  })
}
