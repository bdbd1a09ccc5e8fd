import { z } from 'zod'
import { ImportResult, Survey } from '../../contract/imports.ts'
import { importFiles } from '../../files/import/import-files.ts'
import { surveyFolder } from '../../files/import/survey.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const params = idParams('space_id')
const source = z
  .string()
  .min(1)
  .max(500)
  .describe('Whose files they are; the same name finds the same files again')
// A path too long to be stored keeps its own file out, not the call.
const paths = (most: number) => z.array(z.string()).max(most)
const base64 = z.string().refine((text) => !/[^A-Za-z0-9+/=]/.test(text), 'must be base64')

export const importRoutes = [
  route({
    method: 'post',
    path: '/api/spaces/:space_id/import',
    access: 'owner',
    summary: 'Import files into a Space; known ones are updated',
    params,
    body: z.strictObject({
      source,
      files: z.array(z.strictObject({ path: z.string(), base64 })).max(500),
      gone: paths(200_000).default([]).describe('From the survey, so that moved files are recognised'),
    }),
    // One file of 50 MB in base64, and what else a call may hold.
    bodyLimit: '96mb',
    answers: { 200: ImportResult },
    async handle(deps, { actor, params: { space_id }, body }) {
      const space = await enterSpace(deps, actor, space_id)
      const {
        database,
        kinds,
        content: { writer, importFolder },
      } = deps
      const files = body.files.map((file) => ({ path: file.path, bytes: Buffer.from(file.base64, 'base64') }))
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
    bodyLimit: '96mb',
    answers: { 200: Survey },
    async handle(deps, { actor, params: { space_id }, body }) {
      const space = await enterSpace(deps, actor, space_id)
      return { body: await surveyFolder({ database: deps.database, space_id: space.id, ...body }) }
    },
  }),
]
