import { defineConfig } from 'vitest/config'

// Real Chromium against a real server; a file at a time, because two browsers on a small machine time each other out.
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    fileParallelism: false,
    // A page that a busy machine kept waiting gets another try; what is wrong fails every time.
    retry: 2,
    globalSetup: ['tests/helpers/global-setup.ts'],
  },
})
