// One Chromium for the whole run; each test file connects to it.

import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser can be connected to. */
    browserAddress: string
  }
}

const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The pages of a context share what they have compiled.
  '--process-per-site',
]

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({ executablePath, args: flags, host: '127.0.0.1' })
  project.provide('browserAddress', browser.wsEndpoint())

  return () => browser.close()
}
