import { lazily } from '@/components/lazily'

export { useLessons } from './store'
export const LessonRoom = lazily(() => import('./LessonRoom.vue'))
