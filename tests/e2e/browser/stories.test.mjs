// Whole user stories in Chromium, each from start to end as a person does it.
import { test } from 'node:test'
import * as stories from '../stories/index.mjs'
import { inBrowser, onTestServer } from '../support/places.mjs'
import { tell } from '../support/story.mjs'

for (const story of Object.values(stories)) {
  test(story.title, { timeout: 600_000 }, (t) => tell(t, story, story.movesTheClock ? onTestServer(t) : inBrowser(t, story.options)))
}
