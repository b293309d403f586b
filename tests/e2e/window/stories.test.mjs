// The six stories that matter most once more in the real window.
import { test } from 'node:test'
import * as stories from '../stories/index.mjs'
import { inWindow } from '../support/places.mjs'
import { tell } from '../support/story.mjs'

const { closing, crash, firstGame, lesson, review, twoGames } = stories

for (const story of [firstGame, review, closing, crash, lesson, twoGames]) {
  test(story.title, { timeout: 600_000 }, (t) => tell(t, story, inWindow(t, story.options)))
}
