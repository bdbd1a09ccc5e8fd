// Every route, asked by those who may not: no credential, a wrong one, an agent's in every place a credential may stand.

import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createGuard } from '../../lib/api/guard.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { makeAgent } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, deps } = void_
const routes = listRoutes(kinds, createGuard(deps.server.authentication))

const fill = (path: string) => path.replace(/:\w+/g, '01900000-0000-7000-8000-000000000000')
const ownerOnly = routes.filter((route) => route.access === 'owner')
const guarded = routes.filter((route) => route.access !== 'public')

test('there are owner-only routes to guard', () => {
  expect(ownerOnly.length).toBeGreaterThan(15)
})

test.each(guarded.map((route) => [route.method, route.path] as const))(
  '%s %s is 401 without a credential, and with a wrong one',
  async (method, path) => {
    const bare = await request(app)[method](fill(path))
    const wrong = await request(app)[method](fill(path)).set('Authorization', 'Bearer agent_nonsense')

    expect([bare.status, wrong.status]).toEqual([401, expect.toBeOneOf([401, 429])])
    expect(bare.body.error).toMatchObject({ code: 'unauthorized', request_id: expect.any(String) })
  },
)

describe('an agent token', async () => {
  const { token } = await makeAgent(void_, { slug: 'prober' })

  test.each(ownerOnly.map((route) => [route.method, route.path] as const))(
    'does not reach %s %s, in any header or cookie',
    async (method, path) => {
      const asBearer = await request(app)[method](fill(path)).set('Authorization', `Bearer ${token}`)
      const asCookie = await request(app)[method](fill(path)).set('Cookie', `void_session=${token}`)
      const asOtherHeader = await request(app)
        [method](fill(path))
        .set({ 'X-Api-Key': token, 'Proxy-Authorization': `Bearer ${token}`, 'X-Owner-Token': token })

      expect(asBearer.status).toBe(403)
      expect([401, 429]).toContain(asCookie.status)
      expect(asOtherHeader.status).toBe(401)
    },
  )

  test('beside the owner’s cookie is still an agent', async () => {
    const { session } = await deps.server.authentication.openSession(ownerToken)

    const answer = await request(app)
      .get('/api/agents')
      .set('Cookie', `void_session=${session}`)
      .set('Authorization', `Bearer ${token}`)

    expect(answer.status).toBe(403)
  })
})
