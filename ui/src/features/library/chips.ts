import { say, type MessageKey } from '@/i18n'
import { rulesetName } from '@/i18n/rulesets'
import { EMPTY_FORM, wrongFields, type FilterForm } from './filterForm'

/** A condition of the filter in use, in words. */
export interface FilterChip {
  readonly field: keyof FilterForm
  readonly words: string
}

const FIELDS = Object.keys(EMPTY_FORM) as (keyof FilterForm)[]

function inWords(field: keyof FilterForm, form: Readonly<FilterForm>): string {
  const value = form[field].trim()
  switch (field) {
    case 'player': return form.color === '' ? say('library.chip.player', { value }) : say(`library.chip.${form.color}`, { value })
    case 'winner': return say(value === 'black' ? 'library.chip.blackWon' : 'library.chip.whiteWon')
    case 'result': return say(`library.filter.results.${value}` as MessageKey)
    case 'rules': return say('library.chip.rules', { value: rulesetName(value) })
    default: return say(`library.chip.${field}` as MessageKey, { value })
  }
}

/** What narrows the list, each by itself. A colour without a player asks for nothing, and neither does what cannot be read. */
export function chipsOf(form: Readonly<FilterForm>): FilterChip[] {
  const wrong = new Set(wrongFields(form))
  return FIELDS.filter(field => field !== 'color' && form[field].trim() !== '' && !wrong.has(field)).map(field => ({ field, words: inWords(field, form) }))
}

/** The form without a condition. */
export const without = (form: Readonly<FilterForm>, field: keyof FilterForm): FilterForm =>
  ({ ...form, [field]: '', ...(field === 'player' ? { color: '' as const } : {}) })
