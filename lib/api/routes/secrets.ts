import { z } from 'zod'
import { SealedSecrets } from '../../auth/secrets/passphrase.ts'
import { secretName } from '../../auth/secrets/sealer.ts'
import { Secret } from '../../contract/auth.ts'
import { listOf } from '../../contract/list.ts'
import { requireConfirmation } from '../browser-session.ts'
import { route } from '../route.ts'

const byName = z.object({ name: z.string() })
const passphrase = z.string().min(12).max(1000)

/** The owner's secrets: written, used by Void, and never read back. */
export const secretRoutes = [
  route({
    method: 'get',
    path: '/api/secrets',
    access: 'owner',
    summary: 'List secrets without their values',
    answers: { 200: listOf(Secret) },
    async handle({ secrets }) {
      return { body: { items: await secrets.list(), next_cursor: null } }
    },
  }),

  route({
    method: 'put',
    path: '/api/secrets/:name',
    access: 'owner',
    summary: 'Create or replace a secret',
    params: byName,
    bodyLimit: '1mb',
    body: z.strictObject({ value: z.string().max(100_000) }),
    answers: { 204: 'Stored' },
    async handle({ secrets }, { req, params: { name }, body: { value } }) {
      await secrets.put(name, value)
      req.log.info({ address: req.ip, secret: name }, 'secret stored')
      return { status: 204 }
    },
  }),

  route({
    method: 'delete',
    path: '/api/secrets/:name',
    access: 'owner',
    summary: 'Delete a secret permanently',
    params: z.object({ name: z.string().regex(secretName) }),
    answers: { 204: 'Deleted' },
    async handle({ secrets }, { req, params: { name } }) {
      await secrets.remove(name)
      req.log.info({ address: req.ip, secret: name }, 'secret deleted')
      return { status: 204 }
    },
  }),

  route({
    method: 'post',
    path: '/api/secrets/rotate',
    access: 'owner',
    summary: 'Re-encrypt all secrets; creates a new master key if it is stored in the data folder',
    answers: { 200: z.object({ rotated: z.int() }) },
    async handle({ secrets }, { req }) {
      const rotated = await secrets.rotate()
      req.log.info({ address: req.ip, rotated }, 'secrets rotated')
      return { body: { rotated } }
    },
  }),

  route({
    method: 'post',
    path: '/api/secrets/export',
    access: 'owner',
    summary: 'Export all secrets, encrypted with a passphrase',
    body: z.strictObject({ passphrase }),
    answers: { 200: SealedSecrets },
    async handle({ secrets, server }, { actor, req, body }) {
      await requireConfirmation({ server }, actor)
      req.log.info({ address: req.ip }, 'secrets exported')
      return { body: await secrets.exportAll(body.passphrase) }
    },
  }),

  route({
    method: 'post',
    path: '/api/secrets/import',
    access: 'owner',
    summary: 'Import secrets from an export; replaces secrets of the same names',
    bodyLimit: '50mb',
    body: z.strictObject({ passphrase, file: SealedSecrets }),
    answers: { 200: z.object({ imported: z.int() }) },
    async handle({ secrets }, { req, body }) {
      const imported = await secrets.importAll(body.file, body.passphrase)
      req.log.info({ address: req.ip, imported }, 'secrets imported')
      return { body: { imported } }
    },
  }),
]
