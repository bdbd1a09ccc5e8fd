// Every view: at every width and at twice the size nothing scrolls sideways and what can be pressed is all there; in forced
// colours it has an edge; axe finds nothing in both themes, on wide and on small screens.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { allViews, type FullWorld, makeFullWorld } from './support/all-views.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

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

const views = [...allViews, ['a page of a long name', () => longPage] as const] as typeof allViews

/** 720 pixels are 1440 at twice the size. */
const desks = [
  { width: 1024, height: 768 },
  { width: 720, height: 450 },
  { width: 1440, height: 900 },
]
const phones = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
]

describe('on a desk', () => {
  let page: Page

  beforeAll(async () => {
    page = await site().open('/spaces', { alone: true, kept: true, expectErrors: /404/ })
  })

  test.each(views)('%s fits, has edges in forced colours, and is clean for axe', async (_name, address) => {
    await page.setViewportSize(desks[0]!)
    await page.goto(address(world))
    await whenReady(page)

    for (const size of desks) {
      await page.setViewportSize(size)
      expect([size.width, ...(await outside(page))]).toEqual([size.width])
    }
    expect(await offScale(page)).toEqual([])
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await withoutEdge(page)).toEqual([])
    await page.emulateMedia({ forcedColors: 'none' })
    await expectAccessible(page)
    await page.setViewportSize(phones[1]!)
    await expectAccessible(page)
  })
})

test('on a phone every view fits, and what can be touched is 44 pixels high, or has that much room', async () => {
  const page = await site().open('/spaces', {
    viewport: phones[1]!,
    hasTouch: true,
    isMobile: true,
    expectErrors: /404/,
  })
  const found: string[] = []
  for (const [name, address] of views) {
    await page.goto(address(world))
    await whenReady(page)
    const small = name === 'a page of a long name' ? [] : await tooSmall(page)
    found.push(...small.map((what) => `${name}: ${what}`))
    for (const size of phones) {
      await page.setViewportSize(size)
      found.push(...(await outside(page)).map((what) => `${name} at ${size.width}: ${what}`))
    }
  }

  expect([...new Set(found)]).toEqual([])
}, 120_000)

test('the text of a page has its lines and spaces, and so has what is listed', async () => {
  const { body: made } = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({
    title: 'Measures',
    body: 'One.\n\n## Two\n\nTwo.\n\n- Of a list\n\n## Three\n\nThree.\n\n### Four\n\nFour.\n\n- [ ] Tick\n\n- [ ] Tock\n',
  })
  const page = await site().open(`/s/skerry-light/pages/${made.id}`)

  const measured = await page.evaluate(() => {
    const prose = document.querySelector('.page-main > .prose')!
    const line = (selector: string) => {
      const { fontSize, lineHeight } = getComputedStyle(document.querySelector(selector)!)
      return `${fontSize} ${lineHeight}`
    }
    const above = [...prose.querySelectorAll(':scope > :is(h2, h3)')].map(
      (heading) =>
        heading.getBoundingClientRect().top - heading.previousElementSibling!.getBoundingClientRect().bottom,
    )
    return {
      title: line('.page-title'),
      body: line('.page-main > .prose > p'),
      h2: line('.page-main > .prose > h2'),
      h3: line('.page-main > .prose > h3'),
      nav: line('.tree-link'),
      above,
      width: prose.getBoundingClientRect().width,
      bullets: [...prose.querySelectorAll('li:has(input)')].map(
        (item) => getComputedStyle(item).listStyleType,
      ),
    }
  })

  expect(measured).toEqual({
    title: '28px 36px',
    body: '16px 26px',
    h2: '20px 28px',
    h3: '16px 24px',
    nav: '14px 21px',
    above: [40, 40, 24],
    width: 680,
    bullets: ['none', 'none'],
  })
})

test('with a draft in the rail one button is filled', async () => {
  const at = `/api/spaces/${world.space.id}/companion/turn`
  await site().owner.post(at).send({ text: 'Create a task to polish the lens' })
  const page = await site().open('/s/skerry-light?companion=1')

  for (const path of ['/s/skerry-light', '/s/skerry-light/projects', `/inbox/${world.draft}`]) {
    await page.goto(`${path}?companion=1`)
    await whenReady(page)
    await page.locator('.rail .card').last().waitFor()
    expect([path, ...(await filled(page))]).toHaveLength(2)
  }
})

test('where motion is not wanted nothing moves', async () => {
  const page = await site().open('/s/skerry-light?companion=1', { reducedMotion: 'reduce' })

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

/** Text in a size, line or weight, or a date in a form, that the interface does not have; and a second filled button. */
async function offScale(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found = new Set<string>()
    // What is pressed, and a heading with something to press beside it, may have another line.
    const lines: Record<string, string[]> = {
      '12px': ['16px', '20px'],
      '14px': ['21px', '20px', '24px'],
      '16px': ['26px', '24px'],
      '20px': ['28px'],
      '28px': ['36px'],
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim() ?? ''
      const element = texts.currentNode.parentElement
      if (text === '' || !element?.checkVisibility({ visibilityProperty: true })) continue
      if (element.closest('script, style, .visually-hidden, .math-drawn, svg')) continue
      const { fontSize, fontWeight, lineHeight } = getComputedStyle(element)
      const where = `${element.tagName}.${element.className} “${text.slice(0, 30)}”`
      if (!['12px', '14px', '16px', '20px', '28px'].includes(fontSize)) found.add(`${fontSize}: ${where}`)
      const isPlain = !element.closest('pre, code, kbd, .prose, .space-mark')
      if (isPlain && lines[fontSize]?.includes(lineHeight) === false)
        found.add(`${fontSize}/${lineHeight}: ${where}`)
      if (!['400', '500', '600'].includes(fontWeight)) found.add(`weight ${fontWeight}: ${where}`)
      // What the owner or an agent wrote stays as it is written.
      const isWritten = element.closest(
        '.prose, .cm-content, .diff, .card-body, bdi, code, a, h1, td, dd, .result-text',
      )
      if (!isWritten && /\b\d{4}-\d\d-\d\d\b|\d\d:\d\d:\d\d/.test(text)) found.add(`date: ${where}`)
    }
    const filled = [
      ...document.querySelectorAll('.desk .button-primary, .button-approve, .button-delete'),
    ].filter(
      (button) =>
        button.checkVisibility({ visibilityProperty: true }) &&
        button.matches(':enabled, a') &&
        getComputedStyle(button).backgroundColor !== 'rgba(0, 0, 0, 0)',
    )
    if (filled.length > 1) found.add(filled.map(({ textContent }) => textContent?.trim()).join(' | '))
    return [...found]
  })
}

/** The words of the filled buttons of the whole window. */
const filled = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.frame :is(.button-primary, .button-approve, .button-delete)')]
      .filter(
        (button) =>
          button.checkVisibility({ visibilityProperty: true }) &&
          button.matches(':enabled, a') &&
          getComputedStyle(button).backgroundColor !== 'rgba(0, 0, 0, 0)',
      )
      .map(({ textContent }) => textContent?.trim()),
  )

/** What can be pressed and has neither an edge nor a line below. */
async function withoutEdge(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.button, .field, .filter, .badge, select, .cite, .send')]
      .filter((each) => each.checkVisibility())
      .filter((each) => {
        const { borderTopWidth, outlineStyle } = getComputedStyle(each)
        const around = each.closest('.composer-box, .quick-add, .button-quiet')
        return Number.parseFloat(borderTopWidth) === 0 && outlineStyle === 'none' && !around
      })
      .map((each) => `${each.className} “${each.textContent?.slice(0, 30)}”`),
  )
}

/** What is less than 44 pixels high. */
async function tooSmall(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
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
}
