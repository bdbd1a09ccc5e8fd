// What the service worker stores of answers, and when it shows or removes it.

import { expect, test } from 'vitest'
import { createKeptPages, maxPages } from '../../../public/start/kept-pages.ts'

const origin = 'https://void.example'
const base = '/void'
const at = (path: string) => origin + base + path
const pageId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const pageUrl = (number: number) => at(`/api/pages/${pageId(number)}`)

/** Of the Cache API what the store uses, in the order of its specification: what is put is last. */
function createCaches() {
  const byName = new Map<string, Map<string, Response>>()
  const names = () => [...byName.keys()]
  const open = async (name: string) => {
    const entries = byName.get(name) ?? new Map<string, Response>()
    byName.set(name, entries)
    return {
      match: async (url: string) => entries.get(url)?.clone(),
      put: async (url: string, response: Response) => void entries.set(url, response),
      delete: async (url: string) => entries.delete(url),
      keys: async () => [...entries.keys()].map((url) => ({ url })),
    } as unknown as Cache
  }
  return { names, open, delete: async (name: string) => byName.delete(name) }
}

function createWorld() {
  const world = { isAway: false, send: async (_request: Request): Promise<Response> => Response.json({}) }
  const work: Promise<unknown>[] = []
  const stores = createCaches()
  const kept = createKeptPages({
    caches: stores,
    cacheName: 'kept',
    origin,
    base,
    send: async (request) => {
      if (world.isAway) throw new TypeError('Failed to fetch')
      return await world.send(request)
    },
    now: () => new Date('2026-12-01T14:03:00Z'),
  })
  const ask = async (url: string, init: RequestInit = {}) => {
    const answer = kept.answer(new Request(url, init), (each) => work.push(each))
    const response = await answer
    await Promise.all(work.splice(0))
    return response
  }
  const stored = async (url: string) => {
    world.isAway = true
    const response = await ask(url).catch(() => null)
    world.isAway = false
    return response
  }
  return { world, kept, ask, stored, names: stores.names }
}

test('an answer is shown once the server is away, with the time at which it was given', async () => {
  const { world, ask, stored } = createWorld()
  world.send = async () => Response.json({ title: 'Lamp room' })
  const online = await ask(pageUrl(1))

  const offline = await stored(pageUrl(1))

  expect(online!.headers.get('void-as-of')).toBe(null)
  expect(offline!.headers.get('void-as-of')).toBe('2026-12-01T14:03:00.000Z')
  expect(await offline!.json()).toEqual({ title: 'Lamp room' })
})

test.each([502, 503, 504])(
  'a proxy that answers %i for a server that is away counts as its absence',
  async (status) => {
    const { world, ask } = createWorld()
    await ask(pageUrl(1))
    world.send = async () => new Response('', { status })

    expect((await ask(pageUrl(1)))!.status).toBe(200)
    expect((await ask(pageUrl(2)))!.status).toBe(status)
  },
)

test('an error of the server itself is shown, not what was before', async () => {
  const { world, ask } = createWorld()
  await ask(pageUrl(1))
  world.send = async () => new Response('', { status: 500 })

  expect((await ask(pageUrl(1)))!.status).toBe(500)
})

test.each([
  ['mail', at('/api/mail/threads')],
  ['a search', at('/api/search?q=lamp')],
  ['secrets', at('/api/secrets')],
  ['the history of a page', at(`/api/pages/${pageId(1)}/history`)],
  ['what lies below another path', `${origin}/other/api/pages/${pageId(1)}`],
  ['another host', `https://elsewhere.example/void/api/pages/${pageId(1)}`],
  ['a path that only begins alike', `${origin}/voided/api/inbox`],
])('%s is not stored', async (_what, url) => {
  const { kept } = createWorld()

  expect(kept.answer(new Request(url), () => {})).toBe(null)
})

test(`the ${maxPages} pages that were read last stay, each with all that shows it`, async () => {
  const { ask, stored } = createWorld()
  await ask(pageUrl(0))
  for (let number = 1; number <= maxPages; number += 1) {
    await ask(pageUrl(number))
    await ask(`${pageUrl(number)}/links`)
    // Read again and again, it stays.
    await ask(pageUrl(0))
  }

  expect(await stored(pageUrl(0))).not.toBe(null)
  expect(await stored(pageUrl(1))).toBe(null)
  expect(await stored(`${pageUrl(1)}/links`)).toBe(null)
  expect(await stored(pageUrl(2))).not.toBe(null)
  expect(await stored(`${pageUrl(2)}/links`)).not.toBe(null)
})

test('whatever the server no longer shows goes', async () => {
  const { world, ask, stored } = createWorld()
  await ask(pageUrl(1))
  world.send = async () => new Response('', { status: 404 })
  await ask(pageUrl(1))

  expect(await stored(pageUrl(1))).toBe(null)
})

test('a change is stored as it was saved, and a deleted page is not shown any more', async () => {
  const { world, ask, stored } = createWorld()
  await ask(pageUrl(1))
  world.send = async () => Response.json({ body: 'Tarred in May.' })
  await ask(pageUrl(1), { method: 'PATCH', body: '{}' })
  const changed = await (await stored(pageUrl(1)))!.json()
  world.send = async () => new Response(null, { status: 204 })
  await ask(pageUrl(1), { method: 'DELETE' })

  expect(changed).toEqual({ body: 'Tarred in May.' })
  expect(await stored(pageUrl(1))).toBe(null)
})

test('a refused session removes everything', async () => {
  const { world, kept, ask, stored } = createWorld()
  await ask(pageUrl(1))
  await ask(at('/api/spaces?limit=200'))
  world.send = async () => new Response('', { status: 401 })
  await ask(at('/api/inbox'))

  expect(await stored(pageUrl(1))).toBe(null)
  expect(await kept.hasPages()).toBe(false)
})

test('what was asked for before signing out does not come in afterwards', async () => {
  const { world, kept, ask, stored } = createWorld()
  const { promise, resolve } = Promise.withResolvers<Response>()
  world.send = () => promise
  const late = ask(pageUrl(1))
  await kept.drop()
  resolve(Response.json({}))
  await late

  expect(await stored(pageUrl(1))).toBe(null)
})

test('after signing out no store is made anew, until somebody is signed in', async () => {
  const { world, kept, ask, stored, names } = createWorld()
  const { promise, resolve } = Promise.withResolvers<Response>()
  world.send = () => promise
  const late = [ask(pageUrl(1)), ask(at('/assets/main-1.js')), ask(pageUrl(2), { method: 'DELETE' })]
  await kept.drop()
  resolve(new Response('{}'))
  await Promise.all(late)
  world.send = async () => new Response('{}')
  await ask(at('/assets/main-2.js'))
  await ask(pageUrl(3))
  await stored(pageUrl(3))
  await kept.hasPages()
  const left = names()
  await kept.add({ answers: { '/api/inbox': {} }, asOf: '2026-12-01T13:00:00.000Z', assets: [] })
  await ask(pageUrl(3))

  expect(left).toEqual([])
  expect(await stored(pageUrl(3))).not.toBe(null)
})

test('the tree is shown as it was opened for another page, but a part of it is not the whole', async () => {
  const { world, ask, stored } = createWorld()
  const tree = at(`/api/spaces/${pageId(7)}/page-tree`)
  world.send = async ({ url }) => Response.json({ items: [url.includes('below') ? 'part' : 'whole'] })
  await ask(`${tree}?open=${pageId(1)}`)
  await ask(`${tree}?below=${pageId(1)}`)

  expect(await (await stored(`${tree}?open=${pageId(2)}`))!.json()).toEqual({ items: ['whole'] })
  expect(await stored(`${tree}?below=${pageId(2)}`)).toBe(null)
})

test('of what a page hands over only what is stored of answers too gets in', async () => {
  const { world, kept, stored } = createWorld()
  world.send = async () => new Response('export {}')
  await kept.add({
    answers: { [`/api/pages/${pageId(1)}`]: { title: 'Lamp room' }, '/api/secrets': { items: [] } },
    asOf: '2026-12-01T13:00:00.000Z',
    assets: [at('/assets/main-1.js'), at('/api/secrets'), 'https://elsewhere.example/void/assets/a.js'],
  })

  expect((await stored(pageUrl(1)))!.headers.get('void-as-of')).toBe('2026-12-01T13:00:00.000Z')
  expect(await stored(at('/api/secrets'))).toBe(null)
  expect(await (await stored(at('/assets/main-1.js')))!.text()).toBe('export {}')
})

test('an answer of more than two million bytes is not stored', async () => {
  const { world, ask, stored } = createWorld()
  world.send = async () => new Response('x'.repeat(2_000_001))
  await ask(pageUrl(1))

  expect(await stored(pageUrl(1))).toBe(null)
})
