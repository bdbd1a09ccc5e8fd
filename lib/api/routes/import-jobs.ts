import { z } from 'zod'
import { createImportJobsRepo, importStates } from '../../db/repos/import_jobs.ts'
import { invalid, notFound } from '../../errors.ts'
import { outcomes } from '../../import/outcome.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { id, idParams, pageQuery } from '../schemas.ts'
import { enterSpace } from '../scope.ts'

const path = z.string().min(1).max(4096)
const base64 = z.string().refine((text) => !/[^A-Za-z0-9+/=]/.test(text), 'must be base64')
const count = z.int().min(0)

const job = z.object({
  id,
  space_id: id,
  source: z.string(),
  root: z.string().nullable(),
  state: z.enum(importStates),
  files: count.describe('Handed over and not yet done with'),
  bytes: count,
  done: count.describe('Files that are through, those in archives included'),
  counts: z.record(z.enum(outcomes), count).describe('In a preview, what would become of the files'),
  created: z.record(z.string(), count),
  problem: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

const listedOutcome = z.object({
  seq: z.int(),
  path: z.string(),
  outcome: z.enum(outcomes),
  title: z.string().nullable(),
  entity_type: z.string().nullable(),
  entity_id: z.string().nullable(),
  reason: z.string().nullable(),
  warnings: z.array(z.string()),
  undone: z.string().nullable().describe('After an undo: whether this was, or why not'),
})

/** The job, if its Space still exists; otherwise a 404 `AppError`. */
async function check(deps: Deps, jobId: string): Promise<string> {
  const found = await createImportJobsRepo(deps.database).find(jobId)
  if (!found) throw notFound('import', jobId)
  await enterSpace(deps, { kind: 'owner' }, found.space_id)
  return jobId
}

const act = (name: 'preview' | 'start' | 'stop' | 'undo', summary: string) =>
  route({
    method: 'post',
    path: `/api/imports/:id/${name}`,
    access: 'owner',
    summary,
    params: idParams('id'),
    answers: { 202: job },
    handle: async (deps, { params }) => ({
      status: 202,
      body: await deps.imports[name](await check(deps, params.id)),
    }),
  })

export const importJobRoutes = [
  route({
    method: 'post',
    path: '/api/spaces/:space_id/imports',
    access: 'owner',
    summary: 'Begin an import: files are handed over next, then it is previewed or started',
    params: idParams('space_id'),
    body: z.strictObject({
      source: z
        .string()
        .min(1)
        .max(500)
        .describe('Whose files they are; the same name finds the same files again'),
      root: path.nullable().default(null).describe('The archive that is the whole import'),
    }),
    answers: { 201: job },
    async handle(deps, { actor, params: { space_id }, body }) {
      const space = await enterSpace(deps, actor, space_id)
      return { status: 201, body: await deps.imports.create({ space_id: space.id, ...body }) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/imports',
    access: 'owner',
    summary: 'The imports of a Space, newest first',
    params: idParams('space_id'),
    query: pageQuery,
    answers: { 200: z.object({ items: z.array(job), next_cursor: z.string().nullable() }) },
    async handle(deps, { actor, params: { space_id }, query: { cursor, limit } }) {
      const space = await enterSpace(deps, actor, space_id)
      const filter = { space_id: space.id, before_id: cursor ?? null, limit: limit + 1 }
      const found = await deps.imports.list(filter)
      const items = found.slice(0, limit)
      return { body: { items, next_cursor: found.length > limit ? items.at(-1)!.id : null } }
    },
  }),

  route({
    method: 'get',
    path: '/api/imports/:id',
    access: 'owner',
    summary: 'How far an import is, and what came of it in numbers',
    params: idParams('id'),
    answers: { 200: job },
    handle: async (deps, { params }) => ({ body: await deps.imports.find(await check(deps, params.id)) }),
  }),

  route({
    method: 'get',
    path: '/api/imports/:id/files',
    access: 'owner',
    summary: 'What became of the files of an import, in order',
    params: idParams('id'),
    query: z.object({
      outcome: z.enum(outcomes).optional(),
      noted: z.enum(['true', 'false']).default('false').describe('Only what a person should read'),
      cursor: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(200),
    }),
    answers: { 200: z.object({ items: z.array(listedOutcome), next_cursor: z.string().nullable() }) },
    async handle(deps, { params, query: { outcome, noted, cursor, limit } }) {
      const items = await deps.imports.listOutcomes(await check(deps, params.id), {
        outcomes: outcome ? [outcome] : null,
        noted: noted === 'true',
        after_seq: cursor,
        limit,
      })
      return { body: { items, next_cursor: items.length === limit ? String(items.at(-1)!.seq) : null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/imports/:id/files',
    access: 'owner',
    summary: 'Hand over files, a batch at a time',
    params: idParams('id'),
    body: z.strictObject({ files: z.array(z.strictObject({ path, base64 })).max(500) }),
    bodyLimit: '96mb',
    answers: { 200: z.object({ received: count }) },
    async handle(deps, { params, body: { files } }) {
      const jobId = await check(deps, params.id)
      for (const file of files)
        await deps.imports.addFile(jobId, file.path, Buffer.from(file.base64, 'base64'))
      return { body: { received: files.length } }
    },
  }),

  route({
    method: 'post',
    path: '/api/imports/:id/file',
    access: 'owner',
    summary: 'Hand over one file as it is: the body is its bytes',
    params: idParams('id'),
    query: z.object({ path: path.optional() }),
    answers: { 200: z.object({ received: count }) },
    async handle(deps, { req, params, query }) {
      const jobId = await check(deps, params.id)
      if (query.path === undefined) throw invalid('path is missing: where does the file belong?')
      await deps.imports.addStream(jobId, query.path, req)
      return { body: { received: 1 } }
    },
  }),

  act('preview', 'Find out what an import would do; writes nothing'),
  act('start', 'Bring in what was handed over, or go on where it stopped'),
  act('stop', 'Stop an import; what is in stays in'),
  act('undo', 'Take back all that an import did, but for what was changed since'),
]
