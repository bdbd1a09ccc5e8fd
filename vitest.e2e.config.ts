import { defineConfig } from 'vitest/config'
import { longestFirst } from './tests/helpers/slow-tests.ts'

const longest = [
  'xss',
  'views',
  'keyboard',
  'page-editing',
  'desk',
  'xss-layers',
  'settings',
  'page-menus',
].map((name) => `tests/e2e/${name}.test.ts`)

// Real Chromium against a real server, two files at a time: one leaves a core idle whenever it waits.
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: longestFirst(longest) },
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    setupFiles: ['tests/e2e/support/matchers.ts'],
    globalSetup: ['tests/helpers/global-setup.ts'],
  },
})
