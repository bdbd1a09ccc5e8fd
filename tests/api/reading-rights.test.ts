// What an agent learns from answers and refusals when it may not read, and of what is in the trash.

import { describe, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`

describe('an agent that may suggest and not read', async () => {
  const { token } = await makeAgent(void_, {
    slug: 'blind-scribe',
    capabilities: { read: false, suggest: true },
  })
  const blind = void_.as(token)

  test('is told that its version is stale, and nothing of the current row', async () => {
    const stale = await blind.patch(`/api/pages/${world.lease.id}`).send({ version: 7, title: 'Lease' })

    expect(stale.status).toBe(409)
    expect(stale.body.error.code).toBe('stale_version')
    expect(JSON.stringify(stale.body)).not.toContain('410 crowns')
  })

  test('gets a receipt for a draft, without card, provenance or the text it would replace', async () => {
    const drafted = await blind
      .patch(`/api/pages/${world.lease.id}`)
      .send({ version: 1, body: 'A new lease.', title: 'Another lease' })
    const retracted = await blind.post(`/api/pending-changes/${drafted.body.id}/retract`)
    const created = await blind.post(`${at}/tasks`).send({ title: 'Trim the wick' })
    const deleted = await blind.delete(`/api/pages/${world.lease.id}`)

    expect([drafted.status, retracted.status, created.status, deleted.status]).toEqual([202, 200, 202, 202])
    expect(Object.keys(drafted.body).toSorted()).toEqual([
      'action',
      'created_at',
      'entity_id',
      'entity_type',
      'id',
      'payload_sha256',
      'space_id',
      'status',
    ])
    for (const { body } of [drafted, retracted, created, deleted]) {
      expect(JSON.stringify(body)).not.toMatch(/crowns|keeper's house/)
    }
  })

  test('cannot revise by edits, which would return and probe the text', async () => {
    const draft = await blind
      .patch(`/api/pages/${world.lease.id}`)
      .send({ version: 1, title: 'Lease of the house' })
    const revise = (edits: object[]) =>
      blind.post(`/api/pending-changes/${draft.body.id}/revise`).send({ edits })

    const found = await revise([{ old_text: '410 crowns', new_text: '1 crown' }])
    const missed = await revise([{ old_text: '999 crowns', new_text: '1 crown' }])
    const whole = await blind
      .post(`/api/pending-changes/${draft.body.id}/revise`)
      .send({ payload: { title: 'A lease' } })

    expect([found.status, missed.status, whole.status]).toEqual([403, 403, 202])
    expect(found.body.error.message).toBe(missed.body.error.message)
    expect(JSON.stringify([found.body, whole.body])).not.toContain('crown')
  })
})

test('an agent does not see the trash, neither as a list nor by blame', async () => {
  const { token } = await makeAgent(void_, { slug: 'rummager' })
  const agent = void_.as(token)
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Thrown away', body: 'A secret.' })
  await owner.delete(`/api/pages/${page.id}`)

  const list = await agent.get(`${at}/pages?deleted=true`)
  const blame = await agent.get(`/api/pages/${page.id}/blame`)
  const own = await owner.get(`${at}/pages?deleted=true`)

  expect([list.status, blame.status, own.status]).toEqual([403, 404, 200])
  expect(own.body.items).toHaveLength(1)
})
