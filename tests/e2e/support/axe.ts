import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Result = {
  violations: { id: string; nodes: { target: unknown[]; failureSummary: string }[] }[]
}

/** Every rule in one theme; in the other those that look at colours: nothing else differs between the two. */
const themes: [name: string, rules: string[] | null][] = [
  ['dark', null],
  ['light', ['color-contrast', 'link-in-text-block']],
]

/** Fails when axe finds anything on the page as it stands, in the dark and in the light theme. */
export async function expectAccessible(page: Page): Promise<void> {
  // The debugger's evaluation is not held to the page's policy, so axe can be brought in.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  for (const [theme, rules] of themes) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name
    }, theme)
    // Colours that are on their way from the other theme have no contrast to speak of. What is out of sight, as in a
    // closed fold, would stay on its way for ever.
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.cancel()
    })
    const { violations } = await page.evaluate(async (runOnly) => {
      const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<Result> } }
      return await axe.run({ resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) })
    }, rules)
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${theme} ${id} ${target.join(' ')}: ${failureSummary}`),
    )
    expect(found).toEqual([])
  }
}
