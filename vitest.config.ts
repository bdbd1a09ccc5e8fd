import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longest, longestFirst, propertyTests, slowTests } from './tests/helpers/slow-tests.ts'

// Workers and the servers that tests start load compiled modules from here.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'slow' ? [...slowTests, ...propertyTests] : ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**', 'tests/tools/bench/**', ...(mode === 'test' ? slowTests : [])],
    env: { PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? (mode === 'test' ? 'few' : 'many') },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Modules hold no state but constants and no test mocks one, so the files of a worker share what it has loaded.
    isolate: false,
    // More take longer: the embedded database of each has a thread of its own. Slow tests wait for a third of their time, for
    // leases, limits and servers that start.
    maxWorkers: availableParallelism() + (mode === 'slow' ? 1 : 0),
    sequence: { sequencer: longestFirst(longest) },
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    globalSetup: ['tests/helpers/global-setup.ts'],
    setupFiles: ['tests/helpers/fail-on-mismatch.ts', 'tests/helpers/fix-seed.ts'],
  },
}))
