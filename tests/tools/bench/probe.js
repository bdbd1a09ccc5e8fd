// Loaded into a measured process before anything else (`node --import`). It answers what the process has used, and
// ends the process with the benchmark, however that ends. Not TypeScript, for which Node would load 25 MB that the
// measured server does without.

// A collection takes longer than what a quiet server computes in a second.
process.on('message', (message) => {
  if (message === 'read') global.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  /** @type {import('./child-server.ts').ProbeReading} */
  const reading = { cpuMs: (user + system) / 1000, rss, live: heapUsed + external }
  process.send?.(reading)
})
process.on('disconnect', () => process.exit())
