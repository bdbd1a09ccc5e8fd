// A hand on the keyboard and nothing else: it finds its way with Tab, and sees to it at every stop that the focus is
// somewhere, that it is seen, and that the thing has a name.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What has the focus, looked up within shadow roots too. */
type Stop = {
  /** `BODY` when nothing has it. */
  tag: string
  id: string
  name: string
  /** Whether one who looks can tell that it has the focus. */
  seen: boolean
}

export type Hand = {
  /** Presses keys one after the other. Afterwards the focus has to be somewhere. */
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Goes on with Tab until what has the focus is called so, or has this `#id`. */
  tabTo(wanted: string | RegExp, options?: { back?: boolean }): Promise<void>
  /** Tab until what has the focus is called so, and then Enter. */
  pressOn(wanted: string | RegExp, options?: { back?: boolean }): Promise<void>
  /** Waits until the focus is at what is called so. */
  expectAt(wanted: string | RegExp): Promise<void>
  /** Waits until the focus is anywhere but on the bare page. */
  expectSomewhere(): Promise<void>
  /** Every stop of Tab, from where the focus is until it comes round. Fails when it cannot get out of somewhere. */
  goRound(): Promise<Stop[]>
}

const maxStops = 400

export function handOn(page: Page): Hand {
  const hand: Hand = {
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key)
      await hand.expectSomewhere()
    },

    async type(text) {
      await page.keyboard.type(text)
    },

    async tabTo(wanted, { back = false } = {}) {
      const passed: string[] = []
      for (let count = 0; count < maxStops; count += 1) {
        await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
        const stop = await stopOf(page)
        if (isCalled(stop, wanted)) return expectSeen(stop)
        passed.push(stop.name || stop.id || stop.tag)
      }
      throw new Error(`Tab never came to ${wanted}; it came to ${passed.slice(0, 60).join(' · ')}`)
    },

    async pressOn(wanted, options) {
      await hand.tabTo(wanted, options)
      await page.keyboard.press('Enter')
    },

    async expectAt(wanted) {
      await expect.poll(async () => describeStop(await stopOf(page), wanted)).toBe(String(wanted))
      expectSeen(await stopOf(page))
    },

    async expectSomewhere() {
      await expect.poll(async () => (await stopOf(page)).tag).not.toBe('BODY')
    },

    async goRound() {
      const stops: Stop[] = []
      for (let count = 0; count < maxStops; count += 1) {
        await page.keyboard.press('Tab')
        const stop = await stopOf(page)
        // Past the last one the focus leaves the page, and comes in again at the first.
        if (stop.tag === 'BODY') return stops
        stops.push(stop)
      }
      const last = stops.slice(-6).map(({ name, id, tag }) => name || id || tag)
      throw new Error(`Tab never comes round; it goes on among ${last.join(' · ')}`)
    },
  }
  return hand
}

function isCalled({ id, name }: Stop, wanted: string | RegExp): boolean {
  if (typeof wanted !== 'string') return wanted.test(name)
  return wanted.startsWith('#') ? id === wanted.slice(1) : name === wanted
}

const describeStop = (stop: Stop, wanted: string | RegExp): string =>
  isCalled(stop, wanted) ? String(wanted) : `${stop.tag} #${stop.id} “${stop.name}”`

function expectSeen(stop: Stop): void {
  expect(stop, 'the focus is there but nothing shows it').toMatchObject({ seen: true })
}

async function stopOf(page: Page): Promise<Stop> {
  return await page.evaluate(() => {
    let focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    if (!focused || focused === document.body) return { tag: 'BODY', id: '', name: '', seen: false }

    const labelled = focused.getAttribute('aria-labelledby')?.split(' ') ?? []
    const labels = 'labels' in focused ? [...((focused.labels as NodeListOf<HTMLElement> | null) ?? [])] : []
    const name =
      focused.getAttribute('aria-label') ??
      (labelled.map((id) => document.getElementById(id)?.textContent).join(' ') ||
        labels.map((label) => label.innerText).join(' ') ||
        (focused instanceof HTMLElement && focused.innerText) ||
        focused.getAttribute('title') ||
        focused.getAttribute('placeholder') ||
        '')
    return {
      tag: focused.tagName,
      id: focused.id,
      name: name.replace(/\s+/g, ' ').trim(),
      seen: isSeen(focused),
    }

    function isSeen(element: Element): boolean {
      // In a text the caret shows it, and the column that scrolls has no edge of its own to show.
      if (element.matches('.cm-content, .edit-plain, #content, .log, h1, h2, h3, h4, h5, h6')) return true
      const box = element.getBoundingClientRect()
      const inside = box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight
      // A control that is out of sight, such as a file chooser, is shown by the label that wraps it.
      const shown = [element, element.parentElement, element.parentElement?.parentElement]
      return inside && shown.some((each) => each && hasMark(each))
    }

    function hasMark(element: Element): boolean {
      const after = getComputedStyle(element, '::after')
      const { boxShadow } = getComputedStyle(element)
      const drawn = after.content !== 'none' && after.backgroundColor !== 'rgba(0, 0, 0, 0)'
      return isOutlined(getComputedStyle(element)) || isOutlined(after) || boxShadow !== 'none' || drawn
    }

    function isOutlined({ outlineStyle, outlineWidth, outlineColor }: CSSStyleDeclaration): boolean {
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0 && !/, 0\)$/.test(outlineColor)
    }
  })
}
