// A proposed change as a task of the Tasks extension: derived from its draft, so that it outlives restarts.

import { describe, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { createRawClient } from './raw-client.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const url = await listen(void_.app)
const world = await makeWorld(void_)
const spaces = [world.space.id]
const scribe = await makeAgent(void_, { slug: 'scribe', spaces })
const other = await makeAgent(void_, { slug: 'other', spaces })
const client = createRawClient(url, scribe.token)
const plain = createRawClient(url, scribe.token, {})

let made = 0
/** A draft of a new page, as the client is told of it. */
async function propose(by = client, body = 'They cry.') {
  made += 1
  const payload = { title: `Gulls ${made}`, body }
  const args = { entity_type: 'page', action: 'create', payload, reason: 'They were seen.' }
  return (await by.callTool('propose_change', args)).result
}

const decide = (id: string, verb: 'approve' | 'reject', body: object = {}) =>
  owner.post(`/api/pending-changes/${id}/${verb}`).send(body).expect(200)

test('a draft works while it waits, asks nothing, and goes on when the server was replaced', async () => {
  const started = await propose()
  const again = await buildApp({ database: deps.database })
  const elsewhere = createRawClient(await listen(again.app), scribe.token)

  const { result: task } = await elsewhere.task(started.taskId)

  expect(started).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null })
  expect(started).not.toHaveProperty('content')
  expect(task).toMatchObject({ resultType: 'complete', taskId: started.taskId, status: 'working' })
  expect(task.statusMessage).toContain('Nothing has been applied')
  expect(task).not.toHaveProperty('inputRequests')
  expect((await owner.get(`/api/pending-changes/${started.taskId}`)).body.status).toBe('pending')
})

describe('it is completed with the decision', () => {
  const ended = async (taskId: string) => (await client.task(taskId)).result

  test('approved', async () => {
    const { taskId } = await propose()
    await decide(taskId, 'approve')

    const task = await ended(taskId)

    expect(task).toMatchObject({
      status: 'completed',
      result: { structuredContent: { status: 'approved', draft: taskId, version: 1 } },
    })
    expect(task.lastUpdatedAt >= task.createdAt).toBe(true)
    expect(task.result.content[0].text).toContain('approved')
    expect(task.result.content[1]).toMatchObject({ type: 'resource_link', uri: `${url}/inbox/${taskId}` })
  })

  test('edited, with what the owner changed', async () => {
    const { taskId } = await propose()
    await decide(taskId, 'approve', { edited: { title: 'Gulls', body: 'They cry at dawn.' } })

    const { status, result } = await ended(taskId)

    expect(status).toBe('completed')
    expect(result.structuredContent.status).toBe('edited')
    const { owner_changed } = result.structuredContent
    expect(JSON.stringify(owner_changed)).toContain('They cry at dawn.')
  })

  test('rejected, with the reason; the same again is that rejection and no task', async () => {
    const args = {
      entity_type: 'page',
      action: 'create',
      payload: { title: 'Terns', body: 'Here.' },
      reason: 'Seen.',
    }
    const { result: started } = await client.callTool('propose_change', args)
    await decide(started.taskId, 'reject', { reason: 'No birds.' })

    const task = await ended(started.taskId)
    const { result: again } = await client.callTool('propose_change', args)

    expect(task).toMatchObject({
      status: 'completed',
      result: { structuredContent: { status: 'rejected', reason: 'No birds.' } },
    })
    expect(again).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'rejected', reason: 'No birds.' },
    })
  })

  test('of the draft that took its place', async () => {
    const { taskId } = await propose()
    const newer = await client.callTool('revise_change', {
      id: taskId,
      payload: { title: 'Gulls, counted', body: 'Forty.' },
      reason: 'They were counted.',
    })
    const waiting = await ended(taskId)
    await decide(newer.result.taskId, 'approve')

    expect(waiting.status).toBe('working')
    expect(await ended(taskId)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { status: 'approved', draft: newer.result.taskId } },
    })
  })
})

test('cancelling withdraws the draft, and does nothing to one that was decided', async () => {
  const [waiting, decided] = [await propose(), await propose()]
  await decide(decided.taskId, 'approve')

  const acks = [
    await client.request('tasks/cancel', { taskId: waiting.taskId }),
    await client.request('tasks/cancel', { taskId: waiting.taskId }),
    await client.request('tasks/cancel', { taskId: decided.taskId }),
    await client.request('tasks/update', { taskId: decided.taskId, inputResponses: { approve: {} } }),
  ]

  expect(acks.map(({ result }) => result.resultType)).toEqual(Array(4).fill('complete'))
  expect((await client.task(waiting.taskId)).result.status).toBe('cancelled')
  expect((await client.task(decided.taskId)).result.status).toBe('completed')
  expect((await owner.get(`/api/pending-changes/${waiting.taskId}`)).body.status).toBe('retracted')
})

test('a client that does not know tasks is told at once, and refused what is for those who do', async () => {
  const answer = await propose(plain)
  const { taskId } = await propose()

  expect(answer).toMatchObject({ resultType: 'complete', structuredContent: { status: 'pending' } })
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    const { status, error } = await plain.request(method, { taskId })
    expect(status).toBe(400)
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    })
  }
  expect((await client.task(taskId)).result.status).toBe('working')
})

test('tasks of another agent, of another Space and of nobody are not there', async () => {
  const { taskId } = await propose()
  const stranger = createRawClient(url, other.token)
  const { body: narrowed } = await owner
    .post(`/api/agents/${scribe.agentId}/tokens`)
    .send({ name: 'elsewhere', spaces: [world.other.id], tier: 'suggest' })
  const elsewhere = createRawClient(url, narrowed.token)

  for (const [who, id] of [
    [stranger, taskId],
    [elsewhere, taskId],
    [client, world.lamp.id],
    [client, 'tasks-that-never-were'],
    [client, 'x'.repeat(10_000)],
  ] as const) {
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect((await who.request(method, { taskId: id })).error?.code).toBe(-32602)
  }
  expect((await client.task(taskId)).result.status).toBe('working')
})
