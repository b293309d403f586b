export { useUpdates } from './store'
