// What a server does in the background goes on after it was killed: an import, then the embedding of what came in.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { databaseEnv } from '../../helpers/direct-url.ts'
import { fakeEmbeddings } from '../../helpers/fake-embeddings.ts'
import { runScript } from '../../helpers/run-script.ts'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'
import { makeCrashDatabase } from './crash-database.ts'

const files = 100
const token = 'background-work-token-0123456789'
const fake = await fakeEmbeddings()
const folder = makeDataFolder(await mkdtemp(join(tmpdir(), 'void-background-')))
const { url: databaseUrl, drop } = await makeCrashDatabase()
let server: VoidProcess | null = null

afterAll(async () => {
  server?.kill()
  await server?.gone
  await drop()
  await rm(folder, { recursive: true, force: true })
})

const env = {
  DATA_DIR: folder,
  OWNER_TOKEN: token,
  EMBEDDING_PROVIDER: 'openai',
  EMBEDDING_URL: fake.url,
  EMBEDDING_MODEL: 'small',
  ...databaseEnv(databaseUrl),
}

/** Starts the server, the one that runs first killed where it stands. */
async function restart(): Promise<void> {
  server?.kill()
  await server?.gone
  server = await startVoidProcess(env)
}

async function call(method: 'get' | 'post', path: string, body: object = {}) {
  const response = await request(server!.url)[method](path).set('authorization', `Bearer ${token}`).send(body)
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
  return response.body
}

const patience = { timeout: 120_000, interval: 250 }

test('a killed server goes on with its import and its embedding, and indexes anew by hand', async () => {
  await restart()
  const space = await call('post', '/api/spaces', { name: 'Skerry' })
  const job = await call('post', `/api/spaces/${space.id}/imports`, { source: 'disk', root: null })
  const notes = Array.from({ length: files }, (_, n) => ({
    path: `Note ${n}.md`,
    base64: Buffer.from(`The boat number ${n}.`).toString('base64'),
  }))
  await call('post', `/api/imports/${job.id}/files`, { files: notes })

  await call('post', `/api/imports/${job.id}/start`)
  await expect
    .poll(async () => (await call('get', `/api/imports/${job.id}`)).done, patience)
    .toBeGreaterThan(0)
  await restart()

  await expect.poll(async () => (await call('get', `/api/imports/${job.id}`)).state, patience).toBe('done')
  const { counts } = await call('get', `/api/imports/${job.id}`)
  expect(counts.created).toBe(files)

  const before = fake.requests.length
  await call('post', `/api/spaces/${space.id}/pages`, { title: 'One more', body: 'A dinghy.' })
  await expect.poll(() => fake.requests.length, patience).toBeGreaterThan(before)
  await restart()

  const embedded = async () => {
    const { embedding } = (await call('get', '/health')).search
    return embedding.done === embedding.total && embedding.total > files
  }
  await expect.poll(embedded, patience).toBe(true)
  const found = await call('get', `/api/search?space_id=${space.id}&q=vessel&limit=50`)
  expect(found.items.length).toBe(50)

  server!.kill()
  await server!.gone
  server = null
  const { code, out, error } = await runScript('lib/server/cli/reindex.ts', [], {
    env: { LOG_LEVEL: 'warn', ...env },
  })
  expect(out + error).toMatch(/(\d+) of \1 \(100 %\)/)
  expect(out + error).toContain('conversations indexed. Done.')
  expect(code).toBe(0)
}, 400_000)
