export { useSettings } from './store'
export { DISC_FIGURES, PANEL_LISTS, type DiscFigure, type NumberStyle, type PanelList, type Preferences } from './preferences'
export { default as SettingsDialog } from './SettingsDialog.vue'
