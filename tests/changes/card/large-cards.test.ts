// Cards of texts that are too large for the main thread.

import { expect, test } from 'vitest'
import { makeCard, makeRawCard } from '../../../lib/changes/card/make-card.ts'
import type { Card } from '../../../lib/contract/changes/card.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { draftedChange } from './draft-card.ts'

const built = await buildApp({
  draftsWaiting: 99,
  draftsPerHour: 99,
  draftBytes: 4e6,
  draftsWaitingBytes: 9e6,
})
const { owner } = built
const world = await makeWorld(built)
const { token } = await makeAgent(built, { slug: 'scribe' })
const scribe = built.as(token)

const words = (count: number) => Array.from({ length: count }, (_, n) => `${n % 7919} [[a|`).join(' ')

test('others are answered while the card of two megabytes is made, and it is approved by its hash', async () => {
  const body = words(95_000)
  const { body: page } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Log', body: body.split(' ').toReversed().join(' ') })
  const { body: draft } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, body })
  const answered: string[] = []
  const note = (name: string) => (answer: { status: number; body: { card?: Card } }) => {
    answered.push(`${name} ${answer.status}`)
    return answer
  }

  const before = { own: process.threadCpuUsage(), all: process.cpuUsage() }
  const asked = owner.get(`/api/pending-changes/${draft.id}`).then(note('card'))
  for (let n = 0; n < 3; n++) await owner.get('/health').then(note('health'))
  const { card } = (await asked).body
  const own = process.threadCpuUsage(before.own).user
  const all = process.cpuUsage(before.all).user
  const approved = await owner
    .post(`/api/pending-changes/${draft.id}/approve`)
    .send({ payload_sha256: card?.payload_sha256 })

  expect(answered).toEqual(['health 200', 'health 200', 'health 200', 'card 200'])
  expect(card?.fields.map(({ name }) => name)).toEqual(['body'])
  expect(approved.status).toBe(200)
  // Comparing takes most of it, and that was another thread's.
  expect(own / all).toBeLessThan(0.5)
})

test('what could not be compared is shown as it is, with a warning and the hash of its payload', () => {
  const { card, ...change } = draftedChange({
    payload: { title: 'Log', body: 'After' },
    row: { body: 'Before' },
  })
  const input = {
    change,
    kind: kinds.get('page'),
    zone: 'UTC',
    row: null,
    space: card.space,
    agent: card.agent,
  }

  const raw = makeRawCard(input)

  expect(raw).toMatchObject({
    payload_sha256: makeCard(input).payload_sha256,
    operation: 'update',
    fields: [
      { name: 'title', after: 'Log', text: null },
      { name: 'body', after: 'After', text: null },
    ],
    warnings: [{ code: 'too_complex' }],
  })
})
