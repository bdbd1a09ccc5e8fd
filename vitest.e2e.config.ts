import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './tests/helpers/slow-tests.ts'

const longest = [
  'views',
  'xss',
  'page-editing',
  'keyboard',
  'write-here',
  'failures',
  'desk',
  'settings',
  'pages',
  'page-menus',
  'xss-layers',
].map((name) => `tests/e2e/${name}.test.ts`)

// Real Chromium against a real server, one file more at a time than there are cores: each waits for a third of its time.
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: availableParallelism() + 1,
    isolate: false,
    sequence: { sequencer: longestFirst(longest) },
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    setupFiles: ['tests/e2e/support/matchers.ts'],
    globalSetup: ['tests/helpers/global-setup.ts'],
  },
})
