/** Up to this size a window has its text as the person chose it; a larger one has it larger, in proportion. */
const FULL = { width: 2048, height: 1152 }
/** Pixels of a rem: whole ones, so that text and lines stay sharp. */
const REM = 16
const MAX_SCALE = 2.5

/** By how much everything is larger in a window of this many CSS pixels. */
export function scaleOfWindow(width: number, height: number): number {
  const scale = Math.max(1, Math.min(width / FULL.width, height / FULL.height, MAX_SCALE))
  return Math.round(scale * REM) / REM
}
