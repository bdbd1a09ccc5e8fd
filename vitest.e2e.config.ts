import { defineConfig } from 'vitest/config'
import { slowFirst } from './tests/helpers/slow-tests.ts'

// Real Chromium against a real server. A worker has a browser of its own, and a file at a time.
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    isolate: false,
    // One alone waits for its browser a third of the time.
    maxWorkers: 2,
    sequence: {
      sequencer: slowFirst([
        'tests/e2e/xss.test.ts',
        'tests/e2e/views.test.ts',
        'tests/e2e/keyboard.test.ts',
      ]),
    },
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    setupFiles: ['tests/e2e/support/matchers.ts'],
    globalSetup: ['tests/helpers/global-setup.ts'],
  },
})
