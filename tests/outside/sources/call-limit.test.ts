// A call that is sent and not answered in time: nobody knows whether it took effect.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { ofType, takeTurn } from '../../helpers/turn-client.ts'
import { makeWorld } from '../../helpers/world.ts'
import { fakeSource, useProposed } from './source-helpers.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-call-limit-'))
const log = join(folder, 'log')
const call = (tool: string) => ({
  name: 'call_tool',
  input: { source: 'Fake', tool, arguments: { text: 'hang' }, reason: 'You asked.' },
})
let told = ''
const model = scriptedModel([
  { tools: [call('delete_all')] },
  { text: 'Drafted.' },
  { tools: [call('echo')] },
  ({ messages }) => {
    told = JSON.stringify(messages.at(-1))
    return { text: 'It did not answer.' }
  },
])
const void_ = await buildApp({ callModel: model, callMs: 300 })
const { owner, deps } = void_
const url = await listen(void_.app)
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`
const { body: source } = await owner.post(`${at}/sources`).send(fakeSource('', { LOG: log }))
await useProposed(void_, source.id)
const turn = async (text: string) => await takeTurn({ url, space_id: world.space.id, body: { text } })
const made = () => readFileSync(log, 'utf8').trim().split('\n').length

afterAll(async () => {
  await deps.callRunner.settled()
  await deps.connections.close()
  rmSync(folder, { recursive: true })
})

test('an approved call that hangs ends as unknown at its limit, and is not made again', async () => {
  const [draft] = ofType(await turn('Delete it.'), 'draft')
  const path = `/api/pending-changes/${draft!.data.pending_change_id}`
  const { body: pending } = await owner.get(path)
  const runOf = async () => (await owner.get(path)).body.card.call

  await owner.post(`${path}/approve`).send({ payload_sha256: pending.payload_sha256 }).expect(200)
  await expect.poll(async () => (await runOf())?.state, { timeout: 20_000 }).toBe('unknown')
  await owner.post(`${path}/approve`).send({ payload_sha256: pending.payload_sha256 })
  deps.callRunner.kick()
  await deps.callRunner.settled()

  expect(await runOf()).toMatchObject({ state: 'unknown', error: expect.stringMatching(/timed out/i) })
  expect(made()).toBe(1)
})

test('a free call that hangs costs its turn a sentence', async () => {
  const frames = await turn('Read it.')

  expect(frames.at(-1)?.type).toBe('done')
  expect(told).toMatch(/The source failed: .*timed out/i)
})
