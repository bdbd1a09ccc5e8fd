import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import type { Database } from '../../../lib/db/pool.ts'
import { hasVectorIndex, listModels, storeShare } from '../../../lib/db/repos/embeddings.ts'
import { createHttpEmbedder } from '../../../lib/search/embed/embedder.ts'
import { createEmbedding } from '../../../lib/search/embed/embedding.ts'
import { createSearch } from '../../../lib/search/search.ts'
import { fakeEmbeddings } from '../../helpers/fake-embeddings.ts'
import { mortal } from '../../helpers/servers.ts'
import { testDb } from '../../helpers/test-db.ts'

const db = await testDb()
const fake = await fakeEmbeddings((model) => (model === 'wide' ? 96 : 64))
const { signal } = new AbortController()
let clock = new Date('2026-05-01T08:00:00Z')

const settings = { provider: 'openai', url: fake.url, readKey: () => null } as const
const embeddingOf = (
  model: string,
  {
    indexFrom = 1000,
    everyMs = 1000,
    database = db,
    ...more
  }: { indexFrom?: number; everyMs?: number; database?: Database; batchTimeoutMs?: number } = {},
) =>
  createEmbedding({
    database,
    embedder: createHttpEmbedder({ ...settings, model }),
    embedderOf: (former) => createHttpEmbedder({ ...settings, model: former.model }),
    logger: createLogger('silent'),
    now: () => clock,
    indexFrom,
    everyMs,
    ...more,
  })

const garage = {
  wagon: ['Wagon', 'The automobile stands in the barn and needs new tyres.'],
  surgery: ['Practice', 'The physician comes on Tuesdays.'],
  flat: ['Flat', 'The tenancy ends in June.'],
  pie: ['Pie', 'Rhubarb, sugar and a hot oven.'],
} as const

async function newSpace(): Promise<string> {
  const id = randomUUID()
  await db.query(
    "insert into spaces (id, slug, name, created_by, updated_by) values ($1, $2, 'Garage', 'owner', 'owner')",
    [id, `s-${id}`],
  )
  return id
}

async function fill(search: ReturnType<typeof createSearch>, space_id: string) {
  const ids = new Map<string, string>()
  for (const [name, [title, text]] of Object.entries(garage)) {
    const entity_id = randomUUID()
    ids.set(entity_id, name)
    await search.index(db, { space_id, entity_type: 'page', entity_id, title, text })
  }
  return ids
}

const patience = { timeout: 30_000, interval: 10 }
const write = (title: string, text: string) =>
  search.index(db, { space_id, entity_type: 'page', entity_id: randomUUID(), title, text })

const embedding = embeddingOf('small')
const search = createSearch({ db, kinds, embedding })
const space_id = await newSpace()
const ids = await fill(search, space_id)
const ask = async (q: string, by = search) => {
  const hits = await by.query({ space_ids: [space_id], q })
  return hits.map(({ entity_id }) => ids.get(entity_id))
}
const requestsOf = (model: string) => fake.requests.filter(({ body }) => body.model === model)

describe('one after the other', () => {
  test('before anything is embedded, words alone answer and the provider is not asked', async () => {
    expect(await ask('tyres')).toEqual(['wagon'])
    expect(await ask('sedan')).toEqual([])
    expect(fake.requests).toEqual([])
  })

  test('a failure half way keeps what was done, and says so', async () => {
    fake.fail({ status: 503 })

    await expect(embedding.run(signal)).rejects.toThrow('503')

    expect(await embedding.state()).toMatchObject({ answering: false, done: 0, total: 4 })
    expect((await embedding.state()).problem).toMatch('503')
  })

  test('a batch that takes too long is halved, down to one passage', async () => {
    const release = [1, 2].map((nth) => fake.hold('slow', nth))
    const slow = embeddingOf('slow', { batchTimeoutMs: 100 })

    await slow.run(signal)

    expect(requestsOf('slow').map(({ body }) => body.input.length)).toEqual([4, 2, 1, 1, 1, 1])
    for (const each of release) each()
    const never = [1, 2, 3].map((nth) => fake.hold('never', nth))
    await expect(embeddingOf('never', { batchTimeoutMs: 100 }).run(signal)).rejects.toThrow()
    expect(requestsOf('never').map(({ body }) => body.input.length)).toEqual([4, 2, 1])
    for (const each of never) each()
    await db.query('delete from embeddings')
    await db.query('delete from embedding_models')
  })

  test('then a question finds what it means, and words still come first', async () => {
    await embedding.run(signal)

    expect(await embedding.state()).toEqual({
      model: 'small',
      answering: true,
      done: 4,
      total: 4,
      share: 0.1,
      measured: null,
      problem: null,
    })
    expect((await ask('my sedan'))[0]).toBe('wagon')
    expect((await ask('surgeon'))[0]).toBe('surgery')
    expect((await ask('rhubarb car'))[0]).toBe('pie')
    expect((await ask('"hot oven"'))[0]).toBe('pie')
  })

  test('a question asked again is not embedded again', async () => {
    await ask('which vehicle')
    const before = fake.requests.length

    await ask('which vehicle')

    expect(fake.requests).toHaveLength(before)
  })

  test('only what was written anew is embedded again', async () => {
    const [id] = [...ids].find(([, name]) => name === 'pie')!
    await search.index(db, {
      space_id,
      entity_type: 'page',
      entity_id: id,
      title: 'Pie',
      text: 'A dinghy of dough.',
    })
    expect((await embedding.state()).done).toBe(3)

    await embedding.run(signal)

    expect(fake.requests.at(-1)?.body.input).toEqual(['Pie\n\nA dinghy of dough.'])
    expect((await ask('ship'))[0]).toBe('pie')
  })

  test('filters and walls hold for what is near, too', async () => {
    const other = await newSpace()

    const hits = await search.query({ space_ids: [space_id], q: 'surgeon', kinds: ['task'] })

    expect(hits).toEqual([])
    expect(await search.query({ space_ids: [other], q: 'surgeon' })).toEqual([])
  })

  test('meaning counts what was measured, and a model that brings nothing is not asked', async () => {
    const [model] = await listModels(db)
    const asking = () => {
      const own = embeddingOf('small')
      return { own, search: createSearch({ db, kinds, embedding: own }) }
    }
    const figures = { ndcg_words: 0.8, ndcg_meaning: 0.9, questions: 40 }
    expect(await asking().own.state()).toMatchObject({ share: 0.1, measured: null })

    await storeShare(db, model!.id, { ...figures, share: 0.4 })
    const helped = asking()
    expect(await ask('surgeon', helped.search)).toEqual(await ask('surgeon'))
    expect((await helped.own.embedQuestion('surgeon'))?.share).toBe(0.4)
    expect(await helped.own.state()).toMatchObject({
      share: 0.4,
      measured: { ...figures, at: expect.any(String) },
    })

    await storeShare(db, model!.id, { ...figures, share: 0 })
    const off = asking()
    const before = fake.requests.length
    expect(await ask('surgeon', off.search)).toEqual([])
    expect(fake.requests).toHaveLength(before)
    await db.query('update embedding_models set share = null')
  })

  test('a provider that fails is left alone for a while, and words answer', async () => {
    fake.fail({ status: 500 })
    const before = fake.requests.length

    expect(await ask('tyres for the medic')).toEqual(['wagon'])
    expect(await ask('another tyres question')).toEqual(['wagon'])
    expect(fake.requests).toHaveLength(before + 1)

    clock = new Date(clock.getTime() + 60_000)
    expect((await ask('medic'))[0]).toBe('surgery')
  })

  test('another model is built while the former one answers, and then takes its place', async () => {
    const next = embeddingOf('wide')
    const newer = createSearch({ db, kinds, embedding: next })
    expect((await ask('tenancy of a vessel', newer)).length).toBeGreaterThan(0)
    expect(await next.state()).toMatchObject({ model: 'wide', answering: false, done: 0 })
    const asked = requestsOf('small').length
    await ask('physician and lease', newer)
    expect(requestsOf('small').length).toBe(asked + 1)

    await next.run(signal)

    expect(await next.state()).toMatchObject({ model: 'wide', answering: true, done: 4 })
    expect((await ask('an automobile, a vehicle', newer))[0]).toBe('wagon')
    expect(requestsOf('small').length).toBe(asked + 1)
    expect((await listModels(db)).map(({ model, dimensions }) => [model, dimensions])).toEqual([['wide', 96]])
  })

  test('a model that changes its dimensions is refused, and what it made before stays', async () => {
    const next = embeddingOf('wide')
    await search.index(db, {
      space_id,
      entity_type: 'page',
      entity_id: randomUUID(),
      title: 'New',
      text: 'New.',
    })
    fake.fail({ status: 200, body: { data: [{ index: 0, embedding: [1, 2, 3] }] } })

    await expect(next.run(signal)).rejects.toThrow(/3 dimensions instead of 96/)

    expect((await next.state()).done).toBe(4)
  })

  test('with many vectors an index is built, and finds the same', async () => {
    const many = embeddingOf('wide', { indexFrom: 4 })
    const indexed = createSearch({ db, kinds, embedding: many })

    await many.run(signal)

    const [model] = await listModels(db)
    expect(await hasVectorIndex(db, model!.id)).toBe(true)
    expect((await ask('a sedan', indexed))[0]).toBe('wagon')
    expect((await ask('dinghy', indexed))[0]).toBe('pie')
    expect(await indexed.query({ space_ids: [space_id], q: 'sedan', kinds: ['task'] })).toEqual([])
  })
})

describe('in the background', () => {
  const inputsOf = (model: string) => requestsOf(model).flatMap(({ body }) => body.input)

  test('what is there is embedded, and what comes later, until it is stopped', async () => {
    const background = embeddingOf('background', { everyMs: 20 })
    const stop = background.start()
    await expect.poll(async () => (await background.state()).answering, patience).toBe(true)

    await write('Later', 'A lease on a boat.')
    await expect.poll(() => inputsOf('background'), patience).toContain('Later\n\nA lease on a boat.')
    const isDone = async () => {
      const { done, total } = await background.state()
      return done === total
    }
    await expect.poll(isDone, patience).toBe(true)
    await stop()

    expect(await isDone()).toBe(true)
  })

  test('two servers on one database embed each passage once', async () => {
    for (let n = 0; n < 150; n += 1) await write(`Log ${n}`, `Entry number ${n}.`)
    const servers = [1, 2].map(() => embeddingOf('pair', { everyMs: 5 }))

    const stops = servers.map((server) => server.start())
    await expect.poll(async () => (await servers[0]!.state()).answering, patience).toBe(true)
    const [model] = await listModels(db)
    for (const server of servers) {
      await expect.poll(async () => (await server.embedQuestion('entry'))?.model.id, patience).toBe(model!.id)
    }
    await Promise.all(stops.map((stop) => stop()))

    const inputs = inputsOf('pair').filter((input) => input.startsWith('Log '))
    expect(inputs).toHaveLength(150)
    expect(new Set(inputs).size).toBe(150)
  })

  test('another server goes on where a killed one stood, and nothing is embedded twice', async () => {
    const { database, kill } = mortal(db)
    // It dies when its second batch has been sent for, and the answer reaches nobody.
    const answer = fake.hold('relay', 2)
    const first = embeddingOf('relay', { everyMs: 5, database })
    void first.start()
    await expect.poll(() => requestsOf('relay').length, patience).toBe(2)
    const second = embeddingOf('relay', { everyMs: 5 })
    const stop = second.start()
    kill()
    answer()
    const stored = (await second.state()).done

    await db.query("update job_leases set lease_until = now() - interval '1 second'")
    await expect.poll(async () => (await second.state()).answering, patience).toBe(true)
    await stop()

    expect(stored).toBe(64)
    const [one, two, ...rest] = requestsOf('relay').map(({ body }) => body.input)
    expect(one).toHaveLength(64)
    expect(rest.flat()).toEqual(expect.arrayContaining(two!))
    expect(rest.flat().filter((input) => one!.includes(input))).toEqual([])
  })
})
