// Hostile texts in every place of the app that shows a text, with all layers and with each outer one taken away.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownerToken } from '../helpers/build-app.ts'
import { everyNth } from '../helpers/hostile/payloads.ts'
import { takeTurn } from '../helpers/turn-client.ts'
import { type Canary, setCanary, settle } from './support/canary.ts'
import { findDanger } from './support/find-danger.ts'
import { type HostileWorld, hostileModel, makeHostileWorld } from './support/hostile-world.ts'
import { allLayers, type Layers, serveWeakened } from './support/layers.ts'
import { useSite, whenReady } from './support/site.ts'

const site = useSite({ callModel: hostileModel })
let world: HostileWorld

beforeAll(async () => {
  world = await makeHostileWorld(site())
}, 120_000)

describe.each<[string, Layers, number | null]>([
  ['with all layers', allLayers, null],
  ['without DOMPurify', { ...allLayers, cleaner: false }, 0],
  ['without the policy', { ...allLayers, policy: false }, 2],
])('hostile texts %s', (_name, layers, part) => {
  let url: string

  beforeAll(async () => {
    url = site().url
    if (layers.cleaner && layers.policy) return
    const weakened = await serveWeakened(url, layers)
    url = weakened.url
    return weakened.close
  })

  test('run nowhere in the views', async () => {
    const addresses = some(world.addresses, part)
    const problems = await Promise.all([0, 1].map((half) => visit(url, everyNth(addresses, 2, half))))

    expect(problems.flat()).toEqual([])
  }, 400_000)

  test('run nowhere in the rail, as they stream and as history', async () => {
    const { page, canary } = await openApp(url)
    const problems: string[] = []
    const look = async () => problems.push(...canary.take(), ...(await findDanger(page)))

    for (const questions of conversationsOf(some(world.questions, part))) {
      await site().owner.post(`/api/spaces/${world.space.id}/conversations`).send({}).expect(201)
      await page.goto(`/s/${world.space.slug}?companion=1`)
      await whenReady(page)
      for (const text of questions) {
        await takeTurn({ url: site().url, space_id: world.space.id, body: { text } })
        await page.waitForSelector(`#rail >> text=${endOf(text)}`)
        await page.evaluate(() => {
          for (const details of document.querySelectorAll<HTMLDetailsElement>('#rail details'))
            details.open = true
        })
        await look()
      }
      await page.reload()
      await whenReady(page)
      for (const text of questions) await page.waitForSelector(`#rail >> text=${endOf(text)}`)
      await look()
    }

    expect(problems).toEqual([])
    await page.context().close()
  }, 400_000)
})

const endOf = (question: string) => `end of answer ${world.questions.indexOf(question)}.`

/** A long conversation takes longer to draw with each answer, and to search for what must not be in it. */
const conversationsOf = (questions: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(questions.length / 8) }, (_, n) => questions.slice(n * 8, n * 8 + 8))

/** What an outer layer would hide shows in a part of the views and answers: they share how they show a text. */
const some = <Item>(items: readonly Item[], part: number | null): readonly Item[] =>
  part === null ? items : everyNth(items, 16, part)

/** Opens each address in a browser of its own and says what must not be there. */
async function visit(url: string, addresses: readonly string[]): Promise<string[]> {
  const { page, canary } = await openApp(url)
  const problems: string[] = []
  for (const address of addresses) {
    await page.goto(address)
    await whenReady(page).catch(() => problems.push(`${address} does not come alive`))
    await settle(page)
    problems.push(...[...canary.take(), ...(await findDanger(page))].map((what) => `${address} ${what}`))
  }
  await page.context().close()
  return problems
}

/** A signed-in page of a browser that watches for what must not happen, violations of the policy among them. */
async function openApp(baseURL: string): Promise<{ page: Page; canary: Canary }> {
  const context = await site().context({ baseURL })
  const canary = await setCanary(context, { violations: true })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const { session } = await site().deps.server.authentication.openSession(ownerToken)
  await context.addCookies([{ name: 'void_session', value: session, url: baseURL }])
  await page.goto('/spaces')
  return { page, canary }
}
