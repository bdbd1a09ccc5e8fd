import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import type { EntityRow } from '../../../lib/contract/entities/kind.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createEntitiesRepo } from '../../../lib/db/repos/entities.ts'
import { createImportJobsRepo } from '../../../lib/db/repos/import_jobs.ts'
import { createImportJobs } from '../../../lib/files/import/job/import-jobs.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeZip } from './make-files.ts'
import type { Vault } from './vault.ts'

const { deps, owner } = await buildApp()
const folder = await mkdtemp(join(tmpdir(), 'void-jobs-'))
const newJobs = () =>
  createImportJobs({
    ...{ ...deps, ...deps.content, ...deps.changes, ...deps.server },
    importMail: deps.mail.importMail,
    importFolder: folder,
  })
let jobs = newJobs()
let space_id = ''
let spaces = 0

afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  await jobs.close()
  jobs = newJobs()
  spaces += 1
  space_id = (await createSpace(deps.database, { kind: 'owner' }, { name: `Skerry ${spaces}` })).id
})

async function handOver(vault: Vault, root: string | null = null) {
  const job = await jobs.create({ space_id, source: 'keeper', root })
  for (const [path, content] of Object.entries(vault))
    await jobs.addFile(job.id, path, { content: Buffer.from(content) })
  return job
}

async function bringIn(vault: Vault) {
  const { id } = await handOver(vault)
  await jobs.start(id)
  await jobs.idle()
  return await jobs.find(id)
}

async function list(type = 'page', deleted = false): Promise<EntityRow[]> {
  const filter = { space_id, status: null, deleted, before_id: null, limit: 1000 }
  return (await createEntitiesRepo(deps.database).list(kinds.get(type), filter)).reverse()
}

const titles = async (type = 'page') => (await list(type)).map(({ title }) => title).toSorted()
const named = async (title: string) => (await list()).find((row) => row.title === title)!

async function edit({ id, version }: EntityRow, fields: Record<string, unknown>) {
  return await deps.database.transaction((tx) =>
    deps.content.writer.write(
      tx,
      { action: 'update', type: 'page', space_id, id, version, fields },
      { actor: { kind: 'owner' } },
    ),
  )
}

const outcomesOf = async (id: string) =>
  (await jobs.listOutcomes(id, { outcomes: null, noted: false, after_seq: 0, limit: 500 })).map(
    ({ path, outcome, reason, undone }) =>
      [path, outcome, reason ?? undone].filter((part) => part !== null).join(': '),
  )

const vault = {
  'Lamp/Oil.md': 'Forty litres. [[Wick]]',
  'Lamp/Wick.md': 'Cotton.',
  'chart.png': new Uint8Array([1, 0]),
}

test('a job brings files in, and tells of each', async () => {
  const job = await bringIn({ ...vault, '../out.md': 'x' } as Vault).catch((error: Error) => error.message)
  expect(job).toMatch(/points outside the folder/)

  const done = await bringIn({ ...vault, 'Board.html': '<p></p>' })

  expect(done).toMatchObject({ state: 'done', done: 4, files: 0, problem: null })
  expect(done.counts).toMatchObject({ created: 4, skipped: 0 })
  expect(done.created).toEqual({ page: 2, source_doc: 2, folder: 1 })
  expect((await outcomesOf(done.id)).toSorted()).toEqual([
    'Board.html: created',
    'Lamp/: created',
    'Lamp/Oil.md: created',
    'Lamp/Wick.md: created',
    'chart.png: created',
  ])
  expect(await readdir(folder)).toEqual([])
  const { rows } = await deps.database.query('select from import_uploads where job_id = $1', [done.id])
  expect(rows).toEqual([])
})

test('a preview tells what would happen and writes nothing', async () => {
  await bringIn(vault)
  const audited = async () =>
    (await deps.database.query<{ seq: number }>('select seq from audit_head')).rows[0]!.seq
  const before = await audited()
  const { id } = await handOver({
    'Lamp/Oil.md': 'Fifty litres.',
    'Lamp/Wick.md': 'Cotton.',
    'New.md': '',
    'bad.html': '',
  })
  await jobs.preview(id)
  await jobs.idle()
  const preview = await jobs.find(id)

  expect(preview).toMatchObject({ state: 'previewed', files: 4 })
  expect((await outcomesOf(id)).toSorted()).toEqual([
    'Lamp/Oil.md: updated',
    'Lamp/Wick.md: unchanged',
    'New.md: created',
    'bad.html: created',
  ])
  expect(await audited()).toBe(before)
  expect(await titles()).toEqual(['Lamp', 'Oil', 'Wick'])

  await jobs.start(id)
  await jobs.idle()
  expect((await jobs.find(id)).counts).toMatchObject({ updated: 1, unchanged: 1, created: 2, skipped: 0 })
  expect(await titles()).toEqual(['Lamp', 'New', 'Oil', 'Wick'])
})

test('what the owner edited is offered as a draft, once, beside the edit', async () => {
  await bringIn({ 'Oil.md': 'One.\n\nTwo.\n\nThree.\n' })
  await edit(await named('Oil'), { body: 'One, edited.\n\nTwo.\n\nThree.\n' })
  const first = await bringIn({ 'Oil.md': 'One.\n\nTwo.\n\nThree, from the file.\n' })
  const second = await bringIn({ 'Oil.md': 'One.\n\nTwo.\n\nThree, from the file.\n' })

  expect(await outcomesOf(first.id)).toEqual([
    'Oil.md: conflict: you edited it here; the file’s change is in the Inbox',
  ])
  expect(second.counts).toMatchObject({ unchanged: 1, conflict: 0 })
  expect((await named('Oil')).body).toBe('One, edited.\n\nTwo.\n\nThree.\n')

  const { body } = await owner.get(`/api/pending-changes?space_id=${space_id}`)
  expect(body.items).toHaveLength(1)
  expect(body.items[0]).toMatchObject({
    action: 'update',
    payload: { body: 'One, edited.\n\nTwo.\n\nThree, from the file.\n' },
  })
  await owner.post(`/api/pending-changes/${body.items[0].id}/approve`).send({}).expect(200)
  expect((await named('Oil')).body).toBe('One, edited.\n\nTwo.\n\nThree, from the file.\n')
})

test('an edit of the same words is not merged: the draft shows what the file says', async () => {
  await bringIn({ 'Oil.md': 'One.' })
  await edit(await named('Oil'), { body: 'Mine.' })
  await bringIn({ 'Oil.md': 'Theirs.' })

  const { body } = await owner.get(`/api/pending-changes?space_id=${space_id}`)
  expect(body.items[0].payload).toEqual({ body: 'Theirs.' })
  expect((await named('Oil')).body).toBe('Mine.')
})

test('an import is taken back as a whole: what it made, what it changed, what it replaced', async () => {
  await bringIn({ 'Oil.md': 'before', 'chart.png': new Uint8Array([1, 0]), 'Kept.md': 'x' })
  const chart = (await list('source_doc'))[0]!
  const second = await bringIn({
    'Oil.md': '---\ntitle: Fuel\n---\nafter',
    'chart.png': new Uint8Array([2, 0]),
    'Lamp/Wick.md': 'new',
    'Kept.md': 'x',
  })
  await jobs.undo(second.id)
  await jobs.idle()

  expect(await jobs.find(second.id)).toMatchObject({ state: 'undone' })
  expect(await titles()).toEqual(['Kept', 'Oil'])
  expect((await named('Oil')).body).toBe('before')
  expect((await list('source_doc')).map(({ id }) => id)).toEqual([chart.id])

  const again = await bringIn({
    'Oil.md': 'third',
    'chart.png': new Uint8Array([2, 0]),
    'Lamp/Wick.md': 'new',
    'Kept.md': 'x',
  })
  expect(again.counts).toMatchObject({ created: 1, updated: 2, unchanged: 1, deleted: 0 })
  expect(await list('source_doc')).toHaveLength(1)
})

test('an undo keeps what was edited since, and the folder above it', async () => {
  const job = await bringIn({ 'Lamp/Oil.md': 'x', 'Lamp/Wick.md': 'y', 'Boats/Sloop.md': 'z' })
  await edit(await named('Oil'), { body: 'my own words' })
  await jobs.undo(job.id)
  await jobs.idle()

  expect(await titles()).toEqual(['Lamp', 'Oil'])
  expect((await outcomesOf(job.id)).filter((line) => line.includes('kept'))).toEqual([
    'Lamp/: created: kept: other pages are below it',
    'Lamp/Oil.md: created: kept: it has changed since',
  ])
})

test('a stopped job keeps what is in, and goes on', async () => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`Note ${index}.md`, `${index}`]))
  const { id } = await handOver(many)
  const progress = createImportJobsRepo(deps.database)
  await jobs.start(id)
  while ((await progress.find(id))!.done === 0) await new Promise((resolve) => setImmediate(resolve))
  await jobs.stop(id)
  await jobs.idle()
  const stopped = await jobs.find(id)

  expect(stopped.state).toBe('stopped')
  expect(stopped.counts.created).toBeGreaterThan(0)
  expect(stopped.counts.created).toBeLessThan(120)

  await jobs.start(id)
  await jobs.idle()
  expect(await jobs.find(id)).toMatchObject({ state: 'done', counts: { created: 120, unchanged: 0 } })
  expect(await list()).toHaveLength(120)
})

test('a job that a crash broke off is gone on with at the next start, and nothing comes in twice', async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`Note ${index}.md`, `${index}`]))
  const { id } = await handOver(many)
  await jobs.start(id)
  while ((await jobs.find(id)).done === 0) await new Promise((resolve) => setImmediate(resolve))
  // What a kill leaves: the state still says that it runs.
  await jobs.close()
  expect((await jobs.find(id)).state).toBe('running')

  jobs = newJobs()
  await jobs.resume()
  await jobs.idle()

  expect(await jobs.find(id)).toMatchObject({ state: 'done', counts: { created: 60, unchanged: 0 } })
  expect(await list()).toHaveLength(60)
})

test('what cannot be done now is refused, what is unknown is not found', async () => {
  const { id } = await handOver({ 'Oil.md': '' })

  await expect(jobs.undo(id)).rejects.toMatchObject({ status: 409, code: 'wrong_state' })
  await jobs.start(id)
  await jobs.idle()
  await expect(jobs.addFile(id, 'late.md', { content: Buffer.from('') })).rejects.toMatchObject({
    code: 'wrong_state',
  })
  await expect(jobs.start(id)).rejects.toMatchObject({ code: 'wrong_state' })
  await expect(jobs.find('00000000-0000-7000-8000-00000000ffff')).rejects.toMatchObject({ status: 404 })
})

test('one that a command line broke off is not started here, where its files are not', async () => {
  const repo = createImportJobsRepo(deps.database)
  const { id } = await jobs.create({ space_id, source: 'notes', root: null })
  await repo.enter(id, ['open'], { state: 'stopped' })

  const refused = { status: 409, code: 'files_elsewhere', message: expect.stringContaining('npm run import') }
  await expect(jobs.start(id)).rejects.toMatchObject(refused)
  await expect(jobs.preview(id)).rejects.toMatchObject(refused)

  expect((await jobs.find(id)).state).toBe('stopped')
})

test('over HTTP: hand over, preview, start, read what came of it, undo', async () => {
  const begun = await owner
    .post(`/api/spaces/${space_id}/imports`)
    .send({ source: 'zip', root: 'vault.zip' })
    .expect(201)
  const { id } = begun.body
  const zip = await makeZip({ 'Oil.md': 'Forty.', 'bad.html': '<p></p>' })
  await owner
    .post(`/api/imports/${id}/file?path=vault.zip`)
    .set('content-type', 'application/octet-stream')
    .send(Buffer.from(zip))
    .expect(200)
  await owner.post(`/api/imports/${id}/preview`).expect(202)
  await deps.content.imports.idle()
  const foretold = await owner.get(`/api/imports/${id}`).expect(200)
  await owner.post(`/api/imports/${id}/start`).expect(202)
  await deps.content.imports.idle()
  const files = await owner.get(`/api/imports/${id}/files?noted=true`).expect(200)
  const listed = await owner.get(`/api/spaces/${space_id}/imports`).expect(200)

  expect(foretold.body).toMatchObject({ state: 'previewed', counts: { created: 2, skipped: 0 } })
  expect(files.body.items).toMatchObject([
    { path: 'bad.html', outcome: 'created', warnings: ['it shows no text; stored as a file'] },
  ])
  expect(listed.body.items).toMatchObject([{ id, state: 'done', source: 'zip' }])
  expect(await titles()).toEqual(['Oil'])

  await owner.post(`/api/imports/${id}/undo`).expect(202)
  await deps.content.imports.idle()
  expect(await titles()).toEqual([])
})
