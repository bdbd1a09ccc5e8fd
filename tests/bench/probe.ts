// Loaded into a measured process before anything else (`node --import`). It answers what the process has used, and
// ends the process with the benchmark, however that ends.

import type { ProbeReading } from './child-server.ts'

process.on('message', () => {
  global.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  const reading: ProbeReading = { cpuMs: (user + system) / 1000, rss, live: heapUsed + external }
  process.send?.(reading)
})
process.on('disconnect', () => process.exit())
