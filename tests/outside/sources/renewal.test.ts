// Servers that share a source's sign-in, with an authorization server that takes a refresh token once: a second use ends
// the sign-in (RFC 9700, 4.14.2).

import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createScrubber } from '../../../lib/core/scrubber.ts'
import { createSourcesRepo, type SourceRow } from '../../../lib/db/repos/sources.ts'
import { createSourceAccess } from '../../../lib/outside/sources/sign-in/access.ts'
import { createSignInRecords } from '../../../lib/outside/sources/sign-in/sign-in-record.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
afterAll(() => deps.connections.close())

const issuer = 'https://sign-in.example'
const records = createSignInRecords(deps.secrets.ofSources, createScrubber())
let source: SourceRow
let uses: string[] = []
let number = 1

/** Milliseconds that an answer takes on its way. */
let answerMs = 0

const provider = async (_: string | URL, init: RequestInit = {}): Promise<Response> => {
  const used = new URLSearchParams(String(init.body)).get('refresh_token')!
  const isFirst = !uses.includes(used)
  uses.push(used)
  const json = (status: number, body: object) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  if (!isFirst) return json(400, { error: 'invalid_grant' })
  number += 1
  const given = { access_token: `access-${number}`, refresh_token: `refresh-${number}` }
  await wait(answerMs)
  return json(200, { ...given, token_type: 'Bearer', expires_in: 3600 })
}

const access = (found = records.find) =>
  createSourceAccess({
    database: deps.database,
    records: { ...records, find: found },
    fetchFor: () => provider,
    resolveClient: async (_, client) => client,
    now: () => new Date(),
  })

beforeEach(async () => {
  uses = []
  answerMs = 0
  const { body } = await owner
    .post(`/api/spaces/${world.space.id}/sources`)
    .send({ name: crypto.randomUUID(), transport: 'http', url: 'https://source.example/mcp' })
    .expect(201)
  const repo = createSourcesRepo(deps.database)
  source = (await repo.find(body.id))!
  await repo.noteSignIn(source.id, { issuer, endsAt: null }, new Date())
  await records.save(source.id, {
    server: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    },
    client: { client_id: 'void', redirect_uri: 'https://void.example/callback', registered: true },
    resource: 'https://source.example/mcp',
    tokens: { access_token: 'access-1', refresh_token: 'refresh-1', expires_at: 0 },
  })
})

const tokenFrom = (from: ReturnType<typeof access>) => from.authorize(source)!.token()

test('two servers renew it once, and both have the new token', async () => {
  answerMs = 300

  const tokens = await Promise.all([tokenFrom(access()), tokenFrom(access())])

  expect(uses).toEqual(['refresh-1'])
  expect(new Set(tokens).size).toBe(1)
  expect(await records.find(source.id)).toMatchObject({ tokens: { access_token: tokens[0] } })
  expect((await createSourcesRepo(deps.database).find(source.id))?.signed_in_at).not.toBeNull()
})

test('who read it before it was renewed uses what was renewed', async () => {
  let reads = 0
  const slow = access(async (id) => {
    const record = await records.find(id)
    // The second who reads is the slower one.
    if (++reads === 2) await wait(400)
    return record
  })

  const tokens = await Promise.all([tokenFrom(slow), tokenFrom(slow)])

  expect(uses).toEqual(['refresh-1'])
  expect(new Set(tokens).size).toBe(1)
})

test('a sign-in that is given up on another server stays given up', async () => {
  answerMs = 200
  const renewal = tokenFrom(access())
  await expect.poll(() => uses.length).toBe(1)

  await owner.delete(`/api/sources/${source.id}/sign-in`).expect(200)

  await renewal
  expect(await records.find(source.id)).toBeNull()
})
