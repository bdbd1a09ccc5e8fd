// What a test says of a page that changes while it looks: each matcher waits until it holds, as Playwright's own do.

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** The element, or the first of several, comes into view. Takes a locator. */
    toBeVisible(): Promise<void>
    /** The element leaves the page. Takes a locator. */
    toBeDetached(): Promise<void>
    /** The page comes to the address: a glob or a pattern, as `page.waitForURL` takes it. */
    toHaveURL(address: string | RegExp): Promise<void>
  }
}

expect.extend({
  toBeVisible: (locator: Locator) => holds(locator.first().waitFor({ state: 'visible' })),
  toBeDetached: (locator: Locator) => holds(locator.first().waitFor({ state: 'detached' })),
  toHaveURL: (page: Page, address: string | RegExp) => holds(page.waitForURL(address)),
})

/** A wait that times out says in its error what it waited for and what it saw. */
async function holds(waiting: Promise<void>) {
  try {
    await waiting
    return { pass: true, message: () => 'it is so' }
  } catch (error) {
    return { pass: false, message: () => (error instanceof Error ? error.message : String(error)) }
  }
}
