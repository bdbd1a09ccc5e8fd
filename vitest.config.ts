import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Workers and the servers that tests start load compiled modules from here.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**', 'tests/bench/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Modules hold no state but constants and no test mocks one, so the files of a worker share what it has loaded.
    isolate: false,
    // Tests wait for databases and sockets more than they compute: as many files at a time as there are cores.
    maxWorkers: '100%',
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: { timeout: 10_000 } },
    globalSetup: ['tests/helpers/global-setup.ts'],
    setupFiles: ['tests/helpers/fail-on-mismatch.ts'],
  },
})
