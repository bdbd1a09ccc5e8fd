// What goes wrong while the companion answers, each with its words and its way on.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CallModel, ModelError, noUsage } from '../../lib/ai/model.ts'
import { ownerToken } from '../helpers/build-app.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { useSite } from './support/site.ts'
import { whenAnswered } from './support/when-answered.ts'

const home = '/s/skerry-light'
const paragraph = 'The **lamp** turns once in twelve seconds.\n\n- oil\n- wick\n\n```\nturn()\n```\n\n'

/** Released by the test, so that an answer is under way for as long as the test wants. */
let gate = Promise.withResolvers<void>()
let overloads = 0

const callModel: CallModel = async ({ messages, onTextDelta, signal }) => {
  const asked = JSON.stringify(messages.at(-1)?.content)
  const say = (text: string, stopReason = 'end_turn') => {
    onTextDelta?.(text)
    return { text, content: [{ type: 'text' as const, text }], toolUses: [], stopReason, usage: noUsage }
  }
  if (asked.includes('refuse')) return say('', 'refusal')
  if (asked.includes('cut')) return say('The lamp turns once in', 'max_tokens')
  if (asked.includes('key'))
    throw new ModelError('model_unauthorized', 'The model provider rejected the API key.', {
      retryable: false,
    })
  if (asked.includes('overload') && overloads++ === 0) {
    onTextDelta?.('The lamp turns ')
    throw new ModelError('model_overloaded', 'The model is overloaded.', { retryable: true })
  }
  if (!asked.includes('long')) return say('It turns.')

  onTextDelta?.(paragraph.repeat(20))
  const stopped = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason)),
  )
  await Promise.race([gate.promise, stopped])
  return say(paragraph)
}

const site = useSite({ callModel })
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.keyboard.press('Enter')
}

const lastEnding = (page: Page) => page.locator('.turn >> nth=-1').locator('.ending')

describe('an answer', () => {
  test('is stopped with Escape, keeps its text, and can be asked for again', async () => {
    const page = await site().open(`${home}?companion=1`)
    await say(page, 'a long one')
    await page.waitForSelector('.send-stop:visible')
    await page.waitForSelector('.turn >> nth=-1 >> text=wick')
    await page.keyboard.press('Escape')

    await lastEnding(page).waitFor()
    expect(await lastEnding(page).innerText()).toContain('Stopped')
    expect(await page.locator('.turn >> nth=-1').innerText()).toContain('The lamp turns once')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer')

    gate.resolve()
    await lastEnding(page).getByRole('button', { name: 'Retry' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 2)
    await page.waitForSelector('.send:not(.send-stop):visible')
    await lastEnding(page).waitFor({ state: 'detached' })
  })

  test('says what is wrong: overloaded, refused key, declined, cut off', async () => {
    const page = await site().open(`${home}?companion=1`)
    const seen: string[] = []
    for (const words of ['overload', 'key', 'refuse', 'cut']) {
      const before = await page.locator('.ending').count()
      await say(page, words)
      await page.waitForFunction((count) => document.querySelectorAll('.ending').length > count, before)
      await page.waitForSelector('.send:not(.send-stop):visible')
      seen.push((await lastEnding(page).locator('strong').textContent()) ?? '')
    }

    expect(seen).toEqual(['Model overloaded', 'API key rejected', 'Declined', 'Truncated'])
    expect(await lastEnding(page).innerText()).toContain('Ask to continue')
    expect(await page.locator('.ending a[href="/settings/model"]').count()).toBe(1)
  })

  test('is followed to its end, but not under a reader who has scrolled up', async () => {
    gate = Promise.withResolvers()
    const page = await site().open(`${home}?companion=1`)
    await page.locator('.rail-head').getByLabel('New thread', { exact: true }).click()
    await page.waitForSelector('.thread-empty')
    await say(page, 'a long one')
    await page.waitForFunction(() => document.querySelectorAll('.turn .prose').length > 40)
    const log = page.locator('.log')
    await log.hover()
    await page.mouse.wheel(0, -400)
    await page.waitForSelector('.to-end:visible')
    const topOf = () =>
      page.evaluate(() => document.querySelector('.turn .prose')?.getBoundingClientRect().top)
    // A wheel is followed for a moment.
    let before = await topOf()
    await expect
      .poll(
        async () => {
          const last = before
          before = await topOf()
          return before === last
        },
        { interval: 150 },
      )
      .toBe(true)

    gate.resolve()
    await page.waitForSelector('.send:not(.send-stop):visible')

    // What grows is made up for before the frame is shown, and may be seen here before that.
    await expect.poll(async () => Math.abs((await topOf())! - before!)).toBeLessThan(2)
    await page.click('.to-end')
    expect(await log.evaluate((element) => element.scrollTop)).toBe(0)
  })

  test('goes to the thread that was asked for, however long that takes to be made', async () => {
    const page = await site().open(`${home}?companion=1`)
    const made = Promise.withResolvers<void>()
    await page.route('**/conversations', async (route) => {
      if (route.request().method() === 'POST') await made.promise
      await route.continue()
    })
    await page.locator('.rail-head').getByLabel('New thread', { exact: true }).click()
    await say(page, 'the first words there')
    made.resolve()

    await page.waitForSelector('.turn >> text=the first words there')
    await page.waitForSelector('.send:not(.send-stop):visible')
    expect(await page.locator('.turn').count()).toBe(1)
    await page.reload()
    await page.waitForSelector('.turn >> text=the first words there')
    expect(await page.locator('.turn').count()).toBe(1)
  })

  test('is not wiped by what the server told before the question was asked', async () => {
    const page = await site().open(`${home}?companion=1`)
    await page.locator('.rail-head').getByLabel('New thread', { exact: true }).click()
    await page.waitForSelector('.thread-empty')
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(
      /\/api\/spaces\/[^/]+\/companion$/,
      async (route) => {
        const old = await route.fetch()
        asked.resolve()
        await told.promise
        await route.fulfill({ response: old })
      },
      { times: 1 },
    )
    const { body } = await site().owner.get(`/api/spaces/${world.space.id}/companion`)
    const path = `/api/spaces/${world.space.id}/conversations/${body.conversation_id}`
    await site().owner.patch(path).send({ archived: true }).expect(200)
    await asked.promise
    gate = Promise.withResolvers()
    await say(page, 'a long one, still here')
    await page.waitForFunction(() => document.querySelectorAll('.turn .prose').length > 40)
    await page.evaluate(() => {
      const look = () => {
        if (!document.querySelector('.turn')) document.body.dataset.wiped = ''
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    })

    await whenAnswered(page, /\/api\/spaces\/[^/]+\/companion$/, told.resolve)
    gate.resolve()

    await page.waitForSelector('.send:not(.send-stop):visible')
    await page.waitForSelector('.turn >> text=still here')
    expect(await page.locator('body[data-wiped]').count()).toBe(0)
  })

  test('is taken up again by itself when the connection breaks', async () => {
    gate = Promise.withResolvers()
    const page = await site().open(`${home}?companion=1`, { expectErrors: /ERR_|network/i })
    await page.locator('.rail-head').getByLabel('New thread', { exact: true }).click()
    await page.waitForSelector('.thread-empty')
    await say(page, 'a long one')
    await page.waitForFunction(() => document.querySelectorAll('.turn .prose').length > 40)
    site().dropConnections()
    gate.resolve()

    await page.waitForSelector('.send:not(.send-stop):visible')
    await page.waitForFunction(() => document.querySelectorAll('.turn .prose').length === 63)
    await expect(page.locator('.ending')).toBeDetached()
  })

  test('goes on in a page that is loaded anew, and in a second tab', async () => {
    gate = Promise.withResolvers()
    const page = await site().open(`${home}?companion=1`)
    await page.locator('.rail-head').getByLabel('New thread', { exact: true }).click()
    await page.waitForSelector('.thread-empty')
    const other = await site().openTab(page, `${home}?companion=1`)
    await say(page, 'a long one')
    await other.waitForSelector('.send-stop:visible')
    await page.reload()
    await page.waitForSelector('.send-stop:visible')
    gate.resolve()

    for (const tab of [page, other]) {
      await tab.waitForSelector('.send:not(.send-stop):visible')
      await tab.waitForFunction(() => document.querySelectorAll('.turn .prose').length > 60)
      expect(await tab.locator('.said-companion').count()).toBe(1)
    }
  })
})

test('a session that has ended asks for the token in place, and what was typed is still there', async () => {
  const page = await site().open(`${home}?companion=1`, { expectErrors: /401/ })
  await page.fill('#composer', 'half a thought')
  const { session } = await site().deps.server.authentication.openSession(ownerToken)
  const cookies = await page.context().cookies()
  const own = cookies.find(({ name }) => name === 'void_session')
  expect(own?.value).not.toBe(session)
  await site().deps.server.authentication.closeSession(own!.value)

  await page.press('#composer', 'Enter')
  await page.waitForSelector('dialog >> text=Sign in again')
  await page.fill('#session-token', ownerToken)
  await page.keyboard.press('Enter')
  await page.waitForSelector('dialog', { state: 'detached' })
  await page.getByRole('button', { name: 'Retry' }).click()

  await page.waitForSelector('.turn >> nth=-1 >> text=It turns.')
})
