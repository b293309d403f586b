import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect, isAllowed, noticesOf, withKeptTexts } from './notices.mjs'

test('an expression is allowed when allowed licences can meet it', () => {
  for (const allowed of ['MIT', 'MIT/Apache-2.0', 'GPL-3.0 OR MIT', '(MIT OR GPL-2.0) AND ISC', 'Apache-2.0 WITH LLVM-exception']) {
    assert.ok(isAllowed(allowed), allowed)
  }
  for (const refused of ['', 'GPL-3.0', 'MIT AND GPL-3.0', '(GPL-2.0 OR LGPL-2.1) AND MIT', 'Apache-2.0 WITH Other-exception']) {
    assert.ok(!isAllowed(refused), refused)
  }
})

test('a work without a text gets the one that is kept for it, and is refused when there is none', () => {
  const work = (name, texts, licence = 'MIT') => ({ name, version: '1.0.0', licence, url: '', authors: '', texts })
  const works = [work('own', ['its own']), work('kept', []), work('bare', []), work('other', ['x'], 'GPL-3.0')]
  const problems = withKeptTexts(works, { kept: 'kept.txt', gone: 'gone.txt' }, (file) => `text of ${file}\n`)
  assert.deepEqual(problems, [
    'bare 1.0.0 carries no licence text',
    'other 1.0.0 has the licence "GPL-3.0"',
    'the licence kept for gone belongs to nothing',
  ])
  const { text, texts } = noticesOf(works.slice(0, 2))
  assert.equal(texts, 2)
  assert.match(text, /^kept 1\.0\.0: MIT \[2\]$/m)
  assert.match(text, /\[2\]\n\ntext of kept\.txt\n$/)
})

test('every work in the programs has an allowed licence and its text', () => {
  const { works, problems } = collect()
  assert.deepEqual(problems, [])
  assert.ok(works.length > 100 && works.every((work) => work.texts.length > 0))
})
