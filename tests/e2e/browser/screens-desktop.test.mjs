import { looksAtEveryScreen } from '../support/screens.mjs'

looksAtEveryScreen('a desktop')
looksAtEveryScreen('a desktop at 200 %')
