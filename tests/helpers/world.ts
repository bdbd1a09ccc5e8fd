// The world that the tests tell their stories in: a small lighthouse and the people who keep it.

import type { EntityRow } from '../../lib/contract/entities/kind.ts'
import type { SpaceRow } from '../../lib/db/repos/spaces.ts'
import type { TestApp } from './build-app.ts'

export type World = {
  space: SpaceRow
  /** A Space that nobody but the owner may enter. */
  other: SpaceRow
  lamp: EntityRow
  lease: EntityRow
  paint: EntityRow
  repairs: EntityRow
}

export const lampBody = `# The lamp

The lamp turns once in twelve seconds. Its range is 18 nautical miles in clear weather.

## Oil

The lamp burns rapeseed oil; the tank holds 40 litres and lasts for nine nights.

See also [[Lease of the keeper's house]].
`

export const leaseBody = `The lease of the keeper's house runs until 30 September 2031.

The rent is 410 crowns a month, due on the third working day.
`

/** Fills two Spaces through the API, as an owner would. */
export async function makeWorld({ owner }: Pick<TestApp, 'owner'>): Promise<World> {
  const space = await created<SpaceRow>(owner.post('/api/spaces').send({ name: 'Skerry Light' }))
  const other = await created<SpaceRow>(owner.post('/api/spaces').send({ name: 'Harbour Office' }))
  const at = `/api/spaces/${space.id}`

  return {
    space,
    other,
    lamp: await created(owner.post(`${at}/pages`).send({ title: 'The lamp', body: lampBody })),
    lease: await created(
      owner.post(`${at}/pages`).send({ title: "Lease of the keeper's house", body: leaseBody }),
    ),
    paint: await created(
      owner.post(`${at}/tasks`).send({ title: 'Paint the gallery rail', priority: 'high' }),
    ),
    repairs: await created(owner.post(`${at}/projects`).send({ title: 'Summer repairs' })),
  }
}

async function created<Row>(sending: PromiseLike<{ status: number; body: Row }>): Promise<Row> {
  const { status, body } = await sending
  if (status !== 201) throw new Error(`expected 201, got ${status}: ${JSON.stringify(body)}`)
  return body
}

/** An outside agent and a token of its own. */
export async function makeAgent(
  { owner }: Pick<TestApp, 'owner'>,
  options: {
    slug: string
    spaces?: string[] | null
    tier?: 'read' | 'suggest'
    capabilities?: { read: boolean; suggest: boolean }
    expires_at?: string
  },
): Promise<{ agentId: string; tokenId: string; token: string }> {
  const { slug, spaces = null, tier = 'suggest', capabilities, expires_at } = options
  const agent = await created<{ id: string }>(
    owner.post('/api/agents').send({ name: slug, slug, ...(capabilities ? { capabilities } : {}) }),
  )
  const token = await created<{ id: string; token: string }>(
    owner
      .post(`/api/agents/${agent.id}/tokens`)
      .send({ name: 'test', spaces, tier, ...(expires_at ? { expires_at } : {}) }),
  )
  return { agentId: agent.id, tokenId: token.id, token: token.token }
}
