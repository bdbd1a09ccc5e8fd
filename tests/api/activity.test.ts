import { describe, expect, test } from 'vitest'
import type { ActivityEntry } from '../../lib/contract/activity.ts'
import { buildApp } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const { agentId } = await makeAgent(void_, { slug: 'scribe' })

const activity = async (query = ''): Promise<{ items: ActivityEntry[]; next_cursor: string | null }> =>
  (await owner.get(`/api/activity${query}`)).body

async function call(id: string, status: 'done' | 'error' | 'cancelled' = 'done') {
  await deps.database.query(
    `insert into tool_calls (id, space_id, agent_id, name, arguments, result, entity_type, entity_id, status, duration_ms)
     values ($1, $2, $3, 'read_entity', '{}', 'read The lamp', 'page', $4, $5, 12)`,
    [id, world.space.id, agentId, world.lamp.id, status],
  )
}

/** A draft that the companion makes in a turn. */
async function propose(input: Record<string, unknown>) {
  const entity_type = input.entity_id === world.paint.id ? 'task' : 'page'
  const call = { entity_type, action: 'update', reason: 'You asked.', ...input }
  void_.app.locals.callModel = scriptedModel([
    { tools: [{ name: 'propose_change', input: call }] },
    { text: 'Drafted.' },
  ])
  await owner.post(`/api/spaces/${world.space.id}/companion/turn`).send({ text: 'Draft it' })
  const { body } = await owner.get('/api/pending-changes?status=pending')
  return body.items.find(({ entity_id }: { entity_id: string }) => entity_id === input.entity_id)
}

test('changes and calls stand in one order, the latest first, each with the title of its thing', async () => {
  await owner.patch(`/api/pages/${world.lamp.id}`).send({ version: 1, body: 'Dark.' })
  await call('018f0000-0000-7000-8000-000000000001')

  const { items } = await activity('?limit=2')

  expect(items).toMatchObject([
    {
      source: 'call',
      actor: 'agent:scribe',
      action: 'read_entity',
      title: 'The lamp',
      result: 'read The lamp',
    },
    { source: 'change', actor: 'owner', action: 'update', title: 'The lamp', fields: ['body'] },
  ])
})

test('pages of any size give every entry once', async () => {
  const { items: all } = await activity('?limit=200')
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof activity>> = await activity(
      `?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  }

  expect(seen).toEqual(all.map(({ id }) => id))
  expect(new Set(seen).size).toBe(seen.length)
})

test('it can be narrowed by Space, source, actor, kind and action', async () => {
  await call('018f0000-0000-7000-8000-000000000002', 'error')

  expect(
    (await activity(`?space_id=${world.other.id}`)).items.every((e) => e.space_id === world.other.id),
  ).toBe(true)
  expect((await activity('?source=call')).items.every(({ source }) => source === 'call')).toBe(true)
  expect((await activity('?actor=agent:scribe')).items).toHaveLength(2)
  expect((await activity('?entity_type=task')).items.every((e) => e.entity_type === 'task')).toBe(true)
  expect((await activity('?action=read_entity')).items.map(({ status }) => status)).toEqual(['error', 'done'])
})

test('it can be narrowed to calls that failed, that were cut off, or both', async () => {
  await call('018f0000-0000-7000-8000-000000000003', 'cancelled')

  const statuses = async (status: string) =>
    (await activity(`?status=${status}`)).items.map((entry) => entry.status)

  expect(await statuses('error')).toEqual(['error'])
  expect(await statuses('cancelled')).toEqual(['cancelled'])
  expect(await statuses('unfinished')).toEqual(['cancelled', 'error'])
  expect((await owner.get('/api/activity?status=done')).status).toBe(400)
})

test('it can be narrowed to one thing, and there to what agents did', async () => {
  await owner.patch(`/api/tasks/${world.paint.id}`).send({ version: 1, status: 'in_progress' }).expect(200)
  const { id } = await propose({ entity_id: world.paint.id, payload: { status: 'done' } })
  await owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(200)

  const sources = async (query: string) =>
    (await activity(`?entity_id=${world.paint.id}${query}`)).items.map(
      ({ source, actor, action }) => `${source}: ${actor} ${action}`,
    )

  const all = await sources('')
  expect(all).toContain('change: owner create')
  expect(all.length).toBeGreaterThan(4)
  expect(await sources('&actor=agents')).toEqual([
    'change: owner update',
    'call: agent:companion propose_change',
    'draft: agent:companion update',
  ])
  expect(await sources('&actor=agent:scribe')).toEqual([])
})

test('it can be narrowed to a conversation, with the changes that came of its drafts', async () => {
  const { id, conversation_id } = await propose({ entity_id: world.lamp.id, payload: { title: 'The light' } })
  await owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(200)
  await owner.post(`/api/spaces/${world.space.id}/conversations`).expect(201)

  const { items } = await activity(`?conversation_id=${conversation_id}`)

  expect(items.every((entry) => entry.conversation_id === conversation_id)).toBe(true)
  expect(items[0]).toMatchObject({ source: 'change', action: 'update', pending_change_id: id })
  expect((await activity(`?conversation_id=${world.lamp.id}`)).items).toEqual([])
})

test('a call opens what it read at the line where it began to read', async () => {
  void_.app.locals.callModel = scriptedModel([
    {
      tools: [
        { name: 'read', input: { kind: 'page', id: world.lamp.id } },
        { name: 'read', input: { kind: 'page', id: world.lamp.id, from_line: 3 } },
      ],
    },
    { text: 'Read.' },
  ])
  const { version } = (await owner.get(`/api/pages/${world.lamp.id}`)).body
  await owner
    .patch(`/api/pages/${world.lamp.id}`)
    .send({ version, body: '# Lamp\n\n- It burns **rapeseed** oil, see [[The list]].' })
    .expect(200)
  await owner.post(`/api/spaces/${world.space.id}/companion/turn`).send({ text: 'Read it' })

  const { items } = await activity('?source=call&action=read&limit=2')

  expect(items.map(({ passage }) => passage)).toEqual(['It burns rapeseed oil, see The list.', null])
})

test('a cursor of the wrong form is refused', async () => {
  expect((await owner.get('/api/activity?cursor=x')).status).toBe(400)
})

describe('a turn', () => {
  const of = async (turnId: string) => (await activity(`?turn_id=${turnId}&limit=50`)).items.toReversed()

  test('can be read from its question to the decision on its draft', async () => {
    void_.app.locals.callModel = scriptedModel([
      {
        tools: [
          {
            name: 'propose_change',
            input: {
              entity_type: 'task',
              action: 'create',
              payload: { title: 'Fill the tank' },
              reason: 'You asked.',
            },
          },
        ],
      },
      { text: 'It is drafted.' },
    ])
    await owner
      .post(`/api/spaces/${world.space.id}/companion/turn`)
      .send({ text: 'Draft a task to fill the tank' })
    const { body } = await owner.get('/api/pending-changes?status=pending')
    const { id: draft, turn_id: turnId } = body.items[0]
    await owner.post(`/api/pending-changes/${draft}/reject`).send({ reason: 'The tank is full.' }).expect(200)

    const entries = await of(turnId)

    expect(entries.map(({ source, action }) => `${source}: ${action}`)).toEqual([
      'message: ask',
      'draft: create',
      'call: propose_change',
      'message: answer',
      'decision: rejected',
    ])
    expect(
      entries.every(({ turn_id, conversation_id }) => turn_id === turnId && conversation_id !== null),
    ).toBe(true)
    expect(entries.filter(({ pending_change_id }) => pending_change_id === draft)).toHaveLength(3)
    expect(entries.at(-1)).toMatchObject({ actor: 'owner', result: 'The tank is full.' })
    expect(
      entries.filter(({ source }) => source !== 'message').map(({ title, exists }) => [title, exists]),
    ).toEqual(Array(3).fill(['Fill the tank', false]))
  })

  test('is told without the signs of Markdown, in one line', async () => {
    void_.app.locals.callModel = scriptedModel([
      { text: '## Oil\n\nIt is **rapeseed**, see [the list](https://a.example/x).' },
    ])
    await owner.post(`/api/spaces/${world.space.id}/companion/turn`).send({ text: 'What does it burn?' })

    const { items } = await activity('?source=message&limit=1')

    expect(items[0]?.result).toBe('Oil It is rapeseed, see the list.')
  })

  test('is exported with everything else as JSON Lines, and the last line counts them', async () => {
    const { text } = await owner.get('/api/activity/export?source=message')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

    expect(lines.slice(0, -1).every(({ source }) => source === 'message')).toBe(true)
    expect(lines.at(-1)).toEqual({ source: 'end', count: lines.length - 1 })
    expect(lines.length).toBeGreaterThan(2)
  })
})
