// Imports on several servers over one database: one of them runs a job at a time, another goes on with what it leaves.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import type { Database } from '../../../lib/db/pool.ts'
import { createEntitiesRepo } from '../../../lib/db/repos/entities.ts'
import { createImportJobsRepo } from '../../../lib/db/repos/import_jobs.ts'
import { createImportJobs } from '../../../lib/files/import/job/import-jobs.ts'
import { createStagedFiles } from '../../../lib/files/import/job/staged-files.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { mortal } from '../../helpers/servers.ts'
import { makeZip } from './make-files.ts'

const { deps } = await buildApp()
let spaces = 0
let servers = 0
let space_id = ''

beforeEach(async () => {
  space_id = (await createSpace(deps.database, { kind: 'owner' }, { name: `Skerry ${++spaces}` })).id
})

type Server = ReturnType<typeof startServer>

/** Another server: a folder of its own, the same database. */
function startServer() {
  const { database, kill } = mortal(deps.database)
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let batchesLeft = Number.POSITIVE_INFINITY
  const holding: Database = {
    ...database,
    async transaction(work) {
      if (batchesLeft-- === 0) {
        reached.resolve()
        await held.promise
      }
      return await database.transaction(work)
    },
  }
  const importFolder = join(tmpdir(), `void-imports-${++servers}`)
  return {
    jobs: createImportJobs({
      ...deps,
      ...deps.content,
      ...deps.changes,
      ...deps.server,
      importMail: deps.mail.importMail,
      database: holding,
      importFolder,
    }),
    kill,
    /** Holds what is written after so many more batches; resolves when that is reached. */
    holdAfter(batches: number): Promise<void> {
      batchesLeft = batches
      return reached.promise
    },
    proceed: () => held.resolve(),
  }
}

const notes = (count: number) =>
  Array.from({ length: count }, (_, n) => [`Note ${n}.md`, `Words ${n}.`] as const)

async function handOver(
  { jobs }: Server,
  files: readonly (readonly [string, string | Uint8Array])[],
): Promise<string> {
  const { id } = await jobs.create({ space_id, source: 'keeper', root: null })
  for (const [path, content] of files) await jobs.addFile(id, path, { content: Buffer.from(content) })
  return id
}

/** What time does to the lease of a server that was killed. */
const expireLease = () =>
  deps.database.query("update job_leases set lease_until = '-infinity' where name = 'imports'")

async function titles(): Promise<string[]> {
  const filter = { space_id, status: null, deleted: false, before_id: null, limit: 1000 }
  return (await createEntitiesRepo(deps.database).list(kinds.get('page'), filter)).map(({ title }) =>
    String(title),
  )
}

/** Kills a server when it has written so many batches. */
async function killAfter(server: Server, batches: number, begin: () => Promise<unknown>): Promise<void> {
  const reached = server.holdAfter(batches)
  await begin()
  await reached
  server.kill()
  server.proceed()
  await expireLease()
}

test('a second server leaves a running import alone', async () => {
  const [first, second] = [startServer(), startServer()]
  const id = await handOver(first, notes(60))
  const reached = first.holdAfter(1)
  await first.jobs.start(id)
  await reached

  await second.jobs.resume()
  const during = await second.jobs.find(id)
  first.proceed()
  await Promise.all([first.jobs.idle(), second.jobs.idle()])
  await second.jobs.close()

  expect(during).toMatchObject({ state: 'running', files: 60 })
  expect(await first.jobs.find(id)).toMatchObject({ state: 'done', done: 60, counts: { created: 60 } })
  expect(await titles()).toHaveLength(60)
})

test('another server goes on with the import of one that was killed, from the same bytes', async () => {
  const [first, second] = [startServer(), startServer()]
  const archive = await makeZip(notes(40))
  const id = await handOver(first, [['vault.zip', archive], ...notes(40)])
  await killAfter(first, 1, () => first.jobs.start(id))

  await second.jobs.resume()
  await second.jobs.idle()
  await second.jobs.close()

  expect(await second.jobs.find(id)).toMatchObject({ state: 'done', problem: null, counts: { created: 80 } })
  expect(await titles()).toHaveLength(81)
})

test('an import is started, and stopped, from any server', async () => {
  const [first, second] = [startServer(), startServer()]
  const id = await handOver(first, notes(60))
  const reached = second.holdAfter(1)
  await second.jobs.start(id)
  await reached

  const stopped = await first.jobs.stop(id)
  second.proceed()
  await second.jobs.idle()

  expect(stopped.state).toBe('stopped')
  expect(await second.jobs.find(id)).toMatchObject({ state: 'stopped' })
  expect((await titles()).length).toBeLessThan(60)

  await first.jobs.start(id)
  await first.jobs.idle()
  expect(await second.jobs.find(id)).toMatchObject({ state: 'done', counts: { created: 60 } })
})

test('an import that takes its server with it is tried twice, then set aside', async () => {
  const servers = [startServer(), startServer(), startServer()] as const
  const id = await handOver(servers[0], notes(3))
  await killAfter(servers[0], 0, () => servers[0].jobs.start(id))
  await killAfter(servers[1], 0, () => servers[1].jobs.resume())

  await servers[2].jobs.resume()
  await servers[2].jobs.idle()
  const aside = await servers[2].jobs.find(id)
  await servers[2].jobs.start(id)
  await servers[2].jobs.idle()
  await servers[2].jobs.close()

  expect(aside).toMatchObject({ state: 'failed', files: 3 })
  expect(aside.problem).toMatch(/^Set aside: Void stopped 2 times while it was at it/)
  expect(await servers[2].jobs.find(id)).toMatchObject({ state: 'done', problem: null })
})

test('an orderly stop of a server is no failed attempt', async () => {
  const [first, second] = [startServer(), startServer()]
  const id = await handOver(first, notes(30))
  const reached = first.holdAfter(0)
  await first.jobs.start(id)
  await reached
  const closed = first.jobs.close()
  first.proceed()
  await closed

  expect(await createImportJobsRepo(deps.database).find(id)).toMatchObject({ state: 'running', attempts: 0 })

  await second.jobs.resume()
  await second.jobs.idle()
  await second.jobs.close()
  expect(await second.jobs.find(id)).toMatchObject({ state: 'done', counts: { created: 30 } })
})

test('uploads to one path at once are each stored whole, and the last one counts', async () => {
  const { jobs } = startServer()
  const { id } = await jobs.create({ space_id, source: 'keeper', root: null })
  const texts = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(700_000))

  await Promise.all(
    texts.map((text) => jobs.addStream(id, 'Oil.md', { content: Readable.from([Buffer.from(text)]) })),
  )
  const uploaded = await jobs.find(id)
  await expect(jobs.addStream(id, 'Oil.md', { content: broken() })).rejects.toThrow('the line went dead')
  await jobs.start(id)
  await jobs.idle()

  expect(uploaded).toMatchObject({ files: 1, bytes: 700_000 })
  const filter = { space_id, status: null, deleted: false, before_id: null, limit: 2 }
  const [page] = await createEntitiesRepo(deps.database).list(kinds.get('page'), filter)
  expect(texts).toContain(page?.body)
})

test('an upload that ends after the start is refused, and no part of the import', async () => {
  const { jobs } = startServer()
  const id = await handOver(startServer(), notes(1))
  const late = new PassThrough()
  late.write('half')
  // Watched from the beginning: it may be refused before it ends.
  const refused = expect(jobs.addStream(id, 'late.md', { content: late })).rejects.toMatchObject({
    status: 409,
    code: 'wrong_state',
  })
  await jobs.start(id)
  await jobs.idle()
  late.end()

  await refused
  const { rows } = await deps.database.query('select from import_uploads where job_id = $1', [id])
  expect(rows).toEqual([])
})

test('a file whose path is too long to be stored stays out alone', async () => {
  const { jobs } = startServer()
  const deep = `${'a/'.repeat(1500)}Oil.md`
  const id = await handOver(startServer(), [[deep, 'x'], [deep.replace('a/', 'b/'), 'y'], ...notes(2)])
  await jobs.start(id)
  await jobs.idle()

  expect(await jobs.find(id)).toMatchObject({ state: 'done', counts: { created: 2, skipped: 2 } })
  const told = await jobs.listOutcomes(id, { outcomes: ['skipped'], noted: false, after_seq: 0, limit: 10 })
  expect(told.map(({ reason }) => reason)).toEqual(new Array(2).fill('its path is longer than 2000 bytes'))
})

test('what waits for imports has an end', async () => {
  const staged = createStagedFiles(deps.database, { maxBytes: 1000 })
  const { id } = await startServer().jobs.create({ space_id, source: 'keeper', root: null })
  await staged.put(id, 'a.bin', { content: Buffer.alloc(900) }, 10_000)

  await expect(staged.put(id, 'b.bin', { content: Buffer.alloc(200) }, 10_000)).rejects.toMatchObject({
    status: 507,
  })
  await expect(staged.put(id, 'b.bin', { content: Buffer.alloc(90) }, 80)).rejects.toMatchObject({
    status: 413,
  })
  expect((await staged.list(id)).map(({ path }) => path)).toEqual(['a.bin'])
})

async function* words() {
  yield Buffer.from('half')
  throw new Error('the line went dead')
}
const broken = () => Readable.from(words())
