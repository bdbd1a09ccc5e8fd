// How many messages the owner may send in a minute.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../lib/server/config.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { startVoidProcess } from '../helpers/void-process.ts'

async function limitedTo(turnsPerMinute: number) {
  const callModel = scriptedModel(Array.from({ length: 4 }, () => ({ text: 'Seen.' })))
  const { owner } = await buildApp({ callModel, turnsPerMinute })
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Lamp room' })
  const say = (text: string, accept = 'application/json') =>
    owner.post(`/api/spaces/${space.id}/companion/turn`).set('accept', accept).send({ text })
  return { owner, space, say }
}

test.each(['text/event-stream', 'application/json', 'application/x-ndjson'])(
  'one message too many is refused with a time to wait (%s), and stores nothing',
  async (accept) => {
    const { owner, space, say } = await limitedTo(2)
    const first = await say('One')
    await say('Two')

    const refused = await say('Three', accept)

    expect([first.status, refused.status]).toEqual([200, 429])
    expect(refused.body.error).toMatchObject({ code: 'too_many_requests' })
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    const { body } = await owner.get(`/api/spaces/${space.id}/companion`)
    expect(JSON.stringify(body.messages)).not.toContain('Three')
  },
)

test('a channel without a screen is told to wait in words that can be spoken', async () => {
  const { say } = await limitedTo(1)
  await say('One')

  const { body } = await say('Two')

  expect(body).toMatchObject({
    text: 'That is more messages than I can take in a minute. Please try again in a moment.',
    error: { code: 'too_many_requests', retryable: true },
  })
})

test('the messages of all Spaces count together, and reading does not count', async () => {
  const { owner, space, say } = await limitedTo(2)
  const { body: other } = await owner.post('/api/spaces').send({ name: 'Boat house' })
  await say('One')
  await owner
    .post(`/api/spaces/${other.id}/companion/turn`)
    .set('accept', 'application/json')
    .send({ text: 'Two' })

  const reads = await Promise.all([1, 2, 3].map(() => owner.get(`/api/spaces/${space.id}/companion`)))
  const refused = await say('Three')

  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(refused.status).toBe(429)
})

test('a message that is malformed, or comes with no credentials, does not count', async () => {
  const { owner, space, say } = await limitedTo(1)
  const path = `/api/spaces/${space.id}/companion/turn`

  const malformed = await owner.post(path).send({ words: 'One' })
  const anonymous = await owner.post(path).set('authorization', 'Bearer owner_wrong').send({ text: 'One' })
  const taken = await say('One')

  expect([malformed.status, anonymous.status, taken.status]).toEqual([400, 401, 200])
})

test('research that is resumed or repeated is a message, too', async () => {
  const { owner, say } = await limitedTo(1)
  const unknown = '01900000-0000-7000-8000-00000000dead'
  await say('One')

  const answers = await Promise.all(
    ['resume', 'rerun'].map((verb) => owner.post(`/api/research/${unknown}/${verb}`).send({})),
  )

  expect(answers.map(({ status }) => status)).toEqual([429, 429])
})

test('the server takes the limit from its configuration, 60 where nothing is set', async () => {
  const folder = makeDataFolder(mkdtempSync(join(tmpdir(), 'void-turn-limit-')))
  const token = 'owner_of-the-turn-limit-0123456789'
  const server = await startVoidProcess({ DATA_DIR: folder, OWNER_TOKEN: token, TURNS_PER_MINUTE: '1' })
  onTestFinished(async () => {
    server.kill()
    await server.gone
    rmSync(folder, { recursive: true })
  })
  const say = () =>
    fetch(`${server.url}/api/spaces/01900000-0000-7000-8000-00000000dead/companion/turn`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello' }),
    })

  const statuses = [(await say()).status, (await say()).status]

  expect(statuses).toEqual([404, 429])
  expect(loadConfig({}, '').turnsPerMinute).toBe(60)
  expect(loadConfig({ TURNS_PER_MINUTE: '0' }, '').turnsPerMinute).toBeNull()
})
