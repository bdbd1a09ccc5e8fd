import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createModelProvider } from '../../../lib/ai/models/model-provider.ts'
import { createTemporaryKeyring, loadKeyring } from '../../../lib/auth/secrets/master-key.ts'
import { createSecrets } from '../../../lib/auth/secrets/secrets.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { testDb } from '../../helpers/test-db.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'

const database = await testDb()
const folder = mkdtempSync(join(tmpdir(), 'void-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const lines: string[] = []
const destination = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const void_ = await buildApp({ database, logger: createLogger('trace', destination) })
const { owner, deps } = void_
const world = await makeWorld(void_)
const value = 'sk-very-SECRET-1234'

const settings = { secretsKey: null, secretsKeyFile: null, secretsKeyPrevious: null }
const createFor = (keyring = loadKeyring(settings, folder), now = () => new Date()) =>
  createSecrets({
    database,
    keyring,
    readVaultField: async (reference) => (reference === 'Model/key' ? 'sk-vault' : null),
    logger: createLogger('silent'),
    now,
  })

beforeEach(async () => {
  await database.query('delete from secrets')
  await deps.secrets.load([])
})

describe('the routes', () => {
  it('store, list without the value, replace and delete', async () => {
    const put = await owner.put('/api/secrets/model-key').send({ value: 'old' })
    const again = await owner.put('/api/secrets/model-key').send({ value })
    const list = await owner.get('/api/secrets')
    const resolved = await deps.secrets.resolve('secret:model-key')
    const removed = await owner.delete('/api/secrets/model-key')
    const twice = await owner.delete('/api/secrets/model-key')

    expect([put.status, again.status, removed.status, twice.status]).toEqual([204, 204, 204, 404])
    expect(list.body.items).toMatchObject([{ name: 'model-key', readable: true, last_used_at: null }])
    expect(Object.keys(list.body.items[0]).toSorted()).toEqual(
      ['created_at', 'last_used_at', 'name', 'readable', 'updated_at'].toSorted(),
    )
    expect(resolved).toBe(value)
    expect(deps.secrets.current('secret:model-key')).toBeNull()
  })

  it.each([
    ['a%20b', { value }],
    ['..%2fx', { value }],
    ['-x', { value }],
    ['x'.repeat(101), { value }],
    ['ok', { value: ' \n' }],
    ['ok', { value: 'é'.repeat(40_000) }],
    ['ok', {}],
    ['ok', { value, more: 1 }],
  ])('refuse the name %s or its body', async (name, body) => {
    const answer = await owner.put(`/api/secrets/${name}`).send(body)

    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).not.toContain(value)
  })

  it('refuse an agent, whatever its tier', async () => {
    const { token } = await makeAgent(void_, { slug: 'curious' })
    const agent = void_.as(token)
    await owner.put('/api/secrets/mine').send({ value })

    const answers = await Promise.all([
      agent.get('/api/secrets'),
      agent.put('/api/secrets/mine').send({ value: 'theirs' }),
      agent.delete('/api/secrets/mine'),
      agent.post('/api/secrets/export').send({ passphrase: 'x'.repeat(20) }),
      agent.post('/api/secrets/rotate'),
    ])

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect(await deps.secrets.resolve('secret:mine')).toBe(value)
  })

  it('leave no value in the database, the log, an export, the audit log or the activity', async () => {
    await owner.put('/api/secrets/mine').send({ value })
    const { rows } = await database.query<Record<string, unknown>>('select * from secrets', [])
    const at = `/api/spaces/${world.space.id}`
    const answers = await Promise.all([
      owner.get(`${at}/export`),
      owner.get('/api/audit'),
      owner.get('/api/activity'),
      owner.get('/api/secrets'),
    ])

    const stored = rows
      .flatMap((row) => Object.values(row))
      .map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell)))
    expect(rows).toHaveLength(1)
    expect(stored.join()).not.toContain(value)
    expect(lines.join()).toContain('secret stored')
    expect(lines.join()).not.toContain(value)
    expect(answers.map(({ text, body }) => `${text}${JSON.stringify(body)}`).join()).not.toContain(value)
  })
})

describe('resolving', () => {
  it('notes the use, at most once a minute', async () => {
    let time = Date.parse('2030-01-01T00:00:00Z')
    const secrets = createFor(createTemporaryKeyring(), () => new Date(time))
    await secrets.put('mine', value)

    secrets.current('secret:mine')
    time += 59_000
    secrets.current('secret:mine')

    await expect.poll(async () => (await secrets.list())[0]?.last_used_at).toBe('2030-01-01T00:00:00.000Z')
    time += 2000
    secrets.current('secret:mine')
    await expect.poll(async () => (await secrets.list())[0]?.last_used_at).toBe('2030-01-01T00:01:01.000Z')
    secrets.close()
  })

  it('knows at once what another server on the database stored', async () => {
    const keyring = createTemporaryKeyring()
    const [one, two] = [createFor(keyring), createFor(keyring)]

    await one.put('mine', value)

    await expect.poll(() => two.current('secret:mine')).toBe(value)
    one.close()
    two.close()
  })

  it('is the one way for raw keys, variables, stored ones and a password manager', async () => {
    const secrets = createFor()
    await secrets.put('mine', value)
    await secrets.load(['bw:Model/key', null])

    expect(
      await Promise.all(['raw', 'secret:mine', 'secret:none', 'bw:Model/key'].map(secrets.resolve)),
    ).toEqual(['raw', value, null, 'sk-vault'])
    expect(secrets.current('bw:Model/key')).toBe('sk-vault')
    expect(secrets.current('env:PATH')).toBe(process.env.PATH)
    secrets.close()
  })

  it('connects a model the moment its key is stored, and not before', async () => {
    const secrets = createFor()
    const connection = { apiKey: 'secret:mine', baseUrl: null, model: 'm', maxTokens: 10, smallModel: null }
    const models = createModelProvider(() => connection, { now: () => new Date(), resolve: secrets.current })
    const before = models.current().mode
    await secrets.put('mine', value)
    const connected = models.current().mode
    await secrets.remove('mine')

    expect([before, connected, models.current().mode]).toEqual(['offline', 'online', 'offline'])
    secrets.close()
  })

  it('says of a model whose stored key is lost that it cannot be opened, and is not offline in silence', async () => {
    const before = createFor(createTemporaryKeyring())
    await before.put('mine', value)
    before.close()
    const secrets = createFor(createTemporaryKeyring())
    await secrets.load([])
    const connection = { apiKey: 'secret:mine', baseUrl: null, model: 'm', maxTokens: 10, smallModel: null }
    const models = createModelProvider(() => connection, { now: () => new Date(), resolve: secrets.current })

    const { mode, callModel, problem } = models.current()

    expect({ mode, problem }).toEqual({
      mode: 'online',
      problem: expect.stringContaining('Restore secrets-key'),
    })
    await expect(callModel({ system: '', messages: [], tools: [] })).rejects.toMatchObject({
      code: 'key_unreadable',
      message: problem,
    })
    expect(await models.list()).toEqual({ models: [], problem })
    expect(models.small()).toBeNull()
    await secrets.remove('mine')
    secrets.close()
  })
})

describe('keys', () => {
  it('that are lost leave a secret that is listed, cannot be used, and can be stored again', async () => {
    const before = createFor(createTemporaryKeyring())
    await before.put('mine', value)
    before.close()
    const secrets = createFor(createTemporaryKeyring())
    await secrets.load([])

    expect(await secrets.list()).toMatchObject([{ name: 'mine', readable: false }])
    await expect(secrets.resolve('secret:mine')).rejects.toMatchObject({ code: 'secrets_unreadable' })
    await secrets.put('other', 'readable')
    const unreadable = { code: 'secrets_unreadable', status: 409, details: { names: ['mine'] } }
    await expect(secrets.rotate()).rejects.toMatchObject(unreadable)
    await expect(secrets.exportAll('a long passphrase')).rejects.toMatchObject(unreadable)
    expect(await secrets.resolve('secret:other')).toBe('readable')
    await secrets.put('mine', 'new')
    expect(await secrets.resolve('secret:mine')).toBe('new')
    secrets.close()
  })

  it('are all replaced by a rotation, which runs beside a write without losing it', async () => {
    const secrets = createFor()
    await secrets.put('mine', value)
    const before = await database.query<{ sealed: Buffer; master_id: string }>('select * from secrets', [])
    const oldKey = readFileSync(join(folder, 'secrets-key'), 'utf8')

    const [rotated] = await Promise.all([secrets.rotate(), secrets.put('other', 'beside')])

    const after = await database.query<{ sealed: Buffer; master_id: string }>(
      `select * from secrets where name = 'mine'`,
      [],
    )
    const restarted = createFor()
    expect(rotated).toBe(1)
    expect(after.rows[0]!.master_id).not.toBe(before.rows[0]!.master_id)
    expect(readFileSync(join(folder, 'secrets-key'), 'utf8')).not.toBe(oldKey)
    expect(await restarted.resolve('secret:mine')).toBe(value)
    expect(await restarted.resolve('secret:other')).toBe('beside')
    secrets.close()
    restarted.close()
  })
})

describe('an export', () => {
  it('opens with its passphrase alone, and brings all back', async () => {
    await owner.put('/api/secrets/mine').send({ value })
    const passphrase = 'correct horse battery'
    const { body: file } = await owner.post('/api/secrets/export').send({ passphrase })
    await owner.delete('/api/secrets/mine')

    const wrong = await owner.post('/api/secrets/import').send({ passphrase: 'incorrect horse', file })
    const changed = { ...file, data: `AAAA${file.data.slice(4)}` }
    const torn = await owner.post('/api/secrets/import').send({ passphrase, file: changed })
    const right = await owner.post('/api/secrets/import').send({ passphrase, file })

    expect(JSON.stringify(file)).not.toContain(value)
    expect([wrong.status, torn.status]).toEqual([400, 400])
    expect(right.body).toEqual({ imported: 1 })
    expect(await deps.secrets.resolve('secret:mine')).toBe(value)
  })

  it('wants a passphrase of twelve characters', async () => {
    expect((await owner.post('/api/secrets/export').send({ passphrase: 'short' })).status).toBe(400)
  })
})
