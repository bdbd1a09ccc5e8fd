// Loaded into a server before anything else. From the first message on, when the server has started, it tells the process that
// started it when the event loop stood still for longer than the milliseconds which that message names. How much of that the thread was computing shows whether it was the server, or a machine that gave it
// no time.

import { performance } from 'node:perf_hooks'

export type LoopGap = { gapMs: number; busyMs: number }

const tickMs = 50

// It ends with the process that started it, however that ends.
process.on('disconnect', () => process.exit())

process.once('message', (minGapMs) => {
  let last = performance.now()
  let lastBusy = busyMs()
  setInterval(() => {
    const now = performance.now()
    const busy = busyMs()
    const gap: LoopGap = { gapMs: now - last - tickMs, busyMs: busy - lastBusy }
    last = now
    lastBusy = busy
    if (gap.gapMs > Number(minGapMs)) process.send?.(gap)
  }, tickMs).unref()
})

/** Of this thread, which is the one that runs the event loop. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
