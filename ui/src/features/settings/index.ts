import { lazily } from '@/components/lazily'

export { useSettings } from './store'
export { default as SettingsNotify } from './SettingsNotify.vue'
export { MAX_AUTOPLAY_SECONDS, MIN_AUTOPLAY_SECONDS, PANEL_LISTS, readPreferences, type ColumnChoice, type DiscFigure, type LossStyle, type NumberStyle, type Preferences } from './preferences'
export const SettingsDialog = lazily(() => import('./SettingsDialog.vue'))
