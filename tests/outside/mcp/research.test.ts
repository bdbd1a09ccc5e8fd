// Research that external agents start over MCP: only with a budget, within it, in their Space alone, and nothing of it is a
// draft or a question to the owner.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { contentOf, createStageModel, judgeSaying } from '../../companion/research/research-client.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'

let model = createStageModel()
const void_ = await buildApp({ callModel: (request) => scriptedModel([model.step])(request) })
const { owner, deps, app } = void_
const url = await listen(app)
const world = await makeWorld(void_)
const reader = await makeAgent(void_, { slug: 'reader', spaces: [world.space.id], tier: 'read' })
const other = await makeAgent(void_, { slug: 'other', tier: 'read' })
const mute = await makeAgent(void_, { slug: 'mute', capabilities: { read: false, suggest: true } })

const clients = new Map<string, Client>()
afterAll(() => Promise.all([...clients.values()].map((client) => client.close())))

async function research(token: string, args: object) {
  const client = clients.get(token) ?? new Client({ name: 'test', version: '1' })
  if (!clients.has(token)) {
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    )
    clients.set(token, client)
  }
  const result = await client.callTool({ name: 'research', arguments: { space: world.space.slug, ...args } })
  const [first] = result.content as { text?: string }[]
  const text = first?.text ?? ''
  return { isError: result.isError === true, text, ...(Object(result.structuredContent) as Progress) }
}

type Progress = {
  id: string
  status: string
  note: string
  answer: string | null
  outcome: string | null
  tokens: { used: number; budget: number }
  passages: { n: string; title: string; text: string }[]
  more: boolean
}

const allow = ({ agentId }: { agentId: string }, research_tokens: number) =>
  owner.patch(`/api/agents/${agentId}`).send({ research_tokens }).expect(200)

const ended = (token: string, id: string) =>
  expect.poll(async () => (await research(token, { id })).status, { timeout: 20_000 })

beforeEach(() => {
  model = createStageModel({ judge: judgeSaying('supported') })
})

const question = 'How does the lamp work?'

test('a reader with a budget starts a run, sees its end and answer, and lists its passages', async () => {
  await allow(reader, 400_000)
  const started = await research(reader.token, { question, depth: 'standard' })
  await ended(reader.token, started.id).toBe('done')

  const run = await research(reader.token, { id: started.id })
  const passages = await research(reader.token, { id: started.id, after: 0 })

  expect(started.isError).toBe(false)
  expect(run).toMatchObject({ outcome: 'checked', tokens: { budget: 400_000 } })
  expect(run.tokens.used).toBeGreaterThan(0)
  expect(run.answer).toContain('The lamp burns rapeseed oil. [')
  expect(passages.passages.map(({ text }) => text).join()).toContain('rapeseed')
  // Nobody was asked, and nothing was drafted.
  expect((await owner.get('/api/pending-changes').expect(200)).body.items).toEqual([])
  const { body: runs } = await owner.get(`/api/spaces/${world.space.id}/research`)
  expect(runs.items[0]).toMatchObject({ question, asked_by: reader.agentId, status: 'done' })
})

test('its thread is archived, names the agent, and is not where the owner’s next message goes', async () => {
  const { body: all } = await owner.get(`/api/spaces/${world.space.id}/conversations`)
  const thread = all.items.find(({ title }: { title: string }) => title.startsWith('reader: '))

  expect(thread).toMatchObject({ status: 'archived', title: `reader: ${question}` })
  const { body: current } = await owner.get(`/api/spaces/${world.space.id}/companion`)
  expect(current.conversation_id).not.toBe(thread.id)
})

test('without a budget, beyond it, and without reading nothing starts', async () => {
  expect(await research(other.token, { question })).toMatchObject({
    isError: true,
    text: expect.stringContaining('no budget for research'),
  })
  await allow(other, 1)
  const small = await research(other.token, { question })
  await ended(other.token, small.id).toBe('paused')
  expect(model.calls).toEqual([])
  await allow(mute, 100_000)
  expect((await research(mute.token, { question })).isError).toBe(true)

  await allow(reader, 10)
  expect(await research(reader.token, { question })).toMatchObject({
    isError: true,
    text: expect.stringContaining('budget for today is used up'),
  })
  expect(model.calls).toEqual([])
})

test('a run takes no more than what is left of the day', async () => {
  const { tokens } = await deps.database
    .query<{ tokens: number }>('select sum(tokens)::float8 as tokens from research_stages')
    .then(({ rows }) => rows[0]!)
  await allow(reader, tokens + 50_000)

  const { id } = await research(reader.token, { question })
  await ended(reader.token, id).toBe('done')

  expect((await research(reader.token, { id })).tokens.budget).toBe(50_000)
})

test('one run at a time, and a run of another agent is unknown', async () => {
  await allow(reader, 5_000_000)
  const gate = Promise.withResolvers<void>()
  model.replies.plan = async () => {
    await gate.promise
    return { text: '{}' }
  }
  const first = await research(reader.token, { question })
  await ended(reader.token, first.id).toBe('running')
  const second = await research(reader.token, { question })
  const foreign = await research(other.token, { id: first.id })
  const ledger = await research(other.token, { id: first.id, after: 0 })
  gate.resolve()
  await ended(reader.token, first.id).toBe('done')

  expect(second).toMatchObject({ isError: true, text: expect.stringContaining('still running') })
  expect([foreign.isError, ledger.isError]).toEqual([true, true])
})

test('an agent that lost the Space while its run waited is refused when it starts', async () => {
  const { body: agent } = await owner.post('/api/agents').send({ name: 'Late', slug: 'late' }).expect(201)
  await allow({ agentId: agent.id }, 100_000)
  const gone = { depth: 'quick', rerun_of: null, asked_by: { agent_id: agent.id, question } } as const
  await owner.patch(`/api/agents/${agent.id}`).send({ spaces: [] }).expect(200)
  const companion = await deps.companion.agent()
  const turn = await deps.companion.start(
    { kind: 'system', name: 'test' },
    {
      space_id: world.space.id,
      message: { text: 'x', research: gone },
      agent_id: companion.id,
      idempotency_key: 'late',
      queue: true,
    },
  )

  await expect
    .poll(async () => (await owner.get(`/api/turns/${turn.id}`)).body.status, { timeout: 10_000 })
    .toBe('done')
  const { rows } = await deps.database.query('select from research_runs where first_turn_id = $1', [turn.id])
  expect(rows).toEqual([])
})

test('what is wrong with a call is said', async () => {
  for (const args of [{}, { question, id: crypto.randomUUID() }, { after: 0 }, { question: ' ' }])
    expect((await research(reader.token, args)).isError).toBe(true)
})

test('a companion has no such budget, and no owner’s message can name an agent', async () => {
  const { id } = await deps.companion.agent()
  const own = await owner.patch(`/api/agents/${id}`).send({ research_tokens: 1 })
  const forged = await owner
    .post(`/api/spaces/${world.space.id}/companion/turn`)
    .send({ text: question, research: { depth: 'quick', asked_by: { agent_id: reader.agentId, question } } })

  expect([own.status, forged.status]).toEqual([400, 400])
})

test('a run of an agent is not given what the owner had remembered', async () => {
  const { body: memory } = await owner.get('/api/memory').expect(200)
  const change = { version: memory.version, body: '- The lamp is called Gerda.\n' }
  await owner.patch(`/api/pages/${memory.id}`).send(change).expect(200)
  await allow(reader, 400_000)
  const { id } = await research(reader.token, { question, depth: 'quick' })
  await ended(reader.token, id).toBe('done')
  await owner
    .delete(`/api/pages/${memory.id}`)
    .send({ version: memory.version + 1 })
    .expect(200)

  expect(model.calls).toContain('plan')
  expect(model.requests.filter((request) => 'remembered' in contentOf(request))).toEqual([])
})
