// What a turn of one of the owner's own companions is given, and what it may do.

import { describe, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { answerOf, ofType, takeTurn } from '../../helpers/turn-client.ts'
import { makeWorld } from '../../helpers/world.ts'

type Settings = Record<string, unknown> & { tier: 'read' | 'suggest' }

const draft = {
  name: 'propose_change',
  input: { entity_type: 'task', action: 'create', payload: { title: 'Oil the hinges' }, reason: 'Asked.' },
}

async function begin(steps: ScriptedStep[], settings: Settings = { tier: 'suggest' }) {
  const model = scriptedModel(steps)
  const void_ = await buildApp({ callModel: model, namingQuietMs: 3_600_000 })
  const { owner, app } = void_
  const url = await listen(app)
  const { space } = await makeWorld(void_)
  const { body: agent } = await owner.post('/api/agents').send({ name: 'Editor', ...settings })
  const state = async (query = '') => (await owner.get(`/api/spaces/${space.id}/companion${query}`)).body
  const say = (text: string, body: object = {}) =>
    takeTurn({ url, space_id: space.id, body: { text, ...body } })
  return { owner, model, space, agent, state, say }
}

describe('what the model is given', () => {
  test('the owner’s instructions, in the part of the prompt that stays, behind what Void says', async () => {
    const { model, say, agent } = await begin([{ text: 'Yes.' }], {
      tier: 'suggest',
      instructions: 'Answer in one sentence.',
    })

    await say('Is it lit?', { agent_id: agent.id })

    const { system, systemFixed } = model.requests[0]!
    expect(system).toContain('You are “Editor”')
    expect(system.slice(0, systemFixed)).toContain('Answer in one sentence.')
    expect(system.indexOf('You cannot change anything')).toBeLessThan(
      system.indexOf('Answer in one sentence.'),
    )
  })

  test('the tools that it was given, and no other can be called', async () => {
    const { model, say, agent, owner, space } = await begin([{ tools: [draft] }, { text: 'I could not.' }], {
      tier: 'suggest',
      tools: ['search', 'read'],
    })

    const frames = await say('Add a task', { agent_id: agent.id })

    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(['search', 'read'])
    expect(model.requests[0]!.system).toContain('You cannot change anything or draft a change.')
    expect(ofType(frames, 'tool').at(-1)?.data.status).toBe('error')
    expect((await owner.get(`/api/pending-changes?space_id=${space.id}`)).body.items).toEqual([])
  })

  test('the model that it has, unless another one was chosen for the conversation', async () => {
    const { owner, space, say, agent, state } = await begin([{ text: '1' }, { text: '2' }, { text: '3' }], {
      tier: 'read',
      model: 'claude-haiku-4-5',
    })
    const { conversation_id } = await state(`?agent_id=${agent.id}`)
    const modelOf = async (frames: Awaited<ReturnType<typeof say>>) =>
      (await owner.get(`/api/turns/${ofType(frames, 'turn')[0]!.data.turn_id}`)).body.model
    const chosen = (model: string | null) =>
      owner.patch(`/api/spaces/${space.id}/conversations/${conversation_id}`).send({ model })

    const own = await modelOf(await say('One', { conversation_id }))
    await chosen('claude-opus-5')
    const other = await modelOf(await say('Two', { conversation_id }))
    const shown = (await state()).agent
    await chosen(null)
    const again = await modelOf(await say('Three', { conversation_id }))

    expect([own, other, again]).toEqual(['claude-haiku-4-5', 'claude-opus-5', 'claude-haiku-4-5'])
    expect(shown).toMatchObject({ model: 'claude-opus-5', chosen_model: 'claude-opus-5' })
  })
})

describe('a companion that only reads', () => {
  test('is not offered to draft, and is refused when it tries to', async () => {
    const { model, say, agent, owner, space } = await begin([{ tools: [draft] }, { text: 'No.' }], {
      tier: 'read',
    })

    await say('Add a task', { agent_id: agent.id })

    expect(model.requests[0]!.tools.map(({ name }) => name)).not.toContain('propose_change')
    expect((await owner.get(`/api/pending-changes?space_id=${space.id}`)).body.items).toEqual([])
  })

  test('is refused by the gate when it was lowered or deleted in the middle of a turn', async () => {
    for (const end of ['lower', 'delete'] as const) {
      const model = scriptedModel([
        async () => {
          const { body } = await owner.get('/api/agents')
          const { id } = body.items.find(({ name }: { name: string }) => name === 'Editor')
          if (end === 'lower')
            await owner.patch(`/api/agents/${id}`).send({ capabilities: { suggest: false } })
          else await deps.database.query('update agents set deleted_at = now() where id = $1', [id])
          return { tools: [draft] }
        },
        { text: 'No.' },
      ])
      const void_ = await buildApp({ callModel: model, namingQuietMs: 3_600_000 })
      const { owner, deps } = void_
      const { space } = await makeWorld(void_)
      const { body: agent } = await owner.post('/api/agents').send({ name: 'Editor', tier: 'suggest' })

      const frames = await takeTurn({
        url: await listen(void_.app),
        space_id: space.id,
        body: { text: 'Add a task', agent_id: agent.id },
      })

      expect(ofType(frames, 'tool').at(-1)?.data.status).toBe('error')
      expect(ofType(frames, 'draft')).toEqual([])
    }
  })
})

describe('a thread', () => {
  test('marks for each companion what another one answered in it, as that one’s words alone', async () => {
    const search = { name: 'search', input: { q: 'lamp' } }
    const { say, agent, state, model } = await begin([
      { text: 'Mine is the first.' },
      { tools: [search] },
      { text: 'Mine is the second.' },
      { text: 'Third.' },
    ])
    const { conversation_id } = await state()

    await say('Hello', { conversation_id })
    await say('@Editor what of the lamp?', { conversation_id, agent_id: agent.id })
    await say('And now?', { conversation_id })

    const answersGiven = (index: number) =>
      model.requests[index]!.messages.filter(({ role }) => role === 'assistant').map((message) =>
        JSON.stringify(message.content),
      )
    const mark = (name: string) =>
      `[Void: this is the answer of “${name}”, another companion, and not yours.]`
    // The second companion, at its first step.
    expect(answersGiven(1)).toEqual([expect.stringContaining(mark('Companion'))])
    const [own, others] = answersGiven(3)
    expect(own).toContain('Mine is the first.')
    expect(own).not.toContain('[Void')
    expect(others).toContain(mark('Editor'))
    expect(others).toContain('Mine is the second.')
    expect(JSON.stringify(model.requests[3]!.messages)).not.toContain('tool_use')
  })

  test('is with one companion; another one asked by name answers one message in it, with drafts of its own', async () => {
    const { say, agent, state, owner, space } = await begin([
      { text: 'First.' },
      { tools: [draft] },
      { text: 'Drafted.' },
      { text: 'Third.' },
    ])
    const { conversation_id, agent: first } = await state()

    const one = await say('Hello', { conversation_id })
    const two = await say('@Editor add a task', { conversation_id, agent_id: agent.id })
    const three = await say('And now?', { conversation_id })

    const agentIn = (frames: typeof one) => ofType(frames, 'turn')[0]!.data.agent_id
    expect([agentIn(one), agentIn(two), agentIn(three)]).toEqual([undefined, agent.id, undefined])
    const { messages, agents } = await state()
    const authors = messages.flatMap(({ agent_id }: { agent_id: string | null }) => agent_id ?? [])
    expect(authors).toEqual([first.id, agent.id, first.id])
    expect(agents.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Companion', 'Editor'])
    const { items } = (await owner.get(`/api/pending-changes?space_id=${space.id}`)).body
    const { card } = (await owner.get(`/api/pending-changes/${items[0].id}`)).body
    expect(card.agent).toEqual({ id: agent.id, slug: 'editor', name: 'Editor', color: null })
  })

  test('tells each companion of its own drafts alone', async () => {
    const { say, agent, state, owner, space, model } = await begin([
      { tools: [draft] },
      { text: 'Drafted.' },
      { text: 'First.' },
      { text: 'Editor.' },
    ])
    const { conversation_id } = await state()
    await say('@Editor add a task', { conversation_id, agent_id: agent.id })
    const { items } = (await owner.get(`/api/pending-changes?space_id=${space.id}`)).body
    await owner.post(`/api/pending-changes/${items[0].id}/reject`).send({ reason: 'Not today.' })

    await say('Hello', { conversation_id })
    await say('@Editor hello', { conversation_id, agent_id: agent.id })

    const given = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)))
    expect(given.map((last) => last.includes('Not today.'))).toEqual([false, false, false, true])
  })

  test('named by none is found among those of the companion used last', async () => {
    const { say, agent, state } = await begin([{ text: '1' }, { text: '2' }])
    await say('Hello to the first one')

    const own = (await state(`?agent_id=${agent.id}`)).conversation_id
    const frames = await say('Hello to the other one')

    expect(ofType(frames, 'turn')[0]!.data).toMatchObject({ conversation_id: own, agent_id: agent.id })
    expect((await state()).agent.id).toBe(agent.id)
  })
})

test('deleting a companion stops what it is answering, and what waits is answered by the first one', async () => {
  const { say, agent, owner, state } = await begin([{ text: 'Let me', hang: true }, { text: 'Here I am.' }])
  const { conversation_id } = await state(`?agent_id=${agent.id}`)
  const cut = say('A long story', { conversation_id })
  await expect.poll(async () => (await state()).running_turn_id).not.toBeNull()
  const waiting = say('And then?', { conversation_id, queue: true })
  await expect.poll(async () => (await state()).queued.length).toBe(1)

  await owner.delete(`/api/agents/${agent.id}`)

  expect((await cut).at(-1)).toMatchObject({ type: 'done', data: { stop_reason: 'aborted' } })
  expect(answerOf(await waiting)).toBe('Here I am.')
  expect((await state()).messages.at(-1)).toMatchObject({ agent_id: (await state()).agent.id })
})

test('offline, the companion of rules answers for all of them, and drafts for none that only reads', async () => {
  const void_ = await buildApp()
  const { owner, app } = void_
  const url = await listen(app)
  const { space } = await makeWorld(void_)
  const { body: agent } = await owner
    .post('/api/agents')
    .send({ name: 'Reader', tier: 'read', model: 'claude-opus-5', instructions: 'Be brief.' })
  const ask = (text: string) => takeTurn({ url, space_id: space.id, body: { text, agent_id: agent.id } })

  const found = await ask('How often does the lamp turn?')
  const refused = await ask('Create a task to oil the hinges')

  expect(answerOf(found)).toContain('twelve seconds')
  expect(ofType(refused, 'draft')).toEqual([])
  expect(refused.at(-1)?.type).toBe('done')
  expect(answerOf(refused)).toContain('this companion may not use propose_change')
})
