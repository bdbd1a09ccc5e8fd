// Loaded into a server before anything else. From the first message on, when the server has started, it tells the process
// that started it when the event loop stood still for longer than the milliseconds of that message. How much of that the
// thread was computing shows whether it was the server, or a machine that gave it no time. Each further message is
// answered with the bytes that the process holds once its garbage was collected.

import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export type LoopGap = { gapMs: number; busyMs: number }

const tickMs = 20

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
  process.on('message', () => process.send?.({ heldBytes: heldBytes() }))
})

/** Of this thread, which is the one that runs the event loop. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
