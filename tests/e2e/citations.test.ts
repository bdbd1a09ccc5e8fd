// A citation leads to the words it names, whatever showing a text does to them.

import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

const body = `---
status: in use
keeper: Ines Aalto
---
# Lamp

See [[The lamp|the rules]] and [the log](https://example.org/log) first.

## Parts

| Part | Kept in |
| --- | --- |
| wick | the [[Store room]] |

\`\`\`
turns = every_second(12)
\`\`\`

> [!note]- Careful
> The **lens** is *very* hot.
`

/** Between cells there may be space or none. */
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}_]+/gu, '')

async function open(cite: string) {
  const { body: made } = await site()
    .owner.post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: `Lamp ${crypto.randomUUID()}`, body })
  return await site().open(`/s/skerry-light/pages/${made.id}?cite=${encodeURIComponent(cite)}`)
}

describe('the passage of a citation', () => {
  test('is marked where the address names its number', async () => {
    const paragraphs = [1, 2, 3].map(
      (at) => `## Part ${at}\n\n${`The lens of part ${at} is cleaned. `.repeat(40)}`,
    )
    const { body: made } = await site()
      .owner.post(`/api/spaces/${world.space.id}/pages`)
      .send({ title: 'Parts', body: paragraphs.join('\n\n') })
    const page = await site().open(`/s/skerry-light/pages/${made.id}#passage-1`)

    await page.waitForFunction(() => CSS.highlights.has('cited'))
    const marked = await page.evaluate(() => {
      const [range] = CSS.highlights.get('cited')!
      return range!.toString()
    })
    expect(marked).toContain('part 2')
    expect(marked).not.toContain('part 1')
    expect(marked).not.toContain('part 3')
  })

  test.each([
    [
      'See [[The lamp|the rules]] and [the log](https://example.org/log) first',
      'See the rules and the log first',
    ],
    ['| wick | the [[Store room]] |', 'wick the Store room'],
    ['turns = every_second(12)', 'turns every_second 12'],
    ['keeper: Ines Aalto', 'keeper Ines Aalto'],
    ['> The **lens** is *very* hot.', 'The lens is very hot'],
  ])('%s is marked and in sight', async (cite, expected) => {
    const page = await open(cite)

    await page.waitForFunction(() => CSS.highlights.has('cited'))
    const marked = await page.evaluate(() => {
      const range = [...(CSS.highlights.get('cited') ?? [])][0]
      return {
        text: String(range),
        isShown: range instanceof Range && range.getBoundingClientRect().height > 0,
      }
    })

    expect(lettersOf(marked.text)).toBe(lettersOf(expected))
    expect(marked.isShown).toBe(true)
  })

  test('that is gone is said to be gone', async () => {
    const page = await open('The horn sounds at noon')

    await page.waitForSelector('.toast >> text=no longer in this text')
    expect(await page.evaluate(() => CSS.highlights.has('cited'))).toBe(false)
  })

  test('is shown beside its chip, quote first, and never over it', async () => {
    const page = await site().open('/s/skerry-light?companion=1')
    await page.fill('#composer', 'What does the lamp burn?')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.send:not(.send-stop):visible')
    const chip = page.locator('button.cite').first()
    await chip.hover()
    await page.waitForSelector('.citation:popover-open')
    const [tall, at, first] = await Promise.all([
      page.locator('.citation').boundingBox(),
      chip.boundingBox(),
      page.locator('.citation > :first-child').getAttribute('class'),
    ])

    expect(first).toBe('citation-words')
    expect(tall!.height).toBeLessThanOrEqual(0.4 * page.viewportSize()!.height + 1)
    expect(tall!.y >= at!.y + at!.height || tall!.y + tall!.height <= at!.y).toBe(true)
  })
})
