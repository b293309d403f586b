// What an input costs: until its frame is done, until it is on the screen, and how long the processor worked for it.

export const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
export const p95 = list => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)]

/**
 * Gives an input again and again and measures each, in milliseconds:
 * - `frame`: from the input's own time until the main thread has done the frame in which the place of the game changed;
 * - `shown`: until the browser says that frame was on the screen (Event Timing; in steps of 8);
 * - `work`: the processor's time of the main thread between the two ends of `frame`: script, style, layout, paint, commit.
 *   It does not grow when other programs run, and does not hold the wait for the screen.
 */
export async function measureInputs(browser, page, count, input) {
  await page.evaluate(() => {
    if (window.inputs) return
    window.inputs = { frame: [], shown: [] }
    const place = () => document.querySelector('[data-test=place]').textContent
    const onInput = (event) => {
      const before = place()
      performance.mark('input')
      // The listeners of the window come after this one; their change is in the frame for which this callback runs.
      const look = () => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          if (place() === before) look()
          else {
            performance.mark('painted')
            window.inputs.frame.push(performance.now() - event.timeStamp)
          }
        }
        port2.postMessage(0)
      })
      look()
    }
    for (const kind of ['keydown', 'pointerup']) addEventListener(kind, onInput, true)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (['keydown', 'pointerup'].includes(entry.name)) window.inputs.shown.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 })
  })
  await page.evaluate(() => { window.inputs.frame = []; window.inputs.shown = [] })
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'] })
  for (let round = 1; round <= count; round++) {
    await input()
    await page.waitForFunction(wanted => window.inputs.frame.length >= wanted, round, { timeout: 20_000 })
      .catch(() => { throw new Error(`input ${round} of ${count} changed nothing`) })
    // Long enough for a stone to settle and for the next report: one input is not measured in the other's frames.
    await page.waitForTimeout(170)
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
  const { frame, shown } = await page.evaluate(() => window.inputs)
  const marks = name => traceEvents.filter(event => event.name === name && event.cat.includes('user_timing')).sort((a, b) => a.ts - b.ts)
  const ends = marks('painted')
  const starts = marks('input')
  if (starts.length === 0) throw new Error('the trace holds no input')
  const { pid, tid } = starts[0]
  const tasks = traceEvents.filter(event => event.name === 'RunTask' && event.ph === 'X' && event.pid === pid && event.tid === tid && event.tdur !== undefined)
  if (tasks.length === 0) throw new Error('the trace holds no task of the main thread')
  const work = starts.flatMap((start) => {
    const end = ends.find(mark => mark.ts > start.ts)
    if (!end) return []
    return [tasks.filter(task => task.ts + task.dur > start.ts && task.ts < end.ts).reduce((sum, task) => sum + task.tdur, 0) / 1000]
  })
  if (work.length < count) throw new Error(`the trace holds ${work.length} of ${count} inputs`)
  return { frame, shown: shown.length > 0 ? shown : [0], work }
}

/** Frames a second over a while, and the longest of them in milliseconds. */
export async function keepsFrames(page, forMs) {
  const gaps = await page.evaluate(whole => new Promise((resolve) => {
    const found = []
    let last = performance.now()
    const end = last + whole
    const tick = (now) => {
      found.push(now - last)
      last = now
      if (now < end) requestAnimationFrame(tick)
      else resolve(found)
    }
    requestAnimationFrame(tick)
  }), forMs)
  return { perSecond: 1000 * gaps.length / gaps.reduce((sum, gap) => sum + gap, 0), longest: Math.max(...gaps) }
}
