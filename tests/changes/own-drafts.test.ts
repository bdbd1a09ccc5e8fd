// What an agent may do with its own drafts, and only with those; and how many it may make.

import { expect, test } from 'vitest'
import type { GivenText } from '../../lib/changes/grounding/provenance.ts'
import type { EntityRow } from '../../lib/contract/entities/kind.ts'
import { buildApp } from '../helpers/build-app.ts'
import { beginTurn } from '../helpers/one-turn.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp({
  draftsWaiting: 12,
  draftsPerHour: 60,
  draftBytes: 2000,
  draftsWaitingBytes: 20_000,
})
const { owner } = void_
const world = await makeWorld(void_)
const scribe = void_.as((await makeAgent(void_, { slug: 'scribe' })).token)
const other = void_.as((await makeAgent(void_, { slug: 'other' })).token)
const at = `/api/spaces/${world.space.id}`

async function makePage(title: string) {
  return (await owner.post(`${at}/pages`).send({ title, body: 'One line.\n' })).body
}
const changeOf = async (id: string) => (await owner.get(`/api/pending-changes/${id}`)).body

test('a newer draft for the same thing takes the place of the older one, visibly, also in the card', async () => {
  const page = await makePage('Rota')
  const { body: older } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Rota A' })
  const { body: foreign } = await other.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Rota Z' })
  const { body: newer } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'Two.\n' })

  const stale = await owner.post(`/api/pending-changes/${older.id}/approve`).send({})

  expect(newer).toMatchObject({ supersedes: older.id, derivation: 'revised', payload: { body: 'Two.\n' } })
  expect(await changeOf(older.id)).toMatchObject({
    status: 'superseded',
    superseded_by: newer.id,
    decided_by: 'agent:scribe',
    card: { superseded_by: newer.id },
  })
  expect((await changeOf(foreign.id)).status).toBe('pending')
  expect(stale.body.error).toMatchObject({
    code: 'already_decided',
    details: { current: { superseded_by: newer.id } },
  })
  await other.post(`/api/pending-changes/${foreign.id}/retract`)
  await scribe.post(`/api/pending-changes/${newer.id}/retract`)
})

test('a draft is withdrawn by its agent, once and for good', async () => {
  const page = await makePage('Withdrawn')
  const { body: draft } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, title: 'Never mind' })

  const foreign = await other.post(`/api/pending-changes/${draft.id}/retract`)
  const byOwner = await owner.post(`/api/pending-changes/${draft.id}/retract`)
  const first = await scribe.post(`/api/pending-changes/${draft.id}/retract`)
  const again = await scribe.post(`/api/pending-changes/${draft.id}/retract`)
  const approved = await owner.post(`/api/pending-changes/${draft.id}/approve`).send({})

  expect([foreign.status, byOwner.status]).toEqual([404, 403])
  expect(first.body).toMatchObject({ status: 'retracted', decided_by: 'agent:scribe', decision: null })
  expect(again.body).toEqual(first.body)
  expect([approved.status, approved.body.error.code]).toEqual([409, 'already_decided'])
})

test('a draft is revised by its agent: what it does not mention stays as drafted', async () => {
  const page = await makePage('Revised')
  const { body: draft } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, title: 'First try', body: 'Drafted line.\n', reason: 'Because.' })

  const foreign = await other
    .post(`/api/pending-changes/${draft.id}/revise`)
    .send({ payload: { title: 'Mine' } })
  const { status, body: revised } = await scribe
    .post(`/api/pending-changes/${draft.id}/revise`)
    .send({ payload: { title: 'Second try' }, edits: [{ old_text: 'Drafted', new_text: 'Revised' }] })
  const late = await scribe
    .post(`/api/pending-changes/${draft.id}/revise`)
    .send({ payload: { title: 'Third' } })

  expect([foreign.status, status]).toEqual([404, 202])
  expect(revised).toMatchObject({
    supersedes: draft.id,
    changeset_id: draft.changeset_id,
    reason: 'Because.',
    payload: { title: 'Second try', body: 'Revised line.\n' },
  })
  expect([late.status, late.body.error.code]).toEqual([409, 'already_decided'])
  await scribe.post(`/api/pending-changes/${revised.id}/retract`)
})

test('a draft whose target has moved on is not revised over the newer text', async () => {
  const page = await makePage('Moved on')
  const { body: draft } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, body: 'Old idea.\n' })
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'Newer text.\n' })

  const answer = await scribe
    .post(`/api/pending-changes/${draft.id}/revise`)
    .send({ payload: { title: 'T' } })

  expect([answer.status, answer.body.error.code]).toEqual([409, 'stale_version'])
  expect((await changeOf(draft.id)).status).toBe('pending')
  await scribe.post(`/api/pending-changes/${draft.id}/retract`)
})

test('a draft too large, one too many waiting, and too many in an hour are refused, each with what to do', async () => {
  const page = await makePage('Limits')
  const large = await scribe.post(`${at}/pages`).send({ title: 'Large', body: 'é'.repeat(1000) })
  for (let n = 0; n < 12; n++) await scribe.post(`${at}/pages`).send({ title: `Waiting ${n}` })
  const tooMany = await scribe.post(`${at}/pages`).send({ title: 'One more' })
  const { body: elsewhere } = await other.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Other' })
  let last = elsewhere
  for (let n = 0; n < 57; n++) {
    last = (
      await other.post(`/api/pending-changes/${last.id}/revise`).send({ payload: { title: `Try ${n}` } })
    ).body
  }
  const often = []
  for (let n = 0; n < 3; n++) often.push(await other.post(`${at}/pages`).send({ title: `Often ${n}` }))
  const tooOften = often.at(-1)!

  expect([large.status, large.body.error.code]).toEqual([413, 'draft_too_large'])
  expect([tooMany.status, tooMany.body.error.code]).toEqual([409, 'too_many_drafts'])
  expect([tooOften.status, tooOften.body.error.code]).toEqual([429, 'too_many_requests'])
  expect(Number(tooOften.headers['retry-after'])).toBeGreaterThan(3000)
  expect(Number(tooOften.headers['retry-after'])).toBeLessThanOrEqual(3600)
})

test('drafts that wait have so many bytes together, without those that a newer one replaces', async () => {
  const hoarder = void_.as((await makeAgent(void_, { slug: 'hoarder' })).token)
  const statuses = []
  let last = { id: '' }
  for (let n = 0; n < 11; n++) {
    const answer = await hoarder.post(`${at}/pages`).send({ title: `Big ${n}`, body: 'x'.repeat(1900) })
    statuses.push(answer.status)
    if (answer.status === 202) last = answer.body
  }
  const revised = await hoarder
    .post(`/api/pending-changes/${last.id}/revise`)
    .send({ payload: { body: 'y'.repeat(1900) } })
  const full = await hoarder.post(`${at}/pages`).send({ title: 'Big', body: 'x'.repeat(1900) })

  expect(statuses).toEqual([...Array(10).fill(202), 409])
  expect(revised.status).toBe(202)
  expect(full.body.error).toMatchObject({ code: 'too_many_drafts', details: { limit_bytes: 20_000 } })
})

test('one turn makes fifty drafts at most', async () => {
  const roomy = await buildApp({
    draftsWaiting: 1000,
    draftsWaitingBytes: 1e9,
    draftsPerHour: 1000,
    draftBytes: 2000,
  })
  const there = await makeWorld(roomy)
  const propose = await beginTurn(roomy, there.space.id)
  const draft = (n: number) =>
    propose({ entity_type: 'page', action: 'create', payload: { title: `Page ${n}` } })
  for (let n = 0; n < 50; n++) await draft(n)

  await expect(draft(50)).rejects.toMatchObject({ code: 'too_many_drafts' })
})

test('what an earlier draft was made from stays with the one that builds on it, and its doubts too', async () => {
  const read = (source: EntityRow): GivenText => ({
    entity_type: 'page',
    entity_id: source.id,
    title: String(source.title),
    given_by: 'read',
    texts: [String(source.body)],
  })
  const first = await beginTurn(void_, world.space.id)
  const draft = await first({
    entity_type: 'page',
    action: 'create',
    payload: { title: 'From the lease' },
    given: { sources: [read(world.lease)], said: [] },
  })
  const later = await beginTurn(void_, world.space.id)
  const revise = (over: object) =>
    later({
      entity_type: 'page',
      action: 'create',
      supersedes: draft.id,
      payload: { body: 'More.' },
      ...over,
    })

  const revised = await revise({ given: { sources: [read(world.lamp)], said: [] } })
  const unknown = await later({
    entity_type: 'page',
    action: 'create',
    supersedes: revised.id,
    payload: { body: 'Most.' },
  })

  expect(revised.provenance.known).toBe(true)
  expect(revised.provenance.sources.map(({ entity_id }) => entity_id).toSorted()).toEqual(
    [world.lamp.id, world.lease.id].toSorted(),
  )
  expect(unknown.provenance).toMatchObject({ known: false, sources: [{}, {}] })
})

test('an agent that may only read neither revises nor retracts', async () => {
  const { token } = await makeAgent(void_, { slug: 'reader', tier: 'read' })
  const { body: drafts } = await owner.get('/api/pending-changes?limit=1')

  const answers = await Promise.all(
    ['revise', 'retract'].map((path) =>
      void_.as(token).post(`/api/pending-changes/${drafts.items[0].id}/${path}`).send({}),
    ),
  )

  expect(answers.map(({ status }) => status)).toEqual([403, 403])
})
