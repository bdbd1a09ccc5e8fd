// One Chromium for each worker of the run.

import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing listens there: what is asked for from another host is not sent.
  '--proxy-server=127.0.0.1:9',
  '--proxy-bypass-list=127.0.0.1;localhost',
  // The pages of a context share what they have compiled.
  '--process-per-site',
]

let launched: Promise<Browser> | null = null

/** Ends with the process. */
export function findBrowser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath, args: flags })
  return launched
}
