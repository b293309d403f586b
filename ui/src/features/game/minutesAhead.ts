/** Minutes that the clock of this window is ahead of UTC at the moment. */
export function minutesAhead(): number {
  return -new Date().getTimezoneOffset()
}
