// Many decisions at once, of every sort: one effect, one audit row, and every answer true. The bench runs 10,000.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PendingChange } from '../../lib/contract/changes/pending-change.ts'
import type { EntityRow } from '../../lib/contract/entities/kind.ts'
import type { AgentActor } from '../../lib/core/actor.ts'
import { buildApp } from '../helpers/build-app.ts'
import { beginTurn, companion } from '../helpers/one-turn.ts'
import { contenders, race } from '../helpers/race.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const { agentId, token } = await makeAgent(void_, { slug: 'scribe' })
const capabilities = { read: true, suggest: true, write: false }
const agent = { kind: 'agent', agent_id: agentId, slug: 'scribe', capabilities, spaces: null } as const
const track = { deps, spaceId: world.space.id, agent }
const at = `/api/spaces/${world.space.id}`

test('whatever is decided at once, one decision wins and all that stands there is its doing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...contenders), { minLength: 2, maxLength: 7 }),
      async (field) => {
        expect(await race(track, field)).toEqual([])
      },
    ),
    { numRuns: 100, endOnFailure: true },
  )
}, 240_000)

test('fifty decisions of every sort at once leave one effect and one audit row', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Raced', body: 'One\n\nTwo\n' })
  const { body: draft } = await void_
    .as(token)
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, title: 'Drafted', body: 'First\n\nTwo\n' })
  const requests = [
    ['approve', {}],
    ['approve', { fields: ['title'] }],
    ['approve', { hunks: { body: [0] }, fields: ['body'] }],
    ['approve', { edited: { title: 'Mine' } }],
    ['approve', { edited: { title: 'Mine as well' } }],
    ['reject', {}],
    ['review-again', undefined],
  ] as const

  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const [path, body] = requests[n % requests.length]!
      return await owner.post(`/api/pending-changes/${draft.id}/${path}`).send(body)
    }),
  )
  const { body: audit } = await owner.get(`/api/audit?entity_id=${page.id}`)
  const { body: after } = await owner.get(`/api/pages/${page.id}`)
  const { body: change } = await owner.get(`/api/pending-changes/${draft.id}`)

  const granted = answers.filter(({ status }) => status === 200)
  const effects = change.status === 'rejected' ? 0 : 1
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect(new Set(granted.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(granted.length).toBeGreaterThanOrEqual(7)
  expect(granted.length).toBeLessThanOrEqual(8)
  expect(audit.items).toHaveLength(1 + effects)
  expect(after.version).toBe(1 + effects)
})

test('two changesets that change the same things in opposite order do not wait for each other', async () => {
  for (let round = 0; round < 10; round++) {
    const pages: EntityRow[] = []
    for (const title of ['North', 'South', 'East']) {
      pages.push((await owner.post(`${at}/pages`).send({ title })).body)
    }
    const draftAll = async (actor: AgentActor, order: EntityRow[]) => {
      const propose = await beginTurn(void_, world.space.id, actor)
      const drafts: PendingChange[] = []
      for (const { id } of order) {
        const payload = { title: `Round ${round}`, body: `By ${actor.slug}` }
        drafts.push(await propose({ entity_type: 'page', action: 'update', entity_id: id, payload }))
      }
      return drafts
    }
    const changesets = [await draftAll(companion, pages), await draftAll(agent, pages.toReversed())]

    const answers = await Promise.all(
      changesets.map(([first, ...more]) => {
        const payloads = Object.fromEntries(
          [first!, ...more].map(({ id, payload_sha256 }) => [id, payload_sha256]),
        )
        return owner.post(`/api/changesets/${first!.changeset_id}/approve`).send({ payloads })
      }),
    )
    const bodies = await Promise.all(
      pages.map(async ({ id }) => (await owner.get(`/api/pages/${id}`)).body.body),
    )

    const codes = answers.map(({ status, body }) => (status === 200 ? 'applied' : body.error.code))
    expect(codes.toSorted()).toEqual(['applied', 'changeset_failed'])
    expect(new Set(bodies).size).toBe(1)
  }
}, 60_000)
