import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FEATURES = import.meta.dirname
const VIEWS = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.vue'))
/** Fields that hold names by what they are bound to: of people, places, events, engines, folders, tags, searches and ranks. */
const NAMES = /(v-model|:value)="((draft|choice|form)\.(title|black|white|blackRank|whiteRank|event|place|player)|form\[field\]|username|name|person|other|rank|added|addedRank|removed|folder|tags|draft)"/

test('no name is corrected or marked as misspelt', () => {
  // What the page says holds for every field in it, unless a field says otherwise.
  expect(readFileSync(join(FEATURES, '../../index.html'), 'utf8')).toContain('<body spellcheck="false">')
  const fields = VIEWS.flatMap((file) => {
    const text = readFileSync(join(FEATURES, file), 'utf8')
    expect([file, /spellcheck="true"|:spellcheck/.test(text)]).toEqual([file, false])
    return [...text.matchAll(/<input\b[^>]*>/g)].map(([field]) => ({ file, field }))
  })
  // "Start" and the like are titles; fields of the tournaments' and lessons' makers are written as prose.
  const names = fields.filter(({ field }) => NAMES.test(field) && !/type="(checkbox|radio|range|number|date)"/.test(field) && !/choice\.title/.test(field))
  expect(names.length).toBeGreaterThan(25)
  expect(names.filter(({ field }) => !field.includes('autocorrect="off"'))).toEqual([])
})
