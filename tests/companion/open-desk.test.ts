// The open tabs on their way from the browser into the prompt: what is told, what is left out, what is kept.

import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadHistory } from '../../lib/companion/prompt/load-history.ts'
import type { OpenDesk } from '../../lib/contract/companion/open-desk.ts'
import { buildApp } from '../helpers/build-app.ts'
import { type ScriptedModel, scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner, deps } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}/companion`
const inBoth: OpenDesk = {
  active: 'right',
  tabs: [
    { side: 'left', shown: true, kind: 'page', id: world.lamp.id },
    { side: 'right', shown: true, view: 'search', q: 'rent' },
  ],
}
let model: ScriptedModel

beforeEach(() => {
  model = scriptedModel([{ text: 'Yes.' }, { text: 'Again.' }])
  app.locals.callModel = model
})

async function say(more: Record<string, unknown>): Promise<string> {
  const { status, text } = await owner.post(`${at}/turn`).send({ text: 'What is here?', ...more })
  expect(status, text).toBe(200)
  return model.requests.at(-1)!.system
}

describe('the prompt of a turn', () => {
  test('tells the tabs by the titles that are stored, and the view that is worked in', async () => {
    const system = await say({ desk: inBoth })

    expect(system).toContain(`- left, in view: the page “The lamp” (id ${world.lamp.id})`)
    expect(system).toContain('- right, in view: the view search for “rent”')
    expect(system).toContain('The owner is looking at the view search for “rent”.')
    expect(system).toContain("Pages at the top: “Lease of the keeper's house”, “The lamp”")
    expect(system).toContain('Projects: “Summer repairs”')
  })

  test('leaves out what is not in the Space, of another kind or gone, and tells nothing of it', async () => {
    const { body: foreign } = await owner
      .post(`/api/spaces/${world.other.id}/pages`)
      .send({ title: 'Harbour secrets', body: '' })
    const { body: gone } = await owner
      .post(`/api/spaces/${world.space.id}/pages`)
      .send({ title: 'Torn up', body: '' })
    await owner.delete(`/api/pages/${gone.id}`).send({ version: 1 })
    const things = [
      { kind: 'page', id: foreign.id },
      { kind: 'page', id: gone.id },
      { kind: 'task', id: world.lamp.id },
      { kind: 'spell', id: world.lamp.id },
      { kind: 'page', id: '0190a1b2-0000-7000-8000-00000000000f' },
    ]
    const tabs = things.map((thing) => ({ side: 'left', shown: false, ...thing }))

    const system = await say({
      desk: { active: 'left', tabs },
      view: { entityType: 'page', entityId: foreign.id },
    })

    expect(system).not.toMatch(/Harbour secrets|Torn up|Open tabs/)
    for (const { id } of things) expect(system).not.toContain(id)
    expect(system).toContain('The owner has nothing open.')
  })

  test('is the same at every call of the turn, whatever changes meanwhile', async () => {
    model = scriptedModel([
      async () => {
        await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Meanwhile', body: '' })
        return { tools: [{ name: 'list', input: {} }] }
      },
      { text: 'Listed.' },
    ])
    app.locals.callModel = model

    await say({ desk: inBoth })

    expect(model.requests[1]?.system).toBe(model.requests[0]?.system)
    expect(model.requests[0]?.systemFixed).toBeGreaterThan(1000)
  })
})

test.each([
  { active: 'middle', tabs: [] },
  { active: 'left', tabs: [{ side: 'left', shown: true, href: '/s/x' }] },
  { active: 'left', tabs: [{ side: 'left', shown: true, view: 'settings' }] },
  { active: 'left', tabs: [{ side: 'left', shown: true, kind: 'page', id: '../../etc' }] },
  { active: 'left', tabs: [{ side: 'left', shown: true, view: 'tasks', title: 'Obey me' }] },
  { active: 'left', tabs: Array.from({ length: 41 }, () => ({ side: 'left', shown: false, view: 'tasks' })) },
])('what is no desk is refused: %j', async (desk) => {
  const { status } = await owner.post(`${at}/turn`).send({ text: 'Hello', desk })

  expect(status).toBe(400)
  expect(model.requests).toHaveLength(0)
})

test('the tabs are kept with the message, and are no part of what later turns are told', async () => {
  await say({ desk: inBoth })

  const { body } = await owner.get(at)
  const asked = body.messages.findLast(({ role }: { role: string }) => role === 'user')
  const history = await loadHistory(deps.database, {
    conversationId: body.conversation_id,
    beforeId: uuid(),
    agentId: (await deps.companion.agent()).id,
    model: 'scripted',
  })

  expect(asked.metadata.desk).toEqual(inBoth)
  const asTold = history.messages.filter(
    ({ role, content }) => role === 'user' && typeof content === 'string',
  )
  expect(asTold.length).toBeGreaterThan(0)
  expect(new Set(asTold.map(({ content }) => content))).toEqual(new Set(['What is here?']))
})

test('the same key with other tabs is another message', async () => {
  const send = (desk: unknown) =>
    owner.post(`${at}/turn`).set('Idempotency-Key', 'one').send({ text: 'Hello', desk })
  await send(inBoth)

  expect((await send({ ...inBoth, active: 'left' })).status).toBe(422)
  expect((await send(inBoth)).status).toBe(200)
})

test('a message that waits keeps its tabs, also when its words are changed', async () => {
  const written = Promise.withResolvers<void>()
  model = scriptedModel([
    async () => {
      await written.promise
      return { text: 'At last.' }
    },
    { text: 'And now.' },
  ])
  app.locals.callModel = model
  const first = owner
    .post(`${at}/turn`)
    .send({ text: 'Slowly' })
    .then(({ status }) => status)
  await expect.poll(() => model.requests.length).toBe(1)
  const { conversation_id } = (await owner.get(at)).body
  const second = owner
    .post(`${at}/turn`)
    .send({ text: 'Then', desk: inBoth, queue: true, conversation_id })
    .then(({ status }) => status)
  await expect.poll(async () => (await owner.get(at)).body.queued.length).toBe(1)
  const [waiting] = (await owner.get(at)).body.queued

  const edited = await owner.patch(`/api/turns/${waiting.turn_id}`).send({ text: 'Then this' })
  written.resolve()

  expect(edited.status).toBe(200)
  expect(await Promise.all([first, second])).toEqual([200, 200])
  expect(model.requests[1]?.system).toContain('The owner is looking at the view search for “rent”.')
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('Then this')
})
