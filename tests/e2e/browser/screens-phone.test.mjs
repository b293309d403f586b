import { looksAtEveryScreen } from '../support/screens.mjs'

looksAtEveryScreen('a phone')
looksAtEveryScreen('a phone on its side')
looksAtEveryScreen('a longer phone on its side')
