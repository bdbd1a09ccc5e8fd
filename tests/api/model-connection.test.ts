// The model that the owner connects in Settings: it answers the next message, and its key goes nowhere else.

import { afterEach, expect, test } from 'vitest'
import { allAbilities, toWireAbilities, unknownAbilities } from '../../lib/ai/adapt/abilities.ts'
import { createModelConnections } from '../../lib/ai/models/model-connection.ts'
import { createModelProvider } from '../../lib/ai/models/model-provider.ts'
import { createModelServers } from '../../lib/ai/models/model-servers.ts'
import { createLogger } from '../../lib/core/logger.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { makeAgent } from '../helpers/world.ts'

const configured = {
  apiKey: 'sk-environment',
  baseUrl: null,
  model: 'configured',
  maxTokens: 100,
  smallModel: null,
}
const void_ = await buildApp({
  reachesModels: true,
  anthropicApiKey: configured.apiKey,
  anthropicModel: configured.model,
  anthropicMaxTokens: configured.maxTokens,
  routerModel: configured.smallModel,
})
const { owner, deps } = void_
const chosen = { model: 'claude-mine', small_model: null }
const key = 'sk-very-SECRET-5678'

afterEach(async () => {
  await owner.delete('/api/model').expect(200)
})

/** A server that notes what it is sent with, and answers as one that has no such model. */
async function provider() {
  const seen: (string | undefined)[] = []
  const url = await listen((req, res) => {
    seen.push(req.headers.authorization)
    req.resume()
    const error = { type: 'error', error: { type: 'not_found_error', message: 'model' } }
    res.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(error))
  })
  return { url, keys: () => seen.map((header) => header?.replace('Bearer ', '')) }
}

const testConnection = async () => (await owner.post('/api/model/test').expect(200)).body

test('without a choice, that of the configuration is shown, without its key', async () => {
  const { body } = await owner.get('/api/model').expect(200)

  expect(body).toEqual({
    ...{ wire: 'messages', base_url: null, model: 'configured', small_model: null, max_tokens: null },
    ...{ from: 'configuration', key: 'configuration' },
    abilities: toWireAbilities(allAbilities, 'messages'),
  })
})

test('what is connected answers from the next call on, with its own key, and the key is never shown', async () => {
  const { url, keys } = await provider()

  const saved = await owner.put('/api/model').send({ ...chosen, base_url: url, api_key: key })
  const tested = await testConnection()
  const secrets = await owner.get('/api/secrets')

  expect(saved.body).toEqual({
    ...chosen,
    ...{ max_tokens: null, wire: 'messages', base_url: url, from: 'settings', key: 'stored' },
    abilities: toWireAbilities(unknownAbilities, 'messages'),
  })
  expect(tested).toMatchObject({ ok: false, code: 'model_not_found', model: 'claude-mine' })
  expect(keys()).toEqual([key])
  expect(
    JSON.stringify([saved.body, tested, secrets.body, (await owner.get('/api/model')).body]),
  ).not.toContain(key)
})

test('another address is not given the key of the one before', async () => {
  const [first, second] = await Promise.all([provider(), provider()])
  await owner
    .put('/api/model')
    .send({ ...chosen, base_url: first.url, api_key: key })
    .expect(200)

  const refused = await owner.put('/api/model').send({ ...chosen, base_url: second.url })
  const ofEnvironment = await owner.delete('/api/model')
  const alsoRefused = await owner.put('/api/model').send({ ...chosen, base_url: second.url })
  await owner
    .put('/api/model')
    .send({ ...chosen, base_url: second.url, api_key: 'sk-second' })
    .expect(200)
  await testConnection()

  expect([refused.status, alsoRefused.status]).toEqual([400, 400])
  expect(refused.body.error.message).toBe(
    'Enter the API key again: the stored one belongs to another address.',
  )
  expect(ofEnvironment.body.key).toBe('configuration')
  expect([first.keys(), second.keys()]).toEqual([[], ['sk-second']])
})

test('a model is changed without its key, and a server without keys needs none', async () => {
  const { url, keys } = await provider()
  await owner.put('/api/model').send({ ...chosen, base_url: url, api_key: key })

  const renamed = await owner.put('/api/model').send({ ...chosen, model: 'claude-other', base_url: url })
  const { model } = await testConnection()
  const without = await owner.put('/api/model').send({ ...chosen, base_url: url, api_key: null })
  await testConnection()

  expect([renamed.body.key, model, without.body.key]).toEqual(['stored', 'claude-other', 'none'])
  expect(keys()).toEqual([key, 'none'])
  expect((await owner.get('/api/secrets')).body.items).toEqual([])
})

test('a key may be a reference to a secret, which is left alone when the connection is reset', async () => {
  const { url, keys } = await provider()
  await owner.put('/api/secrets/mine').send({ value: key }).expect(204)

  await owner
    .put('/api/model')
    .send({ ...chosen, base_url: url, api_key: 'secret:mine' })
    .expect(200)
  await testConnection()
  const reset = await owner.delete('/api/model')

  expect(keys()).toEqual([key])
  expect(reset.body).toMatchObject({ from: 'configuration', model: 'configured' })
  expect((await owner.get('/api/secrets')).body.items).toMatchObject([{ name: 'mine' }])
  await owner.delete('/api/secrets/mine').expect(204)
})

test('a name and password in the address are its key, and are shown nowhere', async () => {
  const { url, keys } = await provider()
  const address = url.replace('://', '://harbour:tidal-PASSWORD@')

  const saved = await owner
    .put('/api/model')
    .send({ ...chosen, wire: 'chat', base_url: address })
    .expect(200)
  const tested = await testConnection()

  expect(saved.body).toMatchObject({ base_url: `${url}/`, key: 'stored' })
  expect(keys()).toEqual([`Basic ${Buffer.from('harbour:tidal-PASSWORD').toString('base64')}`])
  expect(JSON.stringify([saved.body, tested, (await owner.get('/api/secrets')).body])).not.toContain('tidal')
  await owner
    .put('/api/model')
    .send({ ...chosen, base_url: address, api_key: key })
    .expect(400)
})

test('the longest answer is the owner’s where it is set', async () => {
  const asked: unknown[] = []
  const url = await listen(async (req, res) => {
    if (req.method === 'GET') return void res.writeHead(404).end()
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    asked.push(JSON.parse(Buffer.concat(chunks).toString()).max_tokens)
    res.writeHead(404).end()
  })
  const save = (more: object) =>
    owner.put('/api/model').send({ ...chosen, base_url: url, api_key: null, wire: 'chat', ...more })

  const saved = await save({ max_tokens: 2048 }).expect(200)
  await deps.ai.models
    .current()
    .callModel({ system: '', messages: [], tools: [] })
    .catch(() => {})
  await save({}).expect(200)
  await deps.ai.models
    .current()
    .callModel({ system: '', messages: [], tools: [] })
    .catch(() => {})

  expect(saved.body.max_tokens).toBe(2048)
  // That of the configuration.
  expect(asked).toEqual([2048, 100])
  await save({ max_tokens: 0 }).expect(400)
})

test('another server on the same database follows', async () => {
  const { database, secrets } = deps
  const logger = createLogger('silent')
  const servers = createModelServers({ database, logger })
  const other = createModelConnections({ database, secrets, configured, servers, logger })
  const models = createModelProvider(other.current, { now: () => new Date() })
  await other.load()

  const before = models.current().name
  await owner
    .put('/api/model')
    .send({ ...chosen, base_url: null })
    .expect(200)

  expect(before).toBe('configured')
  await expect.poll(() => models.current().name).toBe('claude-mine')
  other.close()
  servers.close()
})

test.each([
  [{ ...chosen, base_url: 'file:///etc/passwd' }],
  [{ ...chosen, base_url: 'not an address' }],
  [{ ...chosen, base_url: null, model: '' }],
  [{ ...chosen, base_url: null, api_key: '' }],
  [{ ...chosen, base_url: null, key }],
  [{ model: 'm' }],
])('%j is refused, and changes nothing', async (body) => {
  const { status } = await owner.put('/api/model').send(body)

  expect(status).toBe(400)
  expect((await owner.get('/api/model')).body.from).toBe('configuration')
})

test('an agent sees and changes nothing of it', async () => {
  const { token } = await makeAgent(void_, { slug: 'curious' })
  const agent = void_.as(token)
  const put = await agent.put('/api/model').send({ ...chosen, base_url: null })

  expect([put.status, (await agent.get('/api/model')).status]).toEqual([403, 403])
})
