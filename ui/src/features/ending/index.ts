import { lazily } from '@/components/lazily'

export const EndingPanel = lazily(() => import('./EndingPanel.vue'))
