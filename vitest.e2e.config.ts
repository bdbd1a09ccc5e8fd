import { defineConfig } from 'vitest/config'

// Real Chromium against a real server, a file at a time: beside another one, what a test waits for comes late.
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    fileParallelism: false,
    isolate: false,
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    setupFiles: ['tests/e2e/support/matchers.ts'],
    globalSetup: ['tests/helpers/global-setup.ts'],
  },
})
