// A turn whose database goes away: at each of its statements in turn, before the statement was done and after it was.
// Whoever sends a message again that was not acknowledged uses its Idempotency-Key.

import { afterAll, describe, expect, test } from 'vitest'
import { createModelClient, makeCallModel } from '../../lib/ai/wires/call-model.ts'
import { type Database, openDatabase } from '../../lib/db/pool.ts'
import { buildApp, type TestApp } from '../helpers/build-app.ts'
import { startFakeAnthropic, text, toolUse } from '../helpers/fake-anthropic.ts'
import { openGate } from '../helpers/gate.ts'
import { listen } from '../helpers/listen.ts'
import { type Break, createShakyDatabase, type ShakyDatabase } from '../helpers/shaky-database.ts'
import { testDb } from '../helpers/test-db.ts'
import { answerOf, type Frame, ofType, postTurn, readFrames, takeTurn } from '../helpers/turn-client.ts'

/** A server of its own; several of them take turns at once, to save time. */
type Lane = TestApp & { url: string; shaky: ShakyDatabase }

const lanes = 5
const draft = { entity_type: 'task', action: 'create', payload: { title: 'Oil' }, reason: 'Asked.' }
const answer = 'Let me see.\n\nDrafted, for you to approve.'

const database = await testDb()
const fake = await startFakeAnthropic([({ body }) => replyTo(JSON.stringify(body.messages.at(-1)))], {
  repeatLast: true,
})
const client = createModelClient({ apiKey: 'sk-test', baseURL: fake.url, maxRetries: 0 })
const callModel = makeCallModel({ client, model: 'test', maxTokens: 1000 })
const open: Lane[] = []
for (let n = 0; n < lanes; n += 1) {
  const shaky = createShakyDatabase(database)
  const built = await buildApp({ database: shaky.database, callModel })
  open.push({ ...built, shaky, url: await listen(built.app) })
}

afterAll(() => fake.close())

let calls = 0

/** A search, a draft, an answer: what is said follows from the last message alone, however often it is asked. */
function replyTo(last: string) {
  calls += 1
  if (last.includes('Oil the'))
    return [text('Let me see.'), toolUse('search', { q: 'lamp' }, { id: `search_${calls}` })]
  if (last.includes('"search_')) return [toolUse('propose_change', draft, { id: `draft_${calls}` })]
  if (last.includes('"draft_')) return [text('Drafted, for you to approve.', { deltas: 3 })]
  return [text('Fine again.')]
}

/** Says it until it is acknowledged, as a client does. */
async function say({ url, deps }: Lane, space_id: string): Promise<Frame[]> {
  const request = { url, space_id, body: { text: 'Oil the lamp' }, headers: { 'idempotency-key': space_id } }
  for (;;) {
    const response = await postTurn(request)
    if (response.status === 200) return await Array.fromAsync(readFrames(response))
    expect(response.status).toBe(503)
    await response.text()
    // A turn that was stored without anybody knowing is taken up when its lease has run out.
    await database.query("update turns set lease_until = now() - interval '1 second' where space_id = $1", [
      space_id,
    ])
    const stop = await deps.companion.startRecovery()
    stop()
  }
}

/** A turn that breaks at its nth statement, and what came of it. */
async function breakTurn(lane: Lane, nth: number, when: Break) {
  const { owner, shaky, url } = lane
  const space_id = (await owner.post('/api/spaces').send({ name: `${when} ${nth}` })).body.id
  await owner.post(`/api/spaces/${space_id}/pages`).send({ title: 'Lamp', body: 'The lamp burns colza.' })
  shaky.breakAt(nth, when)
  const frames = await say(lane, space_id)
  const { broken, statements } = shaky.seen()
  shaky.breakAt(0, when)
  const next = await takeTurn({ url, space_id, body: { text: 'And now?' } })
  const { items } = (await owner.get(`/api/pending-changes?space_id=${space_id}`)).body
  const { messages } = (await owner.get(`/api/spaces/${space_id}/companion`)).body
  return {
    broken,
    broke: statements[nth - 1],
    end: frames.at(-1)?.type,
    heard: answerOf(frames),
    calls: ofType(frames, 'tool').map(({ data }) => data.status),
    drafts: items.length,
    said: messages.map(({ body }: { body: string }) => body),
    next: answerOf(next),
  }
}

describe.each(['before', 'after'] as const)('a connection that breaks %s a statement', (when) => {
  test('costs a turn nothing, whichever statement of it that is', { timeout: 120_000 }, async () => {
    let count = 0
    const breakMore = async (lane: Lane) => {
      for (;;) {
        count += 1
        const outcome = await breakTurn(lane, count, when)
        if (!outcome.broken) return
        expect(outcome).toEqual({
          broken: true,
          broke: outcome.broke,
          end: 'done',
          heard: answer,
          calls: ['running', 'done', 'running', 'done'],
          drafts: 1,
          said: ['Oil the lamp', answer, 'And now?', 'Fine again.'],
          next: 'Fine again.',
        })
      }
    }

    await Promise.all(open.map(breakMore))

    expect(count).toBeGreaterThan(25)
    expect(fake.refused).toEqual([])
  })
})

test.runIf(database.engine === 'postgres')(
  'a Postgres that goes away while a draft is made, and comes back, costs the turn nothing',
  async () => {
    const own = new URL(String(Reflect.get(database.pool.options, 'connectionString')))
    const gate = await openGate(new URL(own))
    own.port = String(gate.port)
    const broken: Error[] = []
    const through = await openDatabase({ url: own.href, onConnectionError: (error) => broken.push(error) })
    const restarting: typeof callModel = async (request) => {
      const response = await callModel(request)
      const isDraft = response.toolUses.some(({ name }) => name === 'propose_change')
      if (isDraft) await gate.close()
      if (isDraft) void whenRefused(through).then(gate.open)
      return response
    }
    const built = await buildApp({ database: through, callModel: restarting })
    const lane = { ...built, url: await listen(built.app), shaky: createShakyDatabase(through) }

    const outcome = await breakTurn(lane, 0, 'before')

    expect(broken.length).toBeGreaterThan(0)
    expect(outcome).toMatchObject({ heard: answer, drafts: 1, next: 'Fine again.' })
    await through.close()
    await gate.close()
  },
)

/** Resolves when the database has refused a statement. */
async function whenRefused(through: Database): Promise<void> {
  while (await through.query('select 1').then(Boolean, () => false));
}
