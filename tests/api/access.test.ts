import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

let clock = new Date('2030-05-01T12:00:00Z')
const void_ = await buildApp({ now: () => clock })
const { app, owner, deps } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`

describe('an agent', () => {
  test('drafts with every write call and changes nothing', async () => {
    const { token, agentId } = await makeAgent(void_, { slug: 'scribe' })
    const scribe = void_.as(token)

    const created = await scribe.post(`${at}/tasks`).send({ title: 'Trim the wick', reason: 'It smokes.' })
    const updated = await scribe.patch(`/api/tasks/${world.paint.id}`).send({ version: 1, status: 'done' })
    const deleted = await scribe.delete(`/api/pages/${world.lamp.id}`)
    const task = await owner.get(`/api/tasks/${world.paint.id}`)
    const tasks = await owner.get(`${at}/tasks`)

    expect([created.status, updated.status, deleted.status]).toEqual([202, 202, 202])
    expect(created.body).toMatchObject({
      agent_id: agentId,
      action: 'create',
      payload: { title: 'Trim the wick' },
      reason: 'It smokes.',
      status: 'pending',
      base_version: null,
    })
    expect(updated.body).toMatchObject({ action: 'update', payload: { status: 'done' }, base_version: 1 })
    expect(deleted.body).toMatchObject({ action: 'delete', payload: {}, entity_id: world.lamp.id })
    expect(task.body).toMatchObject({ status: 'open', version: 1 })
    expect(tasks.body.items).toHaveLength(1)
  })

  test('is told when its version is stale, as the owner is', async () => {
    const { token } = await makeAgent(void_, { slug: 'late-scribe' })
    const answer = await void_
      .as(token)
      .patch(`/api/tasks/${world.paint.id}`)
      .send({ version: 7, status: 'done' })

    expect(answer.status).toBe(409)
  })

  test('without suggest, by capability or by the tier of its token, is refused every write', async () => {
    const reader = await makeAgent(void_, { slug: 'reader', tier: 'read' })
    const mute = await makeAgent(void_, { slug: 'mute', capabilities: { read: true, suggest: false } })

    for (const { token } of [reader, mute]) {
      const agent = void_.as(token)
      expect((await agent.post(`${at}/pages`).send({ title: 'No' })).status).toBe(403)
      expect(
        (await agent.patch(`/api/pages/${world.lamp.id}`).send({ version: 1, title: 'No' })).status,
      ).toBe(403)
      expect((await agent.delete(`/api/pages/${world.lamp.id}`)).status).toBe(403)
      expect((await agent.get(`/api/pages/${world.lamp.id}`)).status).toBe(200)
    }
  })

  test('cannot be given a capability to write', async () => {
    const answer = await owner
      .post('/api/agents')
      .send({ name: 'Bold', slug: 'bold', capabilities: { read: true, suggest: true, write: true } })

    expect(answer.status).toBe(400)
  })

  test('sees only its own Spaces, on every path', async () => {
    const { token } = await makeAgent(void_, { slug: 'harbour-bot', spaces: [world.other.id] })
    const agent = void_.as(token)
    const { body: mooring } = await owner
      .post(`/api/spaces/${world.other.id}/pages`)
      .send({ title: 'Mooring fees', body: 'Paid at the lamp on the quay.' })

    const list = await agent.get('/api/spaces')
    const search = await agent.get('/api/search?q=lamp')

    expect(list.body.items.map((space: { id: string }) => space.id)).toEqual([world.other.id])
    expect((await agent.get(`/api/pages/${mooring.id}`)).status).toBe(200)
    expect(search.body.items.map((hit: { entity_id: string }) => hit.entity_id)).toEqual([mooring.id])
    for (const path of [
      `/api/spaces/${world.space.id}`,
      `${at}/pages`,
      `/api/pages/${world.lamp.id}`,
      `/api/pages/${world.lamp.id}/links`,
      `/api/search?q=lamp&space_id=${world.space.id}`,
      `/api/pending-changes?space_id=${world.space.id}`,
    ]) {
      expect([path, (await agent.get(path)).status]).toEqual([path, 404])
    }
    expect((await agent.post(`${at}/pages`).send({ title: 'Intruder' })).status).toBe(404)
    expect((await agent.patch(`/api/pages/${world.lamp.id}`).send({ version: 1, title: 'x' })).status).toBe(
      404,
    )
    expect((await agent.delete(`/api/pages/${world.lamp.id}`)).status).toBe(404)
  })

  test('sees its own drafts and no other agent’s', async () => {
    const one = await makeAgent(void_, { slug: 'one' })
    const two = await makeAgent(void_, { slug: 'two' })
    const { body: draft } = await void_.as(one.token).post(`${at}/pages`).send({ title: 'Mine' })

    const own = await void_.as(one.token).get(`/api/pending-changes/${draft.id}`)
    const foreign = await void_.as(two.token).get(`/api/pending-changes/${draft.id}`)
    const list = await void_.as(two.token).get('/api/pending-changes')

    expect([own.status, foreign.status]).toEqual([200, 404])
    expect(list.body.items).toEqual([])
  })

  test('loses access with its token: revoked, or expired', async () => {
    const revoked = await makeAgent(void_, { slug: 'gone' })
    const expiring = await makeAgent(void_, { slug: 'brief', expires_at: '2030-05-01T13:00:00Z' })
    const statusOf = async (token: string) => (await void_.as(token).get('/api/spaces')).status
    const before = [await statusOf(revoked.token), await statusOf(expiring.token)]

    await owner.delete(`/api/agents/${revoked.agentId}/tokens/${revoked.tokenId}`)
    clock = new Date('2030-05-01T13:00:01Z')

    expect(before).toEqual([200, 200])
    expect([await statusOf(revoked.token), await statusOf(expiring.token)]).toEqual([401, 401])
  })
})

describe('a token', () => {
  test('is shown once and stored only as a hash', async () => {
    const { agentId, token } = await makeAgent(void_, { slug: 'shown-once' })

    const list = await owner.get(`/api/agents/${agentId}/tokens`)
    const { rows } = await deps.database.query<{ row: string }>('select t::text as row from agent_tokens t')

    expect(list.body.items[0]).toMatchObject({ hint: token.slice(-4), revoked_at: null })
    expect(JSON.stringify(list.body)).not.toContain(token)
    expect(rows.some(({ row }) => row.includes(token))).toBe(false)
  })

  test('cannot be made for a Space that does not exist, or to have expired already', async () => {
    const { agentId } = await makeAgent(void_, { slug: 'odd' })
    const path = `/api/agents/${agentId}/tokens`

    const nowhere = await owner
      .post(path)
      .send({ name: 'x', spaces: ['01900000-0000-7000-8000-000000000000'] })
    const past = await owner.post(path).send({ name: 'x', expires_at: '2001-01-01T00:00:00Z' })

    expect([nowhere.status, past.status]).toEqual([404, 400])
  })
})

describe('the owner’s browser', () => {
  test('gets a cookie that scripts cannot read and other sites cannot send', async () => {
    const answer = await request(app).post('/api/session').send({ token: ownerToken })

    expect(answer.status).toBe(204)
    expect(answer.headers['set-cookie']?.[0]).toMatch(/HttpOnly.*SameSite=Strict/i)
  })

  test('may read with the cookie, and write only from a page of this origin', async () => {
    const { session } = await deps.server.authentication.openSession(ownerToken)
    const send = (headers: Record<string, string>) =>
      request(app)
        .post('/api/spaces')
        .set('Cookie', `void_session=${session}`)
        .set(headers)
        .send({ name: 'Forged' })

    const read = await request(app).get('/api/spaces').set('Cookie', `void_session=${session}`)
    const own = await send({ 'Sec-Fetch-Site': 'same-origin' })
    const old = await send({ Origin: 'http://localhost', Host: 'localhost' })
    const refused = [
      await send({}),
      await send({ 'Sec-Fetch-Site': 'cross-site' }),
      await send({ 'Sec-Fetch-Site': 'none' }),
      await send({ 'Sec-Fetch-Site': 'same-site' }),
      await send({ Origin: 'https://evil.example' }),
      await send({ Origin: 'null' }),
    ]

    expect([read.status, own.status, old.status]).toEqual([200, 201, 201])
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  })

  test('is signed out by signing out', async () => {
    const { session } = await deps.server.authentication.openSession(ownerToken)
    const cookie = `void_session=${session}`

    await request(app).delete('/api/session').set('Cookie', cookie).set('Sec-Fetch-Site', 'same-origin')

    expect((await request(app).get('/api/spaces').set('Cookie', cookie)).status).toBe(401)
  })
})

describe('guessing the owner token', async () => {
  const fresh = await buildApp({ trustProxy: 1 })
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const signIn = (address: string, token: string) =>
    request(fresh.app).post('/api/session').set(from(address)).send({ token })

  test('is 401, and after thirty guesses 429, at that address for the right token too', async () => {
    const guesses = []
    for (let guess = 0; guess < 32; guess += 1)
      guesses.push((await signIn('192.0.2.1', `no ${guess}`)).status)
    const call = (address: string) => fresh.owner.get('/api/spaces').set(from(address))

    expect(guesses.slice(0, 30).every((status) => status === 401)).toBe(true)
    expect(guesses.slice(30)).toEqual([429, 429])
    expect((await signIn('192.0.2.1', ownerToken)).status).toBe(429)
    expect((await call('192.0.2.1')).status).toBe(429)
    expect((await signIn('192.0.2.2', ownerToken)).status).toBe(204)
    expect((await call('192.0.2.2')).status).toBe(200)
  })

  test('counts the addresses of one IPv6 network as one', async () => {
    for (let guess = 0; guess < 30; guess += 1) await signIn(`2001:db8::${guess.toString(16)}`, 'no')

    expect((await signIn('2001:db8::ffff', ownerToken)).status).toBe(429)
  })

  test('from many addresses is slowed down altogether, and the owner at another one is not', async () => {
    const statuses = []
    for (let guess = 0; guess < 310; guess += 1)
      statuses.push((await signIn(`198.51.${guess}.1`, 'no')).status)

    expect(statuses.at(-1)).toBe(429)
    expect((await signIn('203.0.113.9', ownerToken)).status).toBe(204)
  })

  test('is not what an agent with a revoked token does', async () => {
    for (let call = 0; call < 40; call += 1) {
      await request(fresh.app)
        .get('/api/spaces')
        .set(from('192.0.2.7'))
        .auth('agent_gone', { type: 'bearer' })
    }

    expect((await signIn('192.0.2.7', ownerToken)).status).toBe(204)
  })
})

test('the limit of an agent’s calls is its token’s, however the header is written', async () => {
  const { token } = await makeAgent(void_, { slug: 'shouter' })
  const headers = [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`]
  const statuses = []
  for (let call = 0; call < 606; call += 1) {
    const authorization = headers[call % 3]!
    statuses.push((await request(app).head('/api/spaces').set('Authorization', authorization)).status)
  }

  expect(statuses.slice(0, 600).every((status) => status === 200)).toBe(true)
  expect(statuses.slice(600)).toEqual([429, 429, 429, 429, 429, 429])
})

test('a token has twenty requests at once, and the next when one is answered', async () => {
  const { token } = await makeAgent(void_, { slug: 'crowd' })
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { spaces } = deps.repos
  const list = spaces.list
  spaces.list = async (filter) => {
    await gate
    return await list(filter)
  }
  const call = () => void_.as(token).get('/api/spaces')

  let refused = 0
  const waiting = Array.from({ length: 24 }, async () => {
    const answer = await call()
    if (answer.status === 429) refused += 1
    if (refused === 4) open()
    return answer.status
  })
  const statuses = await Promise.all(waiting)
  spaces.list = list

  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
  expect((await call()).status).toBe(200)
})

test('a body that anybody may send has 4 kB at most', async () => {
  const answer = await request(app)
    .post('/api/session')
    .send({ token: 'x', more: 'x'.repeat(5000) })

  expect([answer.status, answer.body.error.code]).toEqual([413, 'too_large'])
})

test('a refusal lists twenty issues at most, each short', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field ${n} ${'x'.repeat(300)}`, n]))
  const unknown = await owner.post(`${at}/pages`).send({ title: 'x', ...many })
  const wrong = await owner
    .post('/api/pending-changes/01900000-0000-7000-8000-000000000000/approve')
    .send({ fields: Array.from({ length: 100 }, (_, n) => n) })

  expect([unknown.status, wrong.status]).toEqual([400, 400])
  expect(wrong.body.error.details.issues).toHaveLength(20)
  for (const { text } of [unknown, wrong]) expect(text.length).toBeLessThan(20_000)
})

test('a request addressed to a foreign name is refused', async () => {
  for (const path of ['/', '/api/spaces', '/sign-in', '/health/', '/Health']) {
    expect((await request(app).get(path).set('Host', 'rebound.example')).status).toBe(421)
  }
})

test.each(['/health', '/ready', '/metrics'])('a probe of %s may use any name', async (path) => {
  const statusFor = async (host: string) => (await request(app).get(path).set('Host', host)).status

  expect(await statusFor('10.1.2.3:8080')).toBe(await statusFor('localhost'))
})
