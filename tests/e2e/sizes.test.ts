// Every view at every width, at twice the size, in forced colours and without motion: nothing scrolls sideways, and
// what can be pressed is all there.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { allViews, type FullWorld, makeFullWorld } from './support/all-views.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: FullWorld
let longPage = ''

const word = 'Unterleuchtturmwärterdienstanweisungsergänzungsverordnung'
const longTitle = `${word} on how to trim, fill, light and watch the lamp in every weather, with all that belongs to it`

beforeAll(async () => {
  world = await makeFullWorld(site())
  const { owner, as } = site()
  const at = `/api/spaces/${world.space.id}`
  const table = `| ${'column | '.repeat(14)}\n|${'---|'.repeat(14)}\n| ${'value | '.repeat(14)}\n`
  const code = `\`\`\`\n${'a long line of code '.repeat(20)}\n\`\`\`\n`
  const body = `## ${longTitle}\n\n${word.repeat(4)}\n\n${table}\n${code}\nhttps://example.com/${'path/'.repeat(60)}\n`
  for (const kind of ['pages', 'tasks', 'projects', 'refs', 'resources']) {
    const made = await owner.post(`${at}/${kind}`).send({ title: `${longTitle} (${kind})`, body })
    if (kind === 'pages') longPage = `/s/skerry-light/pages/${made.body.id}`
  }
  await as(world.agentToken)
    .post(`${at}/pages`)
    .send({ title: longTitle, body, reason: `${word.repeat(3)} ${longTitle}` })
})

const sizes: [string, { width: number; height: number; scale: number }][] = [
  ['1440 pixels', { width: 1440, height: 900, scale: 1 }],
  ['1024 pixels', { width: 1024, height: 768, scale: 1 }],
  ['twice the size', { width: 720, height: 450, scale: 2 }],
  ['a phone', { width: 390, height: 844, scale: 3 }],
  ['the narrowest phone', { width: 320, height: 568, scale: 2 }],
]

describe.each(sizes)('at %s', (_size, { width, height, scale }) => {
  test('nothing scrolls sideways and every control is within the window', async () => {
    const page = await site().open('/spaces', {
      viewport: { width, height },
      deviceScaleFactor: scale,
      expectErrors: /404/,
    })
    const found: string[] = []
    for (const [name, address] of [...allViews, ['a page of a long name', () => longPage] as const]) {
      await page.goto(address(world))
      await page.waitForSelector('html[data-ready]', { state: 'attached' })
      found.push(...(await outside(page)).map((what) => `${name}: ${what}`))
    }

    expect(found).toEqual([])
  })
})

/** What stands outside of the window, or is cut off where nothing scrolls. */
async function outside(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) {
      found.push(`the page is ${document.documentElement.scrollWidth} wide`)
    }
    for (const column of document.querySelectorAll('#content, .nav, .log, .inbox-list, .inbox-detail')) {
      if (column.scrollWidth > column.clientWidth + 1 && column.checkVisibility()) {
        found.push(
          `${column.id || column.className} scrolls sideways: ${column.scrollWidth} > ${column.clientWidth}`,
        )
      }
    }
    for (const control of document.querySelectorAll('button, a[href], input, select, textarea, summary')) {
      const box = control.getBoundingClientRect()
      const isHidden = box.width < 2 || !control.checkVisibility({ visibilityProperty: true })
      if (
        isHidden ||
        control.closest('.skip, .board, .tab-list, pre, table, .prose, .visually-hidden, [popover]')
      )
        continue
      if (box.left < -1 || box.right > innerWidth + 1) {
        found.push(`${control.textContent?.trim().slice(0, 40) || control.id} is at ${box.left}–${box.right}`)
      }
      if (control.matches('.button')) found.push(...brokenWords(control))
    }
    return found

    /** Words of a button that go on in another line. */
    function brokenWords(button: Element): string[] {
      const broken: string[] = []
      const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        for (const { 0: word, index } of texts.currentNode.textContent?.matchAll(/\S+/g) ?? []) {
          const range = new Range()
          range.setStart(texts.currentNode, index)
          range.setEnd(texts.currentNode, index + word.length)
          if (range.getClientRects().length > 1) broken.push(`“${word}” is broken in two`)
        }
      }
      return broken
    }
  })
}

test('on a phone what can be touched is 44 pixels high, or has that much room', async () => {
  const page = await site().open('/spaces', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    expectErrors: /404/,
  })
  const small: string[] = []
  for (const [name, address] of allViews) {
    await page.goto(address(world))
    await page.waitForSelector('html[data-ready]', { state: 'attached' })
    const found = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          'button, select, input, summary, a.button, a.nav-link, .row-title',
        ),
      ]
        .filter(
          (each) =>
            each.checkVisibility({ visibilityProperty: true }) && !each.closest('.visually-hidden, .prose'),
        )
        .map((each) => ({
          each,
          box: (each.closest('label, .row-item, .page-row') ?? each).getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 2 && box.height < 43.5)
        .map(
          ({ each, box }) => `${each.className || each.id} “${each.textContent?.slice(0, 30)}” ${box.height}`,
        ),
    )
    small.push(...found.map((what) => `${name}: ${what}`))
  }

  expect([...new Set(small)]).toEqual([])
})

describe('in forced colours', () => {
  test.each(allViews)(
    'everything that can be pressed has an edge or is underlined, in %s',
    async (_name, address) => {
      const page = await site().open(address(world), { forcedColors: 'active', expectErrors: /404/ })

      const bare = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.button, .field, .filter, .badge, select, .cite, .send')]
          .filter((each) => each.checkVisibility())
          .filter((each) => {
            const { borderTopWidth, outlineStyle } = getComputedStyle(each)
            const around = each.closest('.composer-box, .quick-add, .button-quiet')
            return Number.parseFloat(borderTopWidth) === 0 && outlineStyle === 'none' && !around
          })
          .map((each) => `${each.className} “${each.textContent?.slice(0, 30)}”`),
      )

      expect(bare).toEqual([])
    },
  )
})

test('where motion is not wanted nothing moves', async () => {
  const page = await site().open('/s/skerry-light', { reducedMotion: 'reduce' })

  await page.keyboard.press('Control+k')
  await page.waitForSelector('.palette')
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((each) => {
        const { transitionDuration, animationDuration, animationName, scrollBehavior } =
          getComputedStyle(each)
        const lasts = (times: string) => times.split(', ').some((time) => Number.parseFloat(time) > 0.01)
        return (
          lasts(transitionDuration) ||
          (animationName !== 'none' && lasts(animationDuration)) ||
          scrollBehavior === 'smooth'
        )
      })
      .map((each) => each.className),
  )

  expect(moving).toEqual([])
})
