// What a run of a routine may not do, and who may not make one.

import { afterAll, expect, test } from 'vitest'
import type { CallModel, ModelRequest } from '../../../lib/ai/model.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { fakeSource, useProposed } from '../../outside/sources/source-helpers.ts'

let script: (request: ModelRequest) => ScriptedStep = () => ({ text: 'Done.' })
const requests: ModelRequest[] = []
const callModel: CallModel = async (request) => {
  requests.push(request)
  return await scriptedModel([script])(request)
}

const app = await buildApp({ callModel })
const world = await makeWorld(app)
const hurried = await buildApp({ callModel, turnMinutes: 0.01, database: app.deps.database })
const at = `/api/spaces/${world.space.id}`
const routine = { name: 'Look', instruction: 'Look.', when: { event: 'import' } }
afterAll(() => app.deps.connections.close())

async function run({ owner } = app) {
  const { body: made } = await owner.post(`${at}/routines`).send(routine).expect(201)
  const started = await owner.post(`/api/routines/${made.id}/run`).send({}).expect(202)
  for (;;) {
    const { body } = await owner.get(`/api/routines/${made.id}/runs`)
    const [last] = body.items
    if (last.status !== 'running') return { ...last, conversation_id: started.body.conversation_id }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const stepsOf = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'assistant').length

test('a model that does not answer is not waited for', async () => {
  script = () => ({ text: 'Let me', hang: true })
  const done = await run(hurried)

  expect(done).toMatchObject({ status: 'failed', problem: 'It took too long.', draft_ids: [] })
})

test('a tool that waits for the owner is refused, and leaves no draft; one that may be called freely is not', async () => {
  const { body: source } = await app.owner.post(`${at}/sources`).send(fakeSource('')).expect(201)
  await app.owner.post(`/api/sources/${source.id}/test`).expect(200)
  const call = { name: 'call_tool', input: { source: 'Fake', tool: 'echo', arguments: { text: 'hello' } } }
  script = (request) => (stepsOf(request) === 0 ? { tools: [call] } : { text: 'Done.' })
  const refused = await run()
  const told = JSON.stringify(requests.at(-1)!.messages)
  await useProposed(app, source.id)
  const allowed = await run()

  expect(refused).toMatchObject({ status: 'done', draft_ids: [] })
  expect(told).toContain('waits for the owner, who is not there')
  expect(told).not.toContain('echo: hello')
  expect(allowed).toMatchObject({ status: 'done', draft_ids: [] })
  expect(JSON.stringify(requests.at(-1)!.messages)).toContain('echo: hello')
})

test('all routines together draft at most forty things a day', async () => {
  let name = 0
  script = (request) => {
    if (stepsOf(request) === 2) return { text: 'Enough.' }
    const tools = Array.from({ length: 8 }, () => {
      name += 1
      const payload = { title: `Lamp ${name}`, body: '' }
      return { name: 'propose_change', input: { entity_type: 'task', action: 'create', payload } }
    })
    return { tools }
  }
  const counts: number[] = []
  for (let n = 0; n < 4; n += 1) counts.push((await run()).draft_ids.length)

  expect(counts).toEqual([16, 16, 8, 0])
})

test('the token of an agent neither sees nor makes, changes, runs or deletes one', async () => {
  const { body: made } = await app.owner.post(`${at}/routines`).send(routine).expect(201)
  const { token } = await makeAgent(app, { slug: 'scribe' })
  const agent = app.as(token)
  const answers = await Promise.all([
    agent.get(`${at}/routines`),
    agent.post(`${at}/routines`).send(routine),
    agent.patch(`/api/routines/${made.id}`).send({ enabled: false }),
    agent.delete(`/api/routines/${made.id}`),
    agent.post(`/api/routines/${made.id}/run`).send({}),
    agent.get(`/api/routines/${made.id}/runs`),
  ])

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  const { body } = await app.owner.get(`${at}/routines`)
  expect(body.items.find(({ id }: { id: string }) => id === made.id)).toEqual(made)
})
