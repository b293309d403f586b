import { lazily } from '@/components/lazily'

export { useExercises } from './exercises'
export { useLessons } from './store'
export { useReviewByItself } from './useReviewByItself'
export const LessonRoom = lazily(() => import('./LessonRoom.vue'))
export { default as LessonStrip } from './LessonStrip.vue'
