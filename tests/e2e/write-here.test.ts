// A page is written where it is read: a click puts the caret at the letter, and nothing moves.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { holdScripts } from './support/hold-scripts.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

async function makePage(title: string, body: string): Promise<string> {
  const { body: made } = await site().owner.post(`/api/spaces/${world.space.id}/pages`).send({ title, body })
  return made.id
}

const stored = async (id: string): Promise<string> => (await site().owner.get(`/api/pages/${id}`)).body.body
const open = async (id: string, options: object = {}): Promise<Page> =>
  await site().open(`/s/skerry-light/pages/${id}`, options)

const long =
  'The lamp burns rapeseed oil, and the keeper trims its wick at dusk and at midnight, when the watch changes and the book is written up for the day that was.'

/** From now on the page is loaded again once `load` is called. */
async function holdPage(page: Page, id: string) {
  const gate = Promise.withResolvers<void>()
  let asked = 0
  await page.route(`**/api/pages/${id}`, async (route) => {
    if (route.request().method() === 'GET') {
      asked += 1
      await gate.promise
    }
    await route.continue()
  })
  return { asked: () => asked, load: () => gate.resolve() }
}

/** A page with every construct. */
const everything = `---
tags: [lamp]
---
# The room

${long} Some **bold**, *slanted*, ~~struck~~ and \`code\`, a [link](https://tides.example/a) and [[The lamp|its lamp]], ==marked==.

A paragraph that is hard
wrapped in its source, on
three lines. With $x^2$ and a note[^1], #tide and <kbd>Ctrl</kbd>.

## A second heading that is so long that it goes on to another line of its own, as few of them do

- Oil
- ${long}
  - Nested in it
- Wicks

1. First
2. Second

- [ ] Fill the tank
- [x] Trim the wick

### Third

> A quotation of words,
> on two lines.

> [!warning] Mind the glass
> It is hot.
>
> Very.

| Day | Tide |
| --- | --- |
| Mon | 4 |
| Tue | |

\`\`\`js
turn()
  .twice()
\`\`\`

---

$$
E = mc^2
$$

%% A comment. %%

#### Fourth

Last line. %%within%%

[^1]: What it says.
`

type Rect = { tag: string; top: number; bottom: number; height: number; left: number; width: number }

/** Where each block of the text lies, whatever shows it; of the open one, by its lines. */
const blocksOf = (page: Page): Promise<Rect[]> =>
  page.evaluate(() => {
    const prose = document.querySelector('.page-main > .prose')!
    const round = (n: number) => Math.round(n * 10) / 10
    return [...prose.children]
      .filter((node) => !node.matches('.prose-inline'))
      .map((node) => {
        const { top, bottom, height, left, width } = node.getBoundingClientRect()
        return {
          tag: node.tagName,
          top: round(top),
          bottom: round(bottom),
          height: round(height),
          left: round(left),
          width: round(width),
        }
      })
  })

const linesOf = (page: Page): Promise<{ top: number; bottom: number } | null> =>
  page.evaluate(() => {
    const root = document.querySelector('.page-main > .prose')!.shadowRoot!
    const lines = [...root.querySelectorAll('.cm-line')].map((line) => line.getBoundingClientRect())
    const seen = lines.filter(({ height }) => height > 0)
    return seen.length === 0
      ? null
      : { top: Math.round(seen[0]!.top * 10) / 10, bottom: Math.round(seen.at(-1)!.bottom * 10) / 10 }
  })

/** The end of some words as they stand on the screen. */
const placeOf = (page: Page, words: string): Promise<{ x: number; y: number }> =>
  page.evaluate((text) => {
    const walker = document.createTreeWalker(
      document.querySelector('.page-main > .prose')!,
      NodeFilter.SHOW_TEXT,
    )
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent!.indexOf(text)
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + text.length)
      const { right, top, bottom } = [...range.getClientRects()].at(-1)!
      return { x: right, y: (top + bottom) / 2 }
    }
    throw new Error(`No ${text}`)
  }, words)

describe('a click in the text', () => {
  test.each([
    'keeper trims',
    'hard\nwrapped',
    'second heading',
    'Oil',
    'Nested',
    'Second',
    'Fill the',
    'Third',
    'quotation of',
    'It is',
    'turn',
    'Fourth',
    'Last',
  ])('at %j puts the caret there, and moves no block', async (words) => {
    const id = await makePage(`Still ${words}`, everything)
    const page = await open(id)
    await page.waitForSelector('.math-drawn')
    const place = await placeOf(page, words)
    await page.evaluate((y) => document.querySelector('#content')!.scrollBy(0, y - 400), place.y)
    const at = await placeOf(page, words)
    const before = await blocksOf(page)
    const opened = before.findIndex(({ top, height }) => top <= at.y && at.y <= top + height)

    await page.mouse.click(at.x, at.y)
    await page.waitForSelector('.page[data-writing] .cm-focused')
    const after = await blocksOf(page)
    const lines = await linesOf(page)
    await page.keyboard.type('^^')

    // What is far out of sight has no place.
    const still = after.flatMap((rect, index) => (rect.height > 0 && index !== opened ? [index] : []))
    expect(still.length).toBeGreaterThan(5)
    expect(still.map((index) => after[index])).toEqual(still.map((index) => before[index]))
    expect(lines).toEqual({ top: before[opened]!.top, bottom: before[opened]!.bottom })
    await expect
      .poll(async () => (await stored(id)).replace(/\s+/g, ' '))
      .toContain(`${words.replace('\n', ' ')}^^`)
  })
})

test('tags, footnotes and keys within the paragraph stay where they are', async () => {
  const body = 'Words, then #tide, a note[^1], and <kbd>Ctrl</kbd>, and the end.\n\n[^1]: What it says.\n'
  const page = await open(await makePage('Within', body))
  const drawnOf = () =>
    page.evaluate(() => {
      const shown = [...document.querySelectorAll('.page-main > .prose :is(a.tag, sup.footnote, kbd)')]
      return shown.flatMap((each) => {
        const { left, top, width } = each.getBoundingClientRect()
        // The page's own, in whose place a copy stands, are not drawn.
        return width > 0 ? [[each.textContent, ...[left, top, width].map(Math.round)]] : []
      })
    })
  await page.waitForSelector('.prose sup.footnote')
  const before = await drawnOf()
  const at = await placeOf(page, 'Words')

  await page.mouse.click(at.x, at.y)
  await page.waitForSelector('.cm-focused')

  expect(before).toHaveLength(3)
  await expect.poll(drawnOf).toEqual(before)
})

test('the title, the properties and the place of scrolling stay, too, and Escape changes none of it', async () => {
  const page = await open(await makePage('Stays', everything))
  await page.waitForSelector('.math-drawn')
  const headOf = () =>
    page.evaluate(() =>
      ['.page-title-row > h1', '.page-meta', '.properties', '.outline'].map((selector) => {
        const { top, left, height } = document.querySelector(selector)!.getBoundingClientRect()
        return [top, left, height].map(Math.round)
      }),
    )
  await page.evaluate(() => document.querySelector('#content')!.scrollTo(0, 60))
  const before = [await headOf(), await blocksOf(page)]
  const at = await placeOf(page, 'keeper trims')

  await page.mouse.click(at.x, at.y)
  await page.waitForSelector('.cm-focused')
  const during = await headOf()
  await page.keyboard.press('Escape')
  await page.waitForSelector('.page:not([data-writing])')
  await page.waitForSelector('.math-drawn')

  expect(during).toEqual(before[0])
  await expect.poll(async () => [await headOf(), await blocksOf(page)]).toEqual(before)
})

test('what is typed is saved, and Escape leaves the text where it is', async () => {
  const id = await makePage('Typed', 'One.\n\nTwo.\n\nThree.\n')
  const page = await open(id)
  const at = await placeOf(page, 'Two')

  await page.mouse.click(at.x, at.y)
  await page.waitForSelector('.cm-content')
  await page.keyboard.type(' and a half')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.page:not([data-writing])')

  await expect.poll(() => stored(id)).toBe('One.\n\nTwo and a half.\n\nThree.\n')
  await page.waitForSelector('.page-main > .prose >> text=Two and a half.')
})

test('E begins at the place in view, and a click outside leaves', async () => {
  const id = await makePage('In view', Array.from({ length: 60 }, (_, n) => `Line ${n}.`).join('\n\n'))
  const page = await open(id)
  await page.evaluate(() => document.querySelector('#content')!.scrollTo(0, 1000))
  const scrolled = () => page.evaluate(() => document.querySelector('#content')!.scrollTop)

  await page.keyboard.press('e')
  await page.waitForSelector('.cm-focused')
  const top = await scrolled()
  await page.keyboard.type('Here: ')
  await page.mouse.click(262, 500)
  await page.waitForSelector('.page:not([data-writing])')

  expect(top).toBe(1000)
  await expect.poll(() => stored(id)).toMatch(/\n\nHere: Line (?:19|2\d)\./)
})

test('a click on a link follows it, a selection is only one, and Enter begins to write', async () => {
  const page = await open(await makePage('Links', 'Words and [[The lamp]].\n\nEnd.'))

  await page.dblclick('.prose p >> text=End.')
  const selected = await page.evaluate(() => String(getSelection()))
  await page.keyboard.press('Escape')
  await page.waitForSelector('.page:not([data-writing])')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.cm-focused')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.page:not([data-writing])')
  await page.click('.prose a.wikilink')
  await page.waitForURL(`**/pages/${world.lamp.id}`)

  expect(selected.length).toBeLessThan(5)
})

test('Escape leaves the text also while some of it is selected', async () => {
  const page = await open(await makePage('Selected', 'The keeper trims the wick.'))
  await page.click('.prose p')
  await page.waitForSelector('.cm-focused')
  await page.dblclick('.cm-content >> text=keeper')
  await expect.poll(() => page.evaluate(() => String(getSelection()))).not.toBe('')

  await page.keyboard.press('Escape')

  await page.waitForSelector('.page:not([data-writing])')
})

describe('what is typed before the editor is loaded', () => {
  /** Opens a page whose scripts of the editor come once `load` is called, and clicks in its text. */
  async function beginSlowly(title: string) {
    const id = await makePage(title, 'One.\n\nTwo.')
    const page = await open(id)
    const { held, load } = await holdScripts(page, /Could not load the editor\. You can write/)
    await page.getByText('Two.').click()
    await expect.poll(held).toBeGreaterThan(0)
    return { id, page, load }
  }

  test('is written, and none of it is a shortcut', async () => {
    const { id, page, load } = await beginSlowly('Typed early')

    await page.keyboard.press('End')
    await page.keyboard.type('hmnn')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('c')
    load()
    await page.waitForSelector('.cm-focused')
    await page.keyboard.press('Escape')

    await expect.poll(() => stored(id)).toContain('hmnc')
    expect(new URL(page.url()).pathname).toBe(`/s/skerry-light/pages/${id}`)
  })

  test('Escape leaves it as it was, and Enter behind it begins anew', async () => {
    const { id, page, load } = await beginSlowly('Left early')
    await page.keyboard.press('Escape')
    load()
    await page.waitForFunction(() => !location.search.includes('edit'))
    await page.waitForSelector('.page:not([data-writing])')
    const next = await beginSlowly('Left and begun')
    await next.page.keyboard.press('Escape')
    await next.page.keyboard.press('Enter')
    next.load()
    await next.page.waitForSelector('.cm-focused')
    await next.page.keyboard.type('Now ')
    await next.page.keyboard.press('Escape')

    await expect.poll(() => stored(next.id)).toMatch(/Now /)
    expect(await stored(id)).toBe('One.\n\nTwo.')
  })

  test('goes on where the page is drawn anew meanwhile', async () => {
    const { id, page, load } = await beginSlowly('Drawn early')
    load()
    await page.waitForSelector('.cm-focused')
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Three.')
    const { asked, load: redraw } = await holdPage(page, id)
    await page.keyboard.press('Escape')
    await expect.poll(asked).toBeGreaterThan(0)
    await page.keyboard.press('e')
    await page.keyboard.type('Zero. ')
    await page.waitForSelector('.cm-focused')
    redraw()

    await expect.poll(() => stored(id)).toBe('Zero. One.\n\nTwo. Three.')
  })
})

test('dragging over words selects them, and the page stays one that is read', async () => {
  const page = await open(await makePage('Dragged', 'The keeper trims the wick.\n\nThen he sleeps.'))
  const from = await placeOf(page, 'keeper')
  const to = await placeOf(page, 'sleeps')

  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.up()
  const selected = await page.evaluate(() => String(getSelection()))

  expect(selected).toMatch(/the wick\.\s+Then he/)
  expect(await page.locator('.page[data-writing]').count()).toBe(0)
  expect(await page.locator('.cm-content').count()).toBe(0)
})

test('what is written anew is drawn once the caret has left it: formulas, icons, colours and diagrams', async () => {
  const page = await open(await makePage('Fresh', 'Above.'))
  await page.getByText('Above.').click()
  await page.waitForSelector('.cm-focused')
  await page.keyboard.press('End')
  const blocks = [
    '> [!tip] Trim it',
    'With $x^2$.',
    '```js\nconst lit = true\n```',
    '```mermaid\ngraph TD;A-->B\n```',
  ]
  for (const block of blocks) await page.keyboard.insertText(`\n\n${block}`)
  await page.keyboard.insertText('\n\nBelow.')

  const seen = (selector: string) =>
    page.locator(`.page[data-writing] .prose ${selector}`).filter({ visible: true }).waitFor()
  await seen('.callout-title > svg')
  await seen('.math-drawn')
  await seen('.code-keyword')
  await seen('.diagram > img')
  expect(await page.locator('.page[data-writing] .cm-focused').count()).toBe(1)
})

test('a whole note is written in one go: heading, list, link, picture and tag', async () => {
  const id = await makePage('Care', 'The lens is cleaned on Mondays.')
  const page = await open(id, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 40 })
    const picture = await new Promise<Blob>((done) => canvas.toBlob((blob) => done(blob!), 'image/png'))
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
  })
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  await page.getByText('The lens is cleaned').click()
  await page.waitForSelector('.cm-focused')
  await press('End', 'Enter', 'Enter')
  await page.keyboard.type('## It needs')
  await press('Enter')
  await page.keyboard.type('- a cloth')
  await press('Enter', 'Enter')
  await page.keyboard.type('See [[The la')
  await page.waitForSelector('.cm-tooltip-autocomplete')
  await expect.poll(() => page.locator('.cm-tooltip-autocomplete').innerText()).toContain('The lamp')
  await press('Enter', 'Enter', 'Enter', 'Control+V')
  await expect.poll(() => stored(id)).toContain('Pasted image')
  await page.keyboard.type(' #upkeep')

  await expect
    .poll(() => stored(id))
    .toMatch(
      /^The lens is cleaned on Mondays\.\n\n## It needs\n- a cloth\n\nSee \[\[The lamp\]\]\n\n!\[\[Pasted image [^\]]+\]\] #upkeep$/,
    )
  await press('Escape')
  await page.locator('.prose > p img').waitFor()
  await page.locator('.prose .tag', { hasText: '#upkeep' }).waitFor()
})

test('code keeps its colours while its source is written', async () => {
  const page = await open(await makePage('Code', 'Above.\n\n```js\nconst lit = true\n```\n\nBelow.'))
  const colour = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).color)
  await page.waitForSelector('pre .code-keyword')
  const read = await colour('pre .code-keyword')
  const at = await placeOf(page, 'lit')

  await page.mouse.click(at.x, at.y)
  await page.waitForSelector('.cm-focused')
  const written = page.locator('.md-code-line .code-keyword')
  await written.waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('let x')

  expect(await colour('.md-code-line .code-keyword')).toBe(read)
  await page.locator('.md-code-line .code-keyword >> text=let').waitFor()
})

test.each([
  [
    'the menu of the page',
    async (page: Page) => {
      await page.getByRole('button', { name: 'More actions' }).first().click()
      await page.getByRole('menuitem', { name: 'Toggle Markdown source' }).click()
    },
  ],
  [
    'the palette',
    async (page: Page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('markdown source')
      await page.getByRole('option', { name: /Toggle Markdown source/ }).click()
    },
  ],
])('the source is shown from %s, and is remembered', async (_, toggle) => {
  const page = await open(await makePage('Marks', 'Some **bold** words.'))

  await toggle(page)
  await page.locator('.cm-content >> text=**bold**').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForSelector('.page:not([data-writing])')
  await page.keyboard.press('e')

  await expect.poll(() => page.locator('.cm-content').innerText()).toContain('**bold**')
})

test('what is written can be undone after the text was left', async () => {
  const id = await makePage('Undone', 'One.\n\nTwo.')
  const page = await open(id)
  const at = await placeOf(page, 'Two')

  await page.mouse.click(at.x, at.y)
  await page.waitForSelector('.cm-focused')
  await page.keyboard.type(' more')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.page:not([data-writing])')
  await expect.poll(() => stored(id)).toBe('One.\n\nTwo more.')
  await page.keyboard.press('e')
  await page.waitForSelector('.cm-focused')
  await page.keyboard.press('Control+z')

  await expect.poll(() => stored(id)).toBe('One.\n\nTwo.')
})

test.each([
  ['', false],
  [', though a change from elsewhere has it drawn once more', true],
])('is written again while it is being drawn anew, from what was written last%s', async (_, isChanged) => {
  const id = await makePage('Again', 'One.\n\nTwo.')
  const page = await open(id, { expectErrors: /409/ })
  const at = await placeOf(page, 'Two')
  await page.mouse.click(at.x, at.y)
  await page.waitForSelector('.cm-focused')
  await page.keyboard.type(' more')
  const { asked, load } = await holdPage(page, id)

  await page.keyboard.press('Escape')
  await page.waitForSelector('.page:not([data-writing])')
  // The event of its own save may have it drawn once more.
  await expect.poll(asked).toBeGreaterThan(0)
  const before = asked()
  if (isChanged) {
    await site().owner.patch(`/api/pages/${id}`).send({ position: 7, version: 2 }).expect(200)
    await expect.poll(asked).toBeGreaterThan(before)
  }
  await page.keyboard.press('e')
  await page.waitForSelector('.page[data-writing] .cm-focused')
  const loaded = page.waitForResponse(`**/api/pages/${id}/place`)
  load()
  await loaded
  await page.keyboard.press('Control+z')
  await expect.poll(() => stored(id)).toBe('One.\n\nTwo.')
  await page.keyboard.press('Control+y')
  await expect.poll(() => stored(id)).toBe('One.\n\nTwo more.')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Three.')
  await page.keyboard.press('Escape')

  await expect.poll(() => stored(id)).toBe('One.\n\nTwo more. Three.')
})

test.each([
  ['> The lamp', '> **The lamp**'],
  ['- Oil\n- Wicks', '- **Oil**\n- **Wicks**'],
  ['1. [ ] Fill it', '1. [ ] **Fill it**'],
  ['> [!note] Mind\n> the glass', '> [!note] **Mind**\n> **the glass**'],
])('Ctrl+B on all of %j puts the marks around the words', async (body, bold) => {
  const id = await makePage('Bold', body)
  const page = await open(id)

  await page.keyboard.press('e')
  await page.waitForSelector('.cm-focused')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+b')
  await expect.poll(() => stored(id)).toBe(bold)
  await page.keyboard.press('Control+b')

  await expect.poll(() => stored(id)).toBe(body)
})

test('back and forward show each entry at the place that it was left at', async () => {
  const lines = Array.from({ length: 120 }, (_, n) => `Line ${n}.`).join('\n\n')
  const other = await makePage('B', lines)
  const page = await open(await makePage('A', `${lines}\n\nTo [[B]].`))
  const scrolled = () => page.evaluate(() => Math.round(document.querySelector('#content')!.scrollTop))
  const scrollTo = async (top: number) => {
    await page.evaluate((y) => document.querySelector('#content')!.scrollTo(0, y), top)
    await expect.poll(() => page.evaluate(() => history.state?.scroll)).toBe(top)
  }
  await page.waitForSelector('h1 >> text=A')
  await page.evaluate(() => document.querySelector('#content')!.scrollTo(0, 3000))
  await page.evaluate(() => document.querySelector<HTMLElement>('.prose a.wikilink')!.click())
  await page.waitForURL(`**/pages/${other}`)
  await page.waitForSelector('h1 >> text=B')
  await scrollTo(700)

  await page.goBack()
  await page.waitForSelector('h1 >> text=A')
  await expect.poll(scrolled).toBe(3000)
  await page.goForward()
  await page.waitForSelector('h1 >> text=B')

  await expect.poll(scrolled).toBe(700)
})

test('a title that is edited while the page is drawn anew keeps what is typed', async () => {
  const id = await makePage('Round', 'One.')
  const page = await open(id)
  await page.getByText('One.').click()
  await page.waitForSelector('.cm-focused')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Two.')
  const { asked, load } = await holdPage(page, id)

  await page.keyboard.press('Escape')
  await expect.poll(asked).toBeGreaterThan(0)
  await page.keyboard.press('F2')
  await page.keyboard.type('Even')
  const loaded = page.waitForResponse(`**/api/pages/${id}/place`)
  load()
  await loaded
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  await page.keyboard.type('ing round')
  await page.keyboard.press('Enter')

  await expect.poll(async () => (await site().owner.get(`/api/pages/${id}`)).body.title).toBe('Evening round')
  expect(await stored(id)).toBe('One. Two.')
})
