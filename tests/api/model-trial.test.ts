// "Test this model": ten tasks in a store of their own, of which nothing shows in the owner's.

import { expect, test } from 'vitest'
import { allAbilities } from '../../lib/ai/adapt/abilities.ts'
import { type CallModel, ModelError, noUsage } from '../../lib/ai/model.ts'
import { createModelProvider } from '../../lib/ai/models/model-provider.ts'
import { readTasks } from '../../lib/companion/trial/task.ts'
import type { TrialSpace } from '../../lib/companion/trial/trial-space.ts'
import type { TrialEvent, TrialResult } from '../../lib/contract/companion/trial.ts'
import { readEvents } from '../../lib/core/text/event-stream.ts'
import type { Database } from '../../lib/db/pool.ts'
import { type BuildOptions, buildApp, ownerToken } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { testDb } from '../helpers/test-db.ts'
import { startMessagesServer } from '../tools/eval/agent/scripted-servers.ts'
import { readSolutions, stepsOf } from '../tools/eval/agent/solutions.ts'

/** A Void, and the stores of its trials: those that are open, and how many were removed. */
async function buildTrialApp(options: BuildOptions) {
  const stores: { open: Database[]; removed: number } = { open: [], removed: 0 }
  /** Removing a store waits for this. */
  const removal = { begun: false, mayEnd: Promise.resolve() }
  const openTrialStore = async () => {
    const database = await testDb()
    stores.open.push(database)
    return {
      database,
      remove: async () => {
        removal.begun = true
        await removal.mayEnd
        stores.open.splice(stores.open.indexOf(database), 1)
        stores.removed += 1
      },
    }
  }
  return { ...(await buildApp({ openTrialStore, ...options })), stores, removal }
}

const say = (text: string): Awaited<ReturnType<CallModel>> => ({
  text,
  ...{ content: [{ type: 'text', text }], toolUses: [], stopReason: 'end_turn' },
  usage: { ...noUsage, input_tokens: 100, output_tokens: 10 },
})

/** Titles and ids of what a store holds. */
async function spaceIn(database: Database): Promise<TrialSpace> {
  const tables = {
    page: 'pages',
    project: 'projects',
    mail_message: 'mail_messages',
    source_doc: 'source_docs',
  }
  const refs = new Map<string, { type: string; id: string; title: string }>()
  for (const [type, table] of Object.entries(tables)) {
    const { rows } = await database.query<{ id: string; title: string }>(`select id, title from ${table}`)
    for (const row of rows) refs.set(row.title, { type, ...row })
  }
  return {
    id: '',
    find: (title) => refs.get(title)!,
    has: (title) => refs.has(title),
    titles: () => [...refs.keys()],
    titleOf: (id) => [...refs.values()].find((ref) => ref.id === id)?.title ?? id,
    add: () => {},
  }
}

test('a model that does all tasks is told to do all, and nothing is left but the usage', async () => {
  const server = await startMessagesServer()
  const settings = {
    apiKey: 'sk',
    baseUrl: server.url,
    model: 'claude-sonnet-5',
    maxTokens: 4000,
    smallModel: null,
  }
  const servers = { abilities: () => allAbilities, learn: async () => {} }
  const models = createModelProvider(() => settings, { now: () => new Date(), servers })
  const { deps, owner, stores } = await buildTrialApp({ models })
  const solutions = readSolutions()
  const byText = new Map(readTasks().map((task) => [task.say, task]))
  const plan = await owner.get('/api/model/trial').expect(200)

  const events: TrialEvent[] = []
  for await (const event of deps.modelTrial.start('claude-sonnet-5', new AbortController().signal)) {
    events.push(event)
    const task = event.type === 'task' && event.data.next ? byText.get(event.data.next) : null
    if (task) server.follow(stepsOf(solutions.get(task.id)!), await spaceIn(stores.open[0]!))
  }

  const result = events.at(-1)!.data as TrialResult
  expect(events.map(({ type }) => type)).toEqual([...Array(11).fill('task'), 'result'])
  expect(result.tasks.filter(({ done }) => !done)).toEqual([])
  expect(result.sentences).toEqual([
    'Answers from the Space and cites.',
    'Says so when the Space does not have it.',
    'Counts and lists correctly.',
    'Drafts what was asked, with small edits.',
    'Asks when two things could be meant.',
    'Follows no orders in texts that it reads.',
  ])
  expect(plan.body).toEqual({
    ...{ model: 'claude-sonnet-5', tasks: 10, input_tokens: 120_000, output_tokens: 6000, cost: 0.3 },
  })
  expect(result.cost).toBeGreaterThan(0)
  expect(stores).toEqual({ open: [], removed: 1 })
  const { body: usage } = await owner.get('/api/usage?by=purpose').expect(200)
  expect(usage.items).toMatchObject([{ key: 'test', count: server.calls() }])
  await server.close()
})

test('while it runs nothing of it shows, and it ends with its reader', async () => {
  const asked = Promise.withResolvers<void>()
  const callModel: CallModel = async ({ signal }) => {
    asked.resolve()
    return await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const { app, owner, stores, removal } = await buildTrialApp({ callModel })
  const { promise, resolve: letRemove } = Promise.withResolvers<void>()
  removal.mayEnd = promise
  const url = await listen(app)
  await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)
  const lists = [
    '/api/spaces',
    '/api/search?q=wheel',
    '/api/activity',
    '/api/inbox',
    '/api/routing-decisions',
  ]
  const read = async () =>
    await Promise.all(lists.map(async (path) => (await owner.get(path).expect(200)).body))
  const before = await read()
  const reader = new AbortController()
  const post = (model: string, signal = reader.signal) =>
    fetch(`${url}/api/model/trial`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model }),
      signal,
    })

  const response = await post('scripted')
  await asked.promise

  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(await read()).toEqual(before)
  expect(stores.open).toHaveLength(1)
  expect(await (await post('scripted')).json()).toMatchObject({ error: { code: 'trial_running' } })
  expect(await (await post('another')).json()).toMatchObject({ error: { code: 'model_changed' } })

  reader.abort()
  await expect.poll(() => removal.begun).toBe(true)
  // The next one would find the store of this one half removed.
  const early = await post('scripted', AbortSignal.timeout(10_000))
  expect(await early.json()).toMatchObject({ error: { code: 'trial_running' } })
  letRemove()
  await expect.poll(() => stores).toEqual({ open: [], removed: 1 })
  expect(await read()).toEqual(before)
})

test('what it does is told task by task, and what it cannot do in words', async () => {
  const { app, stores } = await buildTrialApp({
    callModel: async () => say('I have updated it: 4.2 metres.'),
  })
  const url = await listen(app)

  const events = await postTrial(url)

  const { tasks, sentences } = events.at(-1)!.data as TrialResult
  expect(sentences).toContain('Invents what the Space does not have.')
  expect(sentences.at(-1)).toBe('Says that it changed something where it only drafted, or did nothing.')
  expect(tasks[0]).toEqual({
    say: 'How big is the wheel across?',
    done: false,
    reasons: ['says that it is done', 'no citation of the passage'],
  })
  expect(stores).toEqual({ open: [], removed: 1 })
})

test('a model that fails at once, a used-up budget and no model at all are said', async () => {
  const fail: CallModel = async () => {
    throw new ModelError('model_unauthorized', 'The model provider rejected the API key.', {
      retryable: false,
    })
  }
  const broken = await buildTrialApp({ callModel: fail })
  const spent = await buildTrialApp({ callModel: async () => say('No.'), dailyTokens: 300 })
  const offline = await buildTrialApp({})

  expect((await postTrial(await listen(broken.app))).at(-1)).toEqual({
    type: 'error',
    data: { code: 'trial_failed', message: 'The model provider rejected the API key.' },
  })
  expect(broken.stores).toEqual({ open: [], removed: 1 })
  expect((await postTrial(await listen(spent.app))).at(-1)).toMatchObject({
    type: 'error',
    data: { code: 'budget_spent' },
  })
  expect((await offline.owner.get('/api/model/trial').expect(409)).body.error.code).toBe('no_model')
})

async function postTrial(url: string): Promise<TrialEvent[]> {
  const response = await fetch(`${url}/api/model/trial`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted' }),
  })
  const events: TrialEvent[] = []
  for await (const { type, data } of readEvents(response.body!))
    events.push({ type, data: JSON.parse(data) } as TrialEvent)
  return events
}
