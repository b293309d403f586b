import { lazily } from '@/components/lazily'

export { useLibrary } from './store'
export { useReviews } from './reviews'
export { useSources } from './sources'
export { usePatternSearch } from './patternStore'
export const LibraryExplorer = lazily(() => import('./LibraryExplorer.vue'))
export const LibraryPattern = lazily(() => import('./LibraryPattern.vue'))
export const LibraryPlayers = lazily(() => import('./LibraryPlayers.vue'))
export const LibrarySources = lazily(() => import('./LibrarySources.vue'))
export const LibraryRoom = lazily(() => import('./LibraryRoom.vue'))
export const LibraryPanel = lazily(() => import('./LibraryPanel.vue'))
