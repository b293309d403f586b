import { lazily } from '@/components/lazily'

export { useProblems } from './store'
export const ProblemRoom = lazily(() => import('./ProblemRoom.vue'))
