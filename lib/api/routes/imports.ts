import { z } from 'zod'
import { ImportJob, ImportResult, JobFile, Outcome, Received, Survey } from '../../contract/imports.ts'
import { listOf } from '../../contract/list.ts'
import { time } from '../../contract/scalars.ts'
import { TrustLevel } from '../../contract/trust.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { importFiles } from '../../files/import/import-files.ts'
import { surveyFolder } from '../../files/import/survey.ts'
import type { Deps } from '../deps.ts'
import { idParams, pageQuery, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

// A path too long to be stored keeps its own file out, not the call.
const path = z.string().min(1)

/** What is handed over of a file besides its path. */
const modified_at = time.optional().describe('When the file was changed; a page of it is dated so')

const base64 = z.string().refine((text) => !/[^A-Za-z0-9+/=]/.test(text), 'must be base64')

/** The job, if its Space still exists; otherwise a 404 `AppError`. */
async function check(deps: Deps, jobId: string): Promise<string> {
  const found = await deps.repos.importJobs.find(jobId)
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
    answers: { 202: ImportJob },
    handle: async (deps, { params }) => ({
      status: 202,
      body: await deps.content.imports[name](await check(deps, params.id)),
    }),
  })

export const importJobRoutes = [
  route({
    method: 'post',
    path: '/api/spaces/:space_id/imports',
    access: 'owner',
    summary: 'Create an import; upload files next, then preview or start it',
    params: idParams('space_id'),
    body: z.strictObject({
      source: z
        .string()
        .min(1)
        .max(500)
        .describe('Name of the source; imports with the same name update the same files'),
      root: path
        .max(4096)
        .nullable()
        .default(null)
        .describe(
          'Path of the uploaded archive that is the whole import; paths of its contents omit its name',
        ),
      trust: TrustLevel.default('outside').describe('Applies only if no trust is set for the source yet'),
    }),
    answers: { 201: ImportJob },
    async handle(deps, { actor, params: { space_id }, body }) {
      const space = await enterSpace(deps, actor, space_id)
      return { status: 201, body: await deps.content.imports.create({ space_id: space.id, ...body }) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/imports',
    access: 'owner',
    summary: 'List the imports of a Space, newest first',
    params: idParams('space_id'),
    query: pageQuery,
    answers: { 200: listOf(ImportJob) },
    async handle(deps, { actor, params: { space_id }, query: { cursor, limit } }) {
      const space = await enterSpace(deps, actor, space_id)
      const filter = { space_id: space.id, before_id: cursor ?? null, limit: limit + 1 }
      const found = await deps.content.imports.list(filter)
      const items = found.slice(0, limit)
      return { body: { items, next_cursor: found.length > limit ? items.at(-1)!.id : null } }
    },
  }),

  route({
    method: 'get',
    path: '/api/imports/:id',
    access: 'owner',
    summary: 'Get the progress and counts of an import',
    params: idParams('id'),
    answers: { 200: ImportJob },
    handle: async (deps, { params }) => ({
      body: await deps.content.imports.find(await check(deps, params.id)),
    }),
  }),

  route({
    method: 'get',
    path: '/api/imports/:id/files',
    access: 'owner',
    summary: 'List the outcome of each file of an import, in order',
    params: idParams('id'),
    query: z.object({
      outcome: Outcome.optional(),
      noted: z.enum(['true', 'false']).default('false').describe('Only files that need attention'),
      cursor: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(200),
    }),
    answers: { 200: listOf(JobFile) },
    async handle(deps, { params, query: { outcome, noted, cursor, limit } }) {
      const items = await deps.content.imports.listOutcomes(await check(deps, params.id), {
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
    summary: 'Upload a batch of files',
    params: idParams('id'),
    body: z.strictObject({ files: z.array(z.strictObject({ path, base64, modified_at })).max(500) }),
    // One file of 50 MB in base64, as any import.
    bodyLimit: '72mb',
    answers: { 200: Received },
    async handle(deps, { params, body: { files } }) {
      const jobId = await check(deps, params.id)
      for (const { path, base64, modified_at } of files) {
        const content = Buffer.from(base64, 'base64')
        await deps.content.imports.addFile(jobId, path, { content, modified_at })
      }
      return { body: { received: files.length } }
    },
  }),

  route({
    method: 'post',
    path: '/api/imports/:id/file',
    access: 'owner',
    summary: 'Upload one file; the request body is its content',
    params: idParams('id'),
    query: z.object({ path: path.optional(), modified_at }),
    answers: { 200: Received },
    async handle(deps, { req, params, query }) {
      const jobId = await check(deps, params.id)
      if (query.path === undefined) throw invalid('path: is missing.')
      const { path, modified_at } = query
      await deps.content.imports.addStream(jobId, path, { content: req, modified_at })
      return { body: { received: 1 } }
    },
  }),

  act('preview', 'Preview an import; writes nothing'),
  act('start', 'Start an import, or resume a stopped one'),
  act('stop', 'Stop an import; imported files stay'),
  act('undo', 'Undo an import, except what has changed since'),
]

const params = idParams('space_id')

const source = z
  .string()
  .min(1)
  .max(500)
  .describe('Name of the source; imports with the same name update the same files')

// A path too long to be stored keeps its own file out, not the call.
const paths = (most: number) => z.array(z.string()).max(most)

export const importRoutes = [
  route({
    method: 'post',
    path: '/api/spaces/:space_id/import',
    access: 'owner',
    summary: 'Import files into a Space; files imported before are updated',
    params,
    body: z.strictObject({
      source,
      files: z.array(z.strictObject({ path: z.string(), base64, modified_at })).max(500),
      gone: paths(200_000).default([]).describe('Missing files from the survey, to detect moved files'),
    }),
    // One file of 50 MB in base64, and what else a call may hold.
    bodyLimit: '72mb',
    bodyValues: 202_000,
    answers: { 200: ImportResult },
    async handle(deps, { actor, params: { space_id }, body }) {
      const space = await enterSpace(deps, actor, space_id)
      const {
        database,
        kinds,
        content: { writer, importFolder },
      } = deps
      const files = body.files.map(({ path, base64, modified_at: modified }) => ({
        path,
        bytes: Buffer.from(base64, 'base64'),
        modified,
      }))
      const { importMail } = deps.mail
      const about = { database, writer, kinds, importFolder, importMail, space_id: space.id }
      return { body: await importFiles({ ...about, source: body.source, files, gone: body.gone }) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/import/survey',
    access: 'owner',
    summary: 'Compare a folder’s file names with an earlier import; changes nothing',
    params,
    body: z.strictObject({ source, present: paths(200_000) }),
    bodyLimit: '32mb',
    bodyValues: 200_010,
    alone: true,
    answers: { 200: Survey },
    async handle(deps, { actor, params: { space_id }, body }) {
      const space = await enterSpace(deps, actor, space_id)
      return { body: await surveyFolder({ database: deps.database, space_id: space.id, ...body }) }
    },
  }),
]
