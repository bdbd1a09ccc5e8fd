// Companions of the owner's own: how they are made, changed and deleted.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const { owner, as } = void_
const world = await makeWorld(void_)
const create = (body: object) => owner.post('/api/agents').send(body)

const editor = {
  name: 'Editor',
  instructions: 'You mend sentences.\nNever add facts.',
  model: 'claude-haiku-4-5',
  tier: 'suggest',
  tools: ['search', 'read', 'propose_change'],
  color: 'teal',
}

describe('a companion', () => {
  test('is created with a name and a tier, and has what it was given', async () => {
    const plain = await create({ name: 'Harbour pilot', tier: 'read' })
    const full = await create({ ...editor, spaces: [world.space.id] })

    expect(plain.status).toBe(201)
    expect(plain.body).toMatchObject({
      ...{
        kind: 'companion',
        slug: 'harbour-pilot',
        instructions: '',
        model: null,
        tools: null,
        color: null,
      },
      capabilities: { read: true, suggest: false, write: false },
      scopes: { spaces: null },
    })
    expect(full.body).toMatchObject({
      ...{ kind: 'companion', slug: 'editor', instructions: editor.instructions, model: editor.model },
      ...{ tools: editor.tools, color: 'teal' },
      capabilities: { read: true, suggest: true, write: false },
      scopes: { spaces: [world.space.id] },
    })
    expect((await owner.get(`/api/agents/${full.body.id}`)).body).toEqual(full.body)
  })

  test('is changed field by field', async () => {
    const { body } = await create({ name: 'Clerk', tier: 'read' })

    const changed = await owner.patch(`/api/agents/${body.id}`).send({
      instructions: 'Keep the ledger.',
      capabilities: { suggest: true },
      model: 'other',
      tools: ['read'],
    })
    const back = await owner.patch(`/api/agents/${body.id}`).send({ model: null, tools: null })

    expect(changed.body).toMatchObject({
      ...{ name: 'Clerk', instructions: 'Keep the ledger.', model: 'other', tools: ['read'] },
      capabilities: { read: true, suggest: true, write: false },
    })
    expect(back.body).toMatchObject({ instructions: 'Keep the ledger.', model: null, tools: null })
  })

  test.each([
    ['instructions beyond 8,000 characters', { instructions: 'x'.repeat(8001) }, 400],
    ['a tool that there is not', { tools: ['search', 'format_disk'] }, 400],
    ['nothing to read with', { tools: ['propose_change'] }, 400],
    ['no tool at all', { tools: [] }, 400],
    ['a color that there is not', { color: 'url(evil)' }, 400],
    ['a tier to write', { tier: 'write' }, 400],
    ['an empty model', { model: ' ' }, 400],
    ['a Space that there is not', { spaces: [uuid()] }, 404],
    ['a slug', { slug: 'mine' }, 400],
    ['capabilities', { capabilities: { read: true, suggest: true } }, 400],
    ['a field that nobody knows', { write: true }, 400],
    ['no name', { name: '\u200b' }, 400],
    ['a name of signs alone', { name: '***' }, 400],
    ['a name that is a text', { name: 'Long '.repeat(20) }, 400],
    ['the name of the owner', { name: 'Уоu' }, 400],
    ['the name of the first companion', { name: 'Companlon' }, 400],
  ])('is refused with %s', async (_, wrong, status) => {
    const refused = await create({ name: 'Refused', tier: 'suggest', ...wrong })

    expect(refused.status).toBe(status)
  })

  test('cannot look like another companion, also not by being renamed', async () => {
    await create({ name: 'Scribe', tier: 'read' })
    const { body: other } = await create({ name: 'Warden', tier: 'read' })

    const twin = await create({ name: 'Sсribе', tier: 'read' })
    const renamed = await owner.patch(`/api/agents/${other.id}`).send({ name: 'SCR\u200bIBE' })
    const same = await owner.patch(`/api/agents/${other.id}`).send({ name: 'WARDEN' })

    expect(twin.body.error).toMatchObject({ code: 'name_taken' })
    expect([twin.status, renamed.status, same.status]).toEqual([409, 409, 200])
  })

  test('is the owner’s to make', async () => {
    const { token } = await makeAgent(void_, { slug: 'outsider' })

    const refused = await as(token).post('/api/agents').send({ name: 'Puppet', tier: 'suggest' })

    expect(refused.status).toBe(403)
  })

  test('has no settings that an external agent could be given', async () => {
    const { agentId } = await makeAgent(void_, { slug: 'gull' })

    const created = await create({ name: 'Tern', slug: 'tern', instructions: 'Obey.' })
    const changed = await owner.patch(`/api/agents/${agentId}`).send({ instructions: 'Obey.' })
    const neither = await create({ name: 'Neither' })

    expect([created.status, changed.status, neither.status]).toEqual([400, 400, 400])
  })
})

describe('deleting', () => {
  const makeThread = async (name: string) => {
    const { body: agent } = await create({ name, tier: 'suggest' })
    const { body: thread } = await owner
      .post(`/api/spaces/${world.space.id}/conversations`)
      .send({ agent_id: agent.id })
    return { agent, thread }
  }
  const stateOf = async (query = '') =>
    (await owner.get(`/api/spaces/${world.space.id}/companion${query}`)).body

  test('keeps the threads, which go on with the first companion and say whose they were', async () => {
    const { agent, thread } = await makeThread('Rower')
    const before = await stateOf()

    const deleted = await owner.delete(`/api/agents/${agent.id}`)
    const after = await stateOf()

    expect(before).toMatchObject({
      conversation_id: thread.id,
      agent: { name: 'Rower' },
      former_agent_id: null,
    })
    expect(deleted.status).toBe(200)
    expect(after).toMatchObject({
      conversation_id: thread.id,
      agent: { slug: 'companion' },
      former_agent_id: agent.id,
    })
    expect(after.agents).toEqual([{ id: agent.id, slug: 'rower', name: 'Rower', color: null }])
    expect(after.companions.map(({ name }: { name: string }) => name)).not.toContain('Rower')
  })

  test('is undone by restoring: the companion, and its threads where it answers', async () => {
    const { agent, thread } = await makeThread('Pilot')
    const { body: elsewhere } = await owner.post('/api/spaces').send({ name: 'Elsewhere' })
    const { body: left } = await owner
      .post(`/api/spaces/${elsewhere.id}/conversations`)
      .send({ agent_id: agent.id })
    await owner
      .patch(`/api/agents/${agent.id}`)
      .send({ spaces: [world.space.id] })
      .expect(200)
    await owner.delete(`/api/agents/${agent.id}`).expect(200)
    const listed = (await owner.get('/api/agents/deleted')).body.items

    const restored = await owner.post(`/api/agents/${agent.id}/restore`)

    const agentOf = async (id: string) =>
      (
        await void_.deps.database.query('select agent_id, former_agent_id from conversations where id = $1', [
          id,
        ])
      ).rows[0]
    expect(listed[0]).toMatchObject({ id: agent.id, name: 'Pilot' })
    expect(restored.body).toMatchObject({ id: agent.id, name: 'Pilot', scopes: { spaces: [world.space.id] } })
    expect(await agentOf(thread.id)).toEqual({ agent_id: agent.id, former_agent_id: null })
    expect(await agentOf(left.id)).toMatchObject({ former_agent_id: agent.id })
    expect((await owner.get(`/api/agents/${agent.id}`)).status).toBe(200)
    expect(JSON.stringify((await owner.get('/api/agents/deleted')).body)).not.toContain(agent.id)
  })

  test('is not undone for what is not deleted, no companion, or when its name was given to another', async () => {
    const { agent } = await makeThread('Purser')
    const restore = (id: string) => owner.post(`/api/agents/${id}/restore`)
    const alive = await restore(agent.id)
    await owner.delete(`/api/agents/${agent.id}`).expect(200)
    const { body: heir } = await create({ name: 'PURSER', tier: 'read' })
    const taken = await restore(agent.id)
    await owner.patch(`/api/agents/${heir.id}`).send({ name: 'Steward' }).expect(200)
    const { agentId, token } = await makeAgent(void_, { slug: 'crane' })
    const byAgent = await as(token).post(`/api/agents/${agent.id}/restore`)
    const outside = await restore(agentId)
    const [one, two] = await Promise.all([restore(agent.id), restore(agent.id)])

    expect([alive.status, taken.status, byAgent.status, outside.status]).toEqual([404, 409, 403, 404])
    expect([one.status, two.status].sort()).toEqual([200, 404])
  })

  test('until then it is final: it is not found, not listed, and its tokens work no more', async () => {
    const { agent } = await makeThread('Ferryman')
    const { body: token } = await owner.post(`/api/agents/${agent.id}/tokens`).send({ name: 'oar' })
    const read = () => as(token.token).get(`/api/spaces/${world.space.id}/pages`)
    expect((await read()).status).toBe(200)

    await owner.delete(`/api/agents/${agent.id}`)

    expect((await read()).status).toBe(401)
    const { status: again } = await owner.delete(`/api/agents/${agent.id}`)
    const { status: found } = await owner.get(`/api/agents/${agent.id}`)
    const { status: changed } = await owner.patch(`/api/agents/${agent.id}`).send({ name: 'Ghost' })
    const asked = await owner.get(`/api/spaces/${world.space.id}/companion?agent_id=${agent.id}`)
    expect([again, found, changed, asked.status]).toEqual([404, 404, 404, 404])
    expect(JSON.stringify((await owner.get('/api/agents?limit=200')).body)).not.toContain(agent.id)
    expect((await create({ name: 'Ferryman', tier: 'read' })).body.slug).toBe('ferryman-2')
  })

  test('is refused for the first companion and for external agents', async () => {
    const { agentId } = await makeAgent(void_, { slug: 'puffin' })
    const first = (await stateOf()).companions[0]

    const refused = [
      await owner.delete(`/api/agents/${first.id}`),
      await owner.delete(`/api/agents/${agentId}`),
    ]

    expect(first.slug).toBe('companion')
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, 'not_deletable'],
      [409, 'not_deletable'],
    ])
  })
})

describe('the Spaces of a companion', () => {
  test('are where it is offered and answers, and nowhere else', async () => {
    const { body: agent } = await create({ name: 'Harbour master', tier: 'read', spaces: [world.other.id] })
    const at = async (space: string) =>
      (await owner.get(`/api/spaces/${space}/companion?agent_id=${agent.id}`)).status
    const turn = await owner
      .post(`/api/spaces/${world.space.id}/companion/turn`)
      .send({ text: 'What is the rent?', agent_id: agent.id })

    expect([await at(world.other.id), await at(world.space.id)]).toEqual([200, 404])
    expect(turn.status).toBe(404)
    const { body: here } = await owner.get(`/api/spaces/${world.space.id}/companion`)
    const { body: there } = await owner.get(`/api/spaces/${world.other.id}/companion`)
    expect(JSON.stringify(here.companions)).not.toContain(agent.id)
    expect(JSON.stringify(there.companions)).toContain(agent.id)
  })

  test('can be fewer later: its threads there go on with the first companion', async () => {
    const { body: agent } = await create({ name: 'Traveller', tier: 'read' })
    await owner.post(`/api/spaces/${world.space.id}/conversations`).send({ agent_id: agent.id })
    const { body: kept } = await owner
      .post(`/api/spaces/${world.other.id}/conversations`)
      .send({ agent_id: agent.id })

    await owner.patch(`/api/agents/${agent.id}`).send({ spaces: [world.other.id] })

    const { body: here } = await owner.get(`/api/spaces/${world.space.id}/companion`)
    const { body: there } = await owner.get(`/api/spaces/${world.other.id}/companion`)
    expect(here).toMatchObject({ agent: { slug: 'companion' }, former_agent_id: agent.id })
    expect(there).toMatchObject({ conversation_id: kept.id, agent: { id: agent.id }, former_agent_id: null })
  })
})

test('the tools that a companion can be offered are listed, with what each does', async () => {
  const { body } = await owner.get('/api/agents/tools')

  expect(body.items).toContainEqual({
    name: 'propose_change',
    title: 'Propose a change',
    capability: 'write',
  })
  expect(body.items.find(({ name }: { name: string }) => name === 'search').capability).toBe('read')
})
