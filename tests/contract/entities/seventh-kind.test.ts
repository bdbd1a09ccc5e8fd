// A kind is one definition and one migration. This adds a seventh, as a developer would, and tries it everywhere.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKinds, kinds as ownKinds } from '../../../lib/contract/entities/kinds.ts'
import { migrate } from '../../../lib/db/migrate.ts'
import { buildApp, type TestApp } from '../../helpers/build-app.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { testDb } from '../../helpers/test-db.ts'
import { makeAgent } from '../../helpers/world.ts'

const root = new URL('../../../lib/contract/entities/', import.meta.url).href

const definition = `
import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
import { body, title } from '${root}fields.ts'
import { defineKind } from '${root}kind.ts'

export const kind = defineKind({
  type: 'bird',
  table: 'birds',
  path: 'birds',
  label: 'bird',
  fields: z.object({ title: title(), body: body(), wingspan: z.int().min(1).nullable(), status: z.enum(['seen', 'heard']) }),
  statusField: 'status',
})
`

const migration = `
create table birds (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null,
  body text not null default '',
  wingspan integer,
  status text not null default 'seen',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner',
  deleted_at timestamptz
);
`

const database = await testDb()
const folder = await mkdtemp(join(tmpdir(), 'void-kind-'))
const model = scriptedModel([])
let void_: TestApp
let at: string

beforeAll(async () => {
  await writeFile(join(folder, 'bird.ts'), definition)
  const migrations = join(folder, 'migrations')
  await import('node:fs/promises').then(({ mkdir }) => mkdir(migrations))
  await writeFile(join(migrations, '900_birds.sql'), migration)
  await migrate(database, { folders: [migrations] })

  const { kind } = await import(pathToFileURL(join(folder, 'bird.ts')).href)
  void_ = await buildApp({ database, kinds: createKinds([...ownKinds.all, kind]), callModel: model })
  const { body } = await void_.owner.post('/api/spaces').send({ name: 'Skerry Light' })
  at = `/api/spaces/${body.id}`
})

afterAll(() => rm(folder, { recursive: true }))

test('it has routes, validation, a status filter and an audit trail', async () => {
  const { owner } = void_
  const made = await owner.post(`${at}/birds`).send({ title: 'Gannet', wingspan: 180 })
  const wrong = await owner.post(`${at}/birds`).send({ title: 'Auk', wingspan: 'wide' })
  const changed = await owner.patch(`/api/birds/${made.body.id}`).send({ version: 1, status: 'heard' })
  const heard = await owner.get(`${at}/birds?status=heard`)
  const audit = await owner.get(`/api/audit?entity_id=${made.body.id}`)

  expect(made.body).toMatchObject({ title: 'Gannet', wingspan: 180, status: 'seen', version: 1 })
  expect(wrong.status).toBe(400)
  expect(changed.body.version).toBe(2)
  expect(heard.body.items).toHaveLength(1)
  expect(audit.body.items.map(({ action }: { action: string }) => action)).toEqual(['update', 'create'])
})

test('it is searched, linked to, and described in the API document', async () => {
  const { owner } = void_
  const { body: puffin } = await owner
    .post(`${at}/birds`)
    .send({ title: 'Puffin', body: 'Nests in burrows above the landing.' })
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Log', body: 'Saw a [[Puffin]].' })

  const hits = await owner.get('/api/search?q=who nests in burrows')
  const links = await owner.get(`/api/pages/${page.id}/links`)
  const document = await owner.get('/api/openapi.json')

  expect(hits.body.items[0]).toMatchObject({ entity_type: 'bird', entity_id: puffin.id })
  expect(links.body.links[0]).toMatchObject({ to_type: 'bird', to_id: puffin.id })
  expect(Object.keys(document.body.paths)).toContain('/api/birds/{id}')
})

test('agents draft it, over REST and with the companion’s tools, and the owner approves', async () => {
  const { owner } = void_
  const { token } = await makeAgent(void_, { slug: 'ornithologist' })
  const { body: draft } = await void_.as(token).post(`${at}/birds`).send({ title: 'Tern' })
  await owner.post(`/api/pending-changes/${draft.id}/approve`).send({})

  const tool = (await import('../../../lib/ai/agent/tools/index.ts'))
    .createCompanionRegistry(void_.deps.kinds.all)
    .toAnthropicTools()
    .find(({ name }) => name === 'propose_change')

  expect((await owner.get(`/api/birds/${draft.entity_id}`)).body.title).toBe('Tern')
  expect(JSON.stringify(tool)).toContain('bird')
})
