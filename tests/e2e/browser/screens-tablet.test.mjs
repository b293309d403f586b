import { looksAtEveryScreen } from '../support/screens.mjs'

looksAtEveryScreen('a tablet')
