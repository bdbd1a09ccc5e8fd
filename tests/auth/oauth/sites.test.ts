// Where this server says that it is, whatever a request says; and several servers that are the same one.

import { createHash } from 'node:crypto'
import request from 'supertest'
import { expect, test } from 'vitest'
import { createOfflineModel } from '../../../lib/ai/offline/offline-model.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { startServer } from '../../helpers/servers.ts'
import { testDb } from '../../helpers/test-db.ts'
import { allowAll, createBrowser } from './program.ts'

const hostile = {
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'https',
  Forwarded: 'host=evil.example',
}

test('with a public address everything is at that address, whatever the request says', async () => {
  const { app, deps } = await buildApp({ publicUrl: 'https://void.example', allowedHosts: ['void.example'] })
  const { session } = await deps.server.authentication.openSession(ownerToken)

  for (const host of ['void.example', '127.0.0.1:3000', 'localhost']) {
    const headers = { Host: host, ...hostile }
    const server = await request(app).get('/.well-known/oauth-authorization-server').set(headers)
    const resource = await request(app).get('/.well-known/oauth-protected-resource/mcp').set(headers)
    const refused = await request(app).post('/mcp').set(headers).send({ jsonrpc: '2.0' })
    const registered = await request(app)
      .post('/oauth/register')
      .set(headers)
      .send({ redirect_uris: ['https://app.example/cb'] })
    const query = new URLSearchParams({
      client_id: registered.body.client_id,
      response_type: 'code',
      redirect_uri: 'https://app.example/cb',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    })
    const asked = await request(app)
      .get(`/oauth/authorize?${query}`)
      .set({ ...headers, Cookie: `void_session=${session}` })

    expect(server.body).toMatchObject({
      issuer: 'https://void.example',
      token_endpoint: 'https://void.example/oauth/token',
    })
    expect(resource.body).toMatchObject({
      resource: 'https://void.example/mcp',
      authorization_servers: ['https://void.example'],
    })
    expect(refused.headers['www-authenticate']).toContain('"https://void.example/.well-known/')
    expect([asked.status, asked.headers.location]).toEqual([303, expect.stringMatching(/^\/connect\//)])
    expect(asked.headers['set-cookie']).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^void_oauth_resume=.*; path=\/oauth\/authorize\/.*; secure; httponly/),
      ]),
    )
    expect(JSON.stringify([server.body, resource.body, refused.headers, asked.headers])).not.toContain('evil')
  }
  expect(
    (await request(app).get('/.well-known/oauth-authorization-server').set('Host', 'evil.example')).status,
  ).toBe(421)
})

test('at another name there is no OAuth, and a token is asked for as before', async () => {
  const { app } = await buildApp({ allowedHosts: ['void.lan'] })
  const headers = { Host: 'void.lan' }

  const metadata = await request(app).get('/.well-known/oauth-authorization-server').set(headers)
  const refused = await request(app).post('/mcp').set(headers).send({ jsonrpc: '2.0' })
  const asked = await request(app).get('/oauth/authorize?client_id=x').set(headers)
  const registered = await request(app).post('/oauth/register').set(headers).send({ redirect_uris: [] })

  expect([metadata.status, metadata.body.error.code]).toEqual([404, 'oauth_unavailable'])
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  expect([asked.status, registered.status]).toEqual([404, 404])
})

test('the metadata says what the server does', async () => {
  const url = await listen((await buildApp()).app)

  const said = (await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()) as Record<
    string,
    unknown
  >
  const browser = createBrowser(url)
  const own = (await (
    await browser.request('/oauth/.well-known/oauth-authorization-server')
  ).json()) as typeof said

  for (const name of [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'revocation_endpoint',
    'response_types_supported',
    'code_challenge_methods_supported',
    'token_endpoint_auth_methods_supported',
    'authorization_response_iss_parameter_supported',
    'client_id_metadata_document_supported',
  ])
    expect([name, said[name]]).toEqual([name, own[name]])
  expect((own.grant_types_supported as string[]).toSorted()).toEqual(said.grant_types_supported)
})

test('what one server began others go on with, also when it is gone', async () => {
  const database = await testDb()
  const model = createOfflineModel({ now: () => new Date() })
  const start = () => startServer(database, model, { publicUrl: 'http://localhost' })
  const [one, two, three] = [await start(), await start(), await start()]
  const { session } = await two.deps.server.authentication.openSession(ownerToken)
  const verifier = 'v'.repeat(43)
  const redirect_uri = 'http://127.0.0.1:8765/callback'
  const cookies = [`void_session=${session}`]
  const ask = (server: typeof one, method: 'get' | 'post', path: string) =>
    request(server.app)
      [method](path)
      .set({ Cookie: cookies.join('; '), 'Sec-Fetch-Site': 'same-origin' })

  const { body: client } = await ask(one, 'post', '/oauth/register').send({ redirect_uris: [redirect_uri] })
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const begun = await ask(one, 'get', `/oauth/authorize?${query}`)
  cookies.push(...[begun.headers['set-cookie']].flat().map((line) => String(line).split(';')[0]!))
  one.kill()
  const allowed = await ask(two, 'post', begun.headers.location!).type('form').send(allowAll)
  const resume = /url=http:\/\/localhost([^"]+)"/.exec(allowed.text)![1]!
  const sent = await ask(three, 'get', resume)
  const token = (server: typeof one, fields: object) =>
    request(server.app)
      .post('/oauth/token')
      .type('form')
      .send({ client_id: client.client_id, ...fields })
  const code = new URL(sent.headers.location!).searchParams.get('code')
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
  const tokens = await token(two, exchange)
  const { refresh_token } = tokens.body
  const renewed = await token(three, { grant_type: 'refresh_token', refresh_token })
  const used = await request(two.app)
    .post('/mcp')
    .set({
      Authorization: `Bearer ${renewed.body.access_token}`,
      Accept: 'application/json, text/event-stream',
    })
    .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const reused = await token(two, { grant_type: 'refresh_token', refresh_token })
  const after = await token(three, { grant_type: 'refresh_token', refresh_token: renewed.body.refresh_token })

  expect([tokens.status, renewed.status, reused.status, after.status]).toEqual([200, 200, 400, 400])
  expect(used.status).not.toBe(401)
})
