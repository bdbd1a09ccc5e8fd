import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner, deps } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`
const { token } = await makeAgent(void_, { slug: 'scribe' })

const history = async (path: string, id: string) => (await owner.get(`/api/${path}/${id}/history`)).body.items
const diff = (path: string, id: string, from: number, to: number) =>
  owner.get(`/api/${path}/${id}/history/diff?from=${from}&to=${to}`)

test('the history tells who, when and why, and what was taken back', async () => {
  app.locals.callModel = scriptedModel([
    {
      tools: [
        {
          name: 'propose_change',
          input: {
            entity_type: 'task',
            action: 'update',
            entity_id: world.paint.id,
            payload: { status: 'done' },
            reason: 'The rail shines.',
          },
        },
      ],
    },
    { text: 'Drafted.' },
  ])
  await owner.post(`${at}/companion/turn`).send({ text: 'The rail is painted' })
  const { body } = await owner.get(`/api/pending-changes?space_id=${world.space.id}`)
  await owner.post(`/api/pending-changes/${body.items[0].id}/approve`)
  const { body: undone } = await owner.post(`/api/pending-changes/${body.items[0].id}/undo`)

  const versions = await history('tasks', world.paint.id)

  expect(versions).toMatchObject([
    {
      seq: undone.seq,
      version: 3,
      action: 'update',
      fields: ['status'],
      undoes: { seq: versions[1].seq },
      undone: null,
    },
    {
      version: 2,
      actor: 'owner',
      fields: ['status'],
      undone: { seq: undone.seq, by: 'owner' },
      reason: {
        agent: { slug: 'companion' },
        note: 'The rail shines.',
        asked: 'The rail is painted',
        conversation: { id: expect.any(String) },
      },
    },
    { version: 1, action: 'create', reason: null },
  ])
  const first = await owner.get(`/api/tasks/${world.paint.id}/history?limit=1`)
  const rest = await owner.get(`/api/tasks/${world.paint.id}/history?cursor=${first.body.next_cursor}`)
  expect(rest.body.items).toEqual(versions.slice(1))
})

test('every kind has one, and a thing in the trash keeps its own', async () => {
  for (const { path, type } of deps.kinds.all) {
    const { body: made } = await owner.post(`${at}/${path}`).send({ title: `A ${type}` })
    await owner.patch(`/api/${path}/${made.id}`).send({ version: 1, title: 'Another' })
    await owner.delete(`/api/${path}/${made.id}`)

    const actions = (await history(path, made.id)).map(({ action }: { action: string }) => action)
    expect([path, actions]).toEqual([path, ['delete', 'update', 'create']])
    const { fields } = (await diff(path, made.id, 1, 3)).body
    expect(fields).toMatchObject([
      { name: 'deleted_at', before: null, after: expect.any(String) },
      { name: 'title', before: `A ${type}`, after: 'Another' },
    ])
  }
})

test('an agent has no business there, and a version that never was is 404', async () => {
  expect((await void_.as(token).get(`/api/pages/${world.lamp.id}/history`)).status).toBe(403)
  expect((await diff('pages', world.lamp.id, 1, 9)).status).toBe(404)
  expect((await owner.get(`/api/tasks/${world.lamp.id}/history`)).status).toBe(404)
})

test('what is told of any two versions is what stood there', async () => {
  const change = fc.record(
    {
      title: fc.constantFrom('One', 'Two'),
      body: fc.string({ maxLength: 30 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
      status: fc.constantFrom('open', 'done'),
      due_on: fc.constantFrom(null, '2031-04-01', '2031-05-02'),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const { body: task } = await owner.post(`${at}/tasks`).send({ title: 'One' })
      const stood = [task]
      for (const fields of changes) {
        const { version } = stood.at(-1)
        const { body } = await owner.patch(`/api/tasks/${task.id}`).send({ version, ...fields })
        if (body.version > version) stood.push(body)
      }
      for (const from of stood) {
        const to = stood[stood.length - 1 - stood.indexOf(from)]
        const { body } = await diff('tasks', task.id, from.version, to.version)
        const differing = ['body', 'due_on', 'status', 'title'].filter((name) => from[name] !== to[name])
        expect(body.fields).toEqual(differing.map((name) => ({ name, before: from[name], after: to[name] })))
      }
    }),
    { numRuns: 25 },
  )
})
