import { lazily } from '@/components/lazily'

export { useMine } from './store'
export const MineRoom = lazily(() => import('./MineRoom.vue'))
