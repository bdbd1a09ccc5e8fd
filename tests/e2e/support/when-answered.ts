import type { Page } from 'playwright-core'

/** Releases an answer and resolves when the page has had it, and two frames to make something of it. */
export async function whenAnswered(page: Page, address: string | RegExp, release: () => void): Promise<void> {
  const answered = page.waitForResponse(address)
  release()
  await (await answered).finished()
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
    return promise
  })
}
