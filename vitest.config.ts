import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**', 'tests/bench/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Tests wait for databases and sockets more than they compute: as many files at a time as there are cores.
    maxWorkers: '100%',
    globalSetup: ['tests/helpers/global-setup.ts'],
  },
})
