import { lazily } from '@/components/lazily'

export { useTraining } from './store'
export const TrainingRoom = lazily(() => import('./TrainingRoom.vue'))
