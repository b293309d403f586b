export { useNetworks } from './store'
export { default as NetworkItem } from './NetworkItem.vue'
export { default as NetworkHumanOffer } from './NetworkHumanOffer.vue'
