// Signing in to a source by OAuth: a second Void is the server, with its own authorization server.

import request from 'supertest'
import { afterAll, describe, expect, test } from 'vitest'
import type { Source } from '../../../lib/contract/sources.ts'
import { allowAll, createBrowser } from '../../auth/oauth/program.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeWorld } from '../../helpers/world.ts'

let clock = Date.now()
const now = () => new Date(clock)

const there = await buildApp({ now: () => new Date() })
const thereUrl = await listen(there.app)
await makeWorld(there)
const here = await buildApp({ now })
const hereUrl = await listen(here.app)
const { owner, deps } = here
const world = await makeWorld(here)
afterAll(() => deps.connections.close())

let count = 0
async function add(more: object = {}): Promise<Source> {
  const body = { name: `Neighbour ${++count}`, transport: 'http', url: `${thereUrl}/mcp`, ...more }
  return (await owner.post(`/api/spaces/${world.space.id}/sources`).send(body).expect(201)).body
}
const check = async (id: string) => (await owner.post(`/api/sources/${id}/test`).expect(200)).body
const find = async (id: string): Promise<Source> => (await owner.get(`/api/sources/${id}`).expect(200)).body

const ownBrowser = createBrowser(hereUrl)
await ownBrowser.signIn()
const theirBrowser = createBrowser(thereUrl)
await theirBrowser.signIn()

const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** Begins in a browser; the address at which the owner signs in. */
async function begin(id: string, browser = ownBrowser): Promise<URL> {
  const answer = await browser.request(`/api/sources/${id}/sign-in`, { method: 'POST', headers: sameOrigin })
  expect(answer.status).toBe(200)
  return new URL(((await answer.json()) as { url: string }).url)
}

/** The owner allows it there; the address that the browser is sent back to. */
async function allow(address: URL, fields = allowAll): Promise<URL> {
  const { path } = await theirBrowser.open(address)
  return await theirBrowser.press(path, fields)
}

/** What is stored of a sign-in, opened. */
async function stored(id: string) {
  const text = await deps.secrets.ofSources.read(id, 'sign-in')
  return text === null ? null : JSON.parse(text)
}

async function signedIn(more: object = {}): Promise<Source> {
  const source = await add(more)
  const back = await allow(await begin(source.id))
  expect((await ownBrowser.request(back)).status).toBe(303)
  return await find(source.id)
}

const toolNamed = async (id: string, name: string) =>
  (await owner.get(`/api/sources/${id}/tools`)).body.items.find(
    (each: { name: string }) => each.name === name,
  )

test('a source that asks for a sign-in says so, is signed in to, answers, and is signed out of', async () => {
  const { id } = await add()

  const before = await check(id)
  const waiting = await find(id)
  const address = await begin(id)
  const back = await allow(address)
  const returned = await ownBrowser.request(back)
  const after = await find(id)
  const tool = await toolNamed(id, 'search')
  const { tokens } = await stored(id)
  const out = await owner.delete(`/api/sources/${id}/sign-in`).expect(200)
  const revoked = await fetch(`${thereUrl}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })

  expect(before).toMatchObject({ ok: false, error: expect.stringMatching(/Sign-in required/) })
  expect(waiting).toMatchObject({ status: 'sign_in', signed_in: null })
  expect(address.origin).toBe(thereUrl)
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    code_challenge_method: 'S256',
    resource: `${thereUrl}/mcp`,
    redirect_uri: `${hereUrl}/sources/callback`,
  })
  expect(back.href.startsWith(`${hereUrl}/sources/callback?`)).toBe(true)
  expect([returned.status, returned.headers.get('location')]).toEqual([303, '/settings/sources'])
  expect(after).toMatchObject({ status: 'ok', last_error: null, signed_in: { issuer: thereUrl } })
  expect(tool).toBeDefined()
  expect(out.body).toMatchObject({ signed_in: null })
  expect(await stored(id)).toBeNull()
  expect(revoked.status).toBe(401)
  expect(await check(id)).toMatchObject({ ok: false, error: expect.stringMatching(/Sign-in required/) })
})

describe('the way back', () => {
  test('is taken in the browser session that began it, once, and in no other', async () => {
    const { id } = await add()
    const other = createBrowser(hereUrl)
    await other.signIn()
    const back = await allow(await begin(id))

    const stranger = await createBrowser(hereUrl).request(back)
    const elsewhere = await other.request(back)
    const byToken = await fetch(back, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${ownerToken}` },
    })
    expect((await find(id)).signed_in).toBeNull()
    const both = await Promise.all([ownBrowser.request(back), ownBrowser.request(back)])
    const again = await ownBrowser.request(back)

    expect(stranger.headers.get('location')).toMatch(/^\/sign-in\?next=/)
    expect([elsewhere.status, byToken.status]).toEqual([400, 400])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 400])
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('This sign-in has ended')
    expect((await find(id)).signed_in).not.toBeNull()
  })

  test('goes on from a page of another site, which sends no session cookie', async () => {
    const { id } = await add()
    const back = await allow(await begin(id))

    const bounced = await request(hereUrl)
      .get(back.pathname + back.search)
      .set({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })

    expect(bounced.status).toBe(200)
    expect(bounced.text).toContain('http-equiv="refresh"')
    expect((await find(id)).signed_in).toBeNull()
  })

  test.each([
    ['another state', (back: URL) => back.searchParams.set('state', `${back.searchParams.get('state')}x`)],
    ['no state', (back: URL) => back.searchParams.delete('state')],
    ['the state of another source', (back: URL) => back.searchParams.set('state', crypto.randomUUID())],
  ])('with %s is refused, and the right one still works', async (_, forge) => {
    const { id } = await add()
    const back = await allow(await begin(id))
    const forged = new URL(back)
    forge(forged)

    const refused = await ownBrowser.request(forged)
    expect((await find(id)).signed_in).toBeNull()
    const taken = await ownBrowser.request(back)

    expect([refused.status, taken.status]).toEqual([400, 303])
    expect((await find(id)).signed_in).not.toBeNull()
  })

  test('with the answer of another authorization server, or a forged code, signs nobody in', async () => {
    for (const [name, value] of [
      ['iss', 'https://attacker.example'],
      ['code', 'forged'],
    ] as const) {
      const { id } = await add()
      const back = await allow(await begin(id))
      back.searchParams.set(name, value)

      const answer = await ownBrowser.request(back)

      expect(answer.status).toBe(303)
      const source = await find(id)
      expect(source).toMatchObject({ status: 'sign_in', signed_in: null })
      expect(source.last_error).toMatch(/^Signing in failed:/)
      expect(source.last_error).not.toContain('attacker')
    }
  })

  test('says that it was declined', async () => {
    const { id } = await add()
    const back = await allow(await begin(id), { ...allowAll, decision: 'deny' })

    await ownBrowser.request(back)

    expect(await find(id)).toMatchObject({
      status: 'sign_in',
      last_error: 'Signing in failed: it was declined.',
      signed_in: null,
    })
  })

  test('is over after a quarter of an hour', async () => {
    const { id } = await add()
    const back = await allow(await begin(id))
    clock += 16 * 60_000

    const late = await ownBrowser.request(back)

    expect(late.status).toBe(400)
    expect((await find(id)).signed_in).toBeNull()
  })
})

describe('tokens', () => {
  test('are renewed before they end, with a new refresh token each time, by one request of many', async () => {
    const { id } = await signedIn()
    const first = await stored(id)
    clock += 2 * 60 * 60_000

    const results = await Promise.all([check(id), check(id), check(id)])
    const second = await stored(id)

    expect(results.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(second.tokens.access_token).not.toBe(first.tokens.access_token)
    expect(second.tokens.refresh_token).not.toBe(first.tokens.refresh_token)
    expect(await check(id)).toMatchObject({ ok: true })
  })

  test('that the server no longer takes are renewed once, and then need signing in', async () => {
    const { id } = await signedIn()
    const { tokens } = await stored(id)
    const { rows } = await there.deps.database.query<{ id: string; agent_id: string }>(
      'select id, agent_id from agent_tokens where revoked_at is null',
    )
    for (const each of rows) {
      await there.owner.delete(`/api/agents/${each.agent_id}/tokens/${each.id}`).expect(200)
    }

    const result = await check(id)

    expect(tokens.refresh_token).toBeDefined()
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/Sign-in required/) })
    expect(await find(id)).toMatchObject({ status: 'sign_in', signed_in: null })
    expect(await stored(id)).toBeNull()
  })

  test('are sealed, in no list, no export and no setting, and go with the source', async () => {
    const { id } = await signedIn()
    const { tokens } = await stored(id)
    const name = `source/${id}/sign-in`

    const { rows } = await deps.database.query('select * from secrets')
    const everything = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
    const listed = await owner.get('/api/secrets')
    const exported = await deps.secrets.exportAll('a long passphrase of mine')
    const empty = await buildApp()
    const imported = await empty.deps.secrets.importAll(exported, 'a long passphrase of mine')
    const removed = await owner.delete(`/api/secrets/${encodeURIComponent(name)}`)
    const written = await owner.put(`/api/secrets/${encodeURIComponent(name)}`).send({ value: 'mine' })

    expect(everything).not.toContain(tokens.access_token)
    expect(JSON.stringify(listed.body)).not.toContain(id)
    expect(imported).toBe(0)
    expect([removed.status, written.status]).toEqual([404, 400])
    expect(await deps.secrets.resolve(`secret:${name}`)).toBeNull()
    expect(JSON.stringify((await owner.get(`/api/sources/${id}`)).body)).not.toContain(tokens.access_token)

    expect(await deps.secrets.rotate()).toBeGreaterThan(0)
    expect(await check(id)).toMatchObject({ ok: true })
    await owner.delete(`/api/sources/${id}`).expect(200)
    const left = await deps.database.query('select from secrets where source_id = $1', [id])
    expect(left.rows).toHaveLength(0)
  })

  test('are not sent to another address, nor beside a header of the owner’s', async () => {
    const { id } = await signedIn()
    const other = await buildApp()
    const otherUrl = await listen(other.app)

    const moved = await owner.patch(`/api/sources/${id}`).send({ url: `${otherUrl}/mcp` })

    expect(moved.body).toMatchObject({ signed_in: null })
    expect(await stored(id)).toBeNull()

    const again = await signedIn()
    const headed = await owner
      .patch(`/api/sources/${again.id}`)
      .send({ headers: { Authorization: 'Bearer mine' } })
    expect(headed.body).toMatchObject({ signed_in: null })
    expect((await owner.post(`/api/sources/${again.id}/sign-in`)).status).toBe(400)
  })
})

test('a program over stdio is not signed in to, and neither is a source that is not there', async () => {
  const { body } = await owner
    .post(`/api/spaces/${world.space.id}/sources`)
    .send({ name: 'Program', transport: 'stdio', command: 'true', unconfined: true })

  expect((await owner.post(`/api/sources/${body.id}/sign-in`)).status).toBe(400)
  expect((await owner.post(`/api/sources/${crypto.randomUUID()}/sign-in`)).status).toBe(404)
})
