// The stories of tests/e2e/stories, in the order in which they are told.
export { firstGame } from './first-game.mjs'
export { review } from './review.mjs'
export { closing } from './closing.mjs'
export { importing } from './import.mjs'
export { rated } from './rated.mjs'
export { lesson } from './lesson.mjs'
