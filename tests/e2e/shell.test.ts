import { beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

describe('the shell', () => {
  test('paints its content before any script has run, and the app changes nothing about it', async () => {
    const path = `/s/skerry-light/pages/${world.lamp.id}`
    const still = await site().open(path, { javaScriptEnabled: false, signedIn: false })
    await still.fill('#token', 'owner_test-token-of-the-tests')
    await still.click('button')
    const painted = await still.locator('#content').innerText()

    const page = await site().open(path)

    expect(still.url()).toContain(path)
    expect(painted).toContain('The lamp turns once in twelve seconds.')
    // Below what was painted comes a section that code of later brings.
    const shown = await page.locator('#content').innerText()
    expect(shown.replace(/\s*What agents did here$/, '')).toBe(painted.trimEnd())
  })

  test('shows what happened between its first paint and its stream of events', async () => {
    const page = await site().open('/s/skerry-light?companion=1')
    await page.route('**/s/skerry-light/tasks', async (route) => {
      const response = await route.fetch()
      await site().owner.post(`/api/spaces/${world.space.id}/tasks`).send({ title: 'Meanwhile' }).expect(201)
      await route.fulfill({ response })
    })

    await page.goto('/s/skerry-light/tasks')

    await expect.poll(() => page.locator('#content').getByText('Meanwhile').count()).toBe(1)
  })

  test('goes from view to view, back and forward, and reloads where it is', async () => {
    const page = await site().open('/s/skerry-light?companion=1')

    await page.click('.tree-link >> text=The lamp')
    await page.waitForSelector('h1 >> text=The lamp')
    const there = page.url()
    await page.goBack()
    await page.waitForSelector('h2 >> text=Recently edited')
    await page.goForward()
    await page.waitForSelector('.prose >> text=rapeseed')
    await page.reload()

    expect(page.url()).toBe(there)
    expect(await page.title()).toBe('The lamp · Void')
  })

  test('does not shift when the app takes over', async () => {
    const page = await site().open('/s/skerry-light?companion=1')
    await page.addInitScript(() => {
      const shifts: number[] = []
      Reflect.set(globalThis, 'shifts', shifts)
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value'))
      }).observe({ type: 'layout-shift', buffered: true })
    })

    for (const path of [
      '/s/skerry-light',
      `/s/skerry-light/pages/${world.lamp.id}`,
      '/s/skerry-light/tasks',
    ]) {
      await page.goto(path)
      await whenReady(page)
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
      expect([path, await page.evaluate(() => Reflect.get(globalThis, 'shifts'))]).toEqual([path, []])
    }
  })

  test('fits a window of 320 pixels, and 200 % zoom, without a bar to scroll sideways', async () => {
    const narrow = await site().open('/s/skerry-light?companion=1', { viewport: { width: 320, height: 640 } })
    const zoomed = await site().open('/s/skerry-light?companion=1', { viewport: { width: 720, height: 450 } })

    for (const page of [narrow, zoomed]) {
      for (const path of [
        '/s/skerry-light',
        `/s/skerry-light/pages/${world.lamp.id}`,
        '/inbox',
        '/settings',
      ]) {
        await page.goto(path)
        const over = await page.evaluate(() => {
          const scroller = document.querySelector('#content')!
          return Math.max(
            scroller.scrollWidth - scroller.clientWidth,
            document.documentElement.scrollWidth - innerWidth,
          )
        })
        expect([path, over]).toEqual([path, 0])
      }
    }
  })

  test('answers an address there is nothing at with a page that says so', async () => {
    const page = await site().open('/', { expectErrors: /404/ })

    const answer = await page.goto('/s/skerry-light/nowhere')
    const strange = await page.goto('/s/no-such-space')

    expect([answer?.status(), strange?.status()]).toEqual([404, 404])
    expect(await page.locator('h1').innerText()).toBe('Space not found')
  })

  test('is clean for axe in both themes', async () => {
    const page = await site().open('/s/skerry-light?companion=1')

    await expectAccessible(page)
  })
})

test('the focus stays away from a field that was left, though the page changes at that moment', async () => {
  const page = await site().open('/s/skerry-light?companion=1')
  await page.focus('#composer')

  const focused = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const change = () => document.querySelector('#rail')?.append(document.createElement('i'))
    change()
    await frame()
    // Behind all that looks in this frame.
    await new Promise((resolve) => setTimeout(resolve))
    ;(document.activeElement as HTMLElement).blur()
    change()
    for (let count = 0; count < 6; count += 1) await frame()
    return document.activeElement?.tagName
  })

  expect(focused).toBe('BODY')
})

test('“Skip to content” moves the focus and nothing else, so that it stays where Tab takes it', async () => {
  const page = await site().open('/s/skerry-light')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))

  await page.focus('.skip')
  await page.keyboard.press('Enter')

  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  expect(new URL(page.url()).hash).toBe('')
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  expect(asked.filter((url) => url.includes('/api/spaces/'))).toEqual([])
})
