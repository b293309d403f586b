// Tells a story at a place, and says what it took.
import assert from 'node:assert/strict'

/**
 * @typedef {object} Story
 * @property {string} name one word for pictures and tables
 * @property {string} title what the person does
 * @property {object} [options] what the place is prepared with
 * @property {boolean} [movesTheClock] it needs a calendar that the test moves, and is told on the test server
 * @property {(place: import('./places.mjs').Place) => Promise<void>} tell
 */

/** Tells a story; a line of the report has its clicks, keys and seconds, without those of the program's start. */
export async function tell(test, story, place) {
  const began = performance.now()
  try {
    await story.tell(place)
  } catch (fault) {
    await place.moment(`failed-${story.name}`)
    throw fault
  }
  const seconds = (performance.now() - began - place.startedMs) / 1000
  assert.deepEqual(place.faults, [], 'the page complains of nothing')
  test.diagnostic(`story ${story.name} (${place.kind}): ${place.counted.clicks} clicks, ${place.counted.keys} keys, ${seconds.toFixed(1)} s, start ${(place.startedMs / 1000).toFixed(1)} s`)
}
