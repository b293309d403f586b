export { useSettings } from './store'
export { DISC_FIGURES, type DiscFigure, type NumberStyle, type Preferences } from './preferences'
export { default as SettingsDialog } from './SettingsDialog.vue'
