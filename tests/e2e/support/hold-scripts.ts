import type { BrowserContext, Page } from 'playwright-core'

/** From now on scripts in which this stands wait for `load`. There must be no service worker that has them. */
export async function holdScripts(where: Page | BrowserContext, holding: RegExp) {
  const gate = Promise.withResolvers<void>()
  let held = 0
  await where.route('**/*.js', async (route) => {
    const response = await route.fetch()
    if (holding.test(await response.text())) {
      held += 1
      await gate.promise
    }
    await route.fulfill({ response })
  })
  return { held: () => held, load: () => gate.resolve() }
}
