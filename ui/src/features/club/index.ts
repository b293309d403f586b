import { defineComponent, h } from 'vue'
import type { ClubFacts } from '@/api'
import ClubApp from './ClubApp.vue'

/** The page of a server with rooms, for those who have no window there. */
export const clubApp = (facts: ClubFacts): ReturnType<typeof defineComponent> => defineComponent({ name: 'ClubRoot', render: () => h(ClubApp, { facts }) })
