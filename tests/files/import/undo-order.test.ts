// Several imports of one folder, undone in any order.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { EntityRow } from '../../../lib/contract/entities/kind.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createEntitiesRepo } from '../../../lib/db/repos/entities.ts'
import { createImportJobs } from '../../../lib/files/import/job/import-jobs.ts'
import { buildApp } from '../../helpers/build-app.ts'
import type { Vault } from './vault.ts'

const { deps, owner } = await buildApp()
const folder = await mkdtemp(join(tmpdir(), 'void-undo-order-'))
const jobs = createImportJobs({
  ...{ ...deps, ...deps.content, ...deps.changes, ...deps.server },
  importMail: deps.mail.importMail,
  importFolder: folder,
})
let space_id = ''

afterAll(async () => {
  await jobs.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  space_id = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
})

async function bringIn(vault: Vault): Promise<string> {
  const { id } = await jobs.create({ space_id, source: 'keeper', root: null })
  for (const [path, content] of Object.entries(vault))
    await jobs.addFile(id, path, { content: Buffer.from(content) })
  await jobs.start(id)
  await jobs.idle()
  return id
}

async function undo(id: string): Promise<void> {
  await jobs.undo(id)
  await jobs.idle()
}

async function list(type: 'page' | 'source_doc'): Promise<EntityRow[]> {
  const filter = { space_id, status: null, deleted: false, before_id: null, limit: 100 }
  return await createEntitiesRepo(deps.database).list(kinds.get(type), filter)
}

const left = async () =>
  [...(await list('page')), ...(await list('source_doc'))].map(({ title }) => title).toSorted()
const keptOf = async (id: string) =>
  (await jobs.listOutcomes(id, { outcomes: null, noted: false, after_seq: 0, limit: 500 })).flatMap(
    ({ path, undone }) => (undone === null || undone === 'undone' ? [] : [`${path}: ${undone}`]),
  )

const vaults: Vault[] = [
  { 'Oil.md': 'one', 'Lamp/Wick.md': 'cotton', 'chart.png': new Uint8Array([1, 0]) },
  {
    'Oil.md': 'two',
    'Lamp/Wick.md': 'cotton',
    'Lamp/Glass.md': 'clear',
    'chart.png': new Uint8Array([2, 0]),
  },
  {
    'Oil.md': 'three',
    'Lamp/Wick.md': 'linen',
    'Lamp/Glass.md': 'red',
    'chart.png': new Uint8Array([3, 0]),
  },
]

const orders = [
  [2, 1, 0],
  [2, 0, 1],
  [1, 2, 0],
  [1, 0, 2],
  [0, 2, 1],
  [0, 1, 2],
]

describe('three imports', () => {
  test.each(orders)('undone in the order %i, %i, %i leave nothing', async (...order) => {
    const ids: string[] = []
    for (const vault of vaults) ids.push(await bringIn(vault))
    for (const index of order) await undo(ids[index]!)

    expect(await left()).toEqual([])
    for (const id of ids) expect(await keptOf(id)).toEqual([])
  })

  test.each(orders)('come in again, and complete, after the order %i, %i, %i', async (...order) => {
    const ids: string[] = []
    for (const vault of vaults) ids.push(await bringIn(vault))
    for (const index of order) await undo(ids[index]!)
    await bringIn(vaults[0]!)

    expect(await left()).toEqual(['Lamp', 'Oil', 'Wick', 'chart.png'])
  })
})

test('an older import that is undone first leaves what a newer one changed, as that one left it', async () => {
  const first = await bringIn(vaults[0]!)
  await bringIn(vaults[1]!)
  await undo(first)

  expect(await left()).toEqual(['Glass', 'Lamp', 'Oil', 'chart.png'])
  expect((await keptOf(first)).toSorted()).toEqual([
    'Lamp/: kept: other pages are below it',
    'Oil.md: kept: it has changed since',
    'chart.png: kept: it has changed since',
  ])
})

test('an edit that the owner took back is no edit', async () => {
  const job = await bringIn({ 'Oil.md': 'one' })
  const [oil] = await list('page')
  await owner.patch(`/api/pages/${oil!.id}`).send({ version: 1, body: 'mine' }).expect(200)
  await owner.patch(`/api/pages/${oil!.id}`).send({ version: 2, body: 'one' }).expect(200)
  await undo(job)

  expect(await left()).toEqual([])
})

test('what the owner edited stays, in whatever order the imports are undone', async () => {
  const first = await bringIn({ 'Oil.md': 'one' })
  const second = await bringIn({ 'Oil.md': 'two' })
  const [oil] = await list('page')
  await owner.patch(`/api/pages/${oil!.id}`).send({ version: 2, body: 'mine' }).expect(200)
  await undo(first)
  await undo(second)

  expect(await list('page')).toMatchObject([{ body: 'mine' }])
  expect(await keptOf(second)).toEqual(['Oil.md: kept: it has changed since'])
})

test('what the owner restored after an undo stays when another import is undone', async () => {
  const first = await bringIn({ 'Oil.md': 'one' })
  const second = await bringIn({ 'Oil.md': 'one', 'Wick.md': 'cotton' })
  const oil = (await list('page')).find(({ title }) => title === 'Oil')!
  await undo(first)
  await owner.post(`/api/pages/${oil.id}/restore`).send({}).expect(200)
  await undo(second)

  expect(await left()).toEqual(['Oil'])
})
