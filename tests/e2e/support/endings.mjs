// What a test leaves behind, cleared away when it ends.
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const endings = new WeakMap()

/**
 * Has work done when the test ends: what came last goes first, so that a folder outlives the programs that write to it,
 * and all of it is done, whatever fails on the way. The runner's own `after` goes in the order of the calls and stops at
 * the first failure, which leaves programs running that keep the test's process from ending.
 */
export function atEnd(test, work) {
  const known = endings.get(test)
  if (known) return known.push(work)
  const works = [work]
  endings.set(test, works)
  test.after(async () => {
    const faults = []
    for (const one of works.toReversed()) {
      try {
        await one()
      } catch (fault) {
        faults.push(fault)
      }
    }
    if (faults.length > 0) throw faults[0]
  })
}

/** Removes a folder, from its top again when something was written to it meanwhile: helpers of a web view end after it. */
export async function removeFolder(folder, { attempts = 50, pauseMs = 100 } = {}) {
  for (let attempt = 1; ; attempt++) {
    try {
      return rmSync(folder, { recursive: true, force: true })
    } catch (fault) {
      if (attempt >= attempts) throw fault
    }
    await sleep(pauseMs)
  }
}
