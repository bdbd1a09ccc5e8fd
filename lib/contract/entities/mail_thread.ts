import { z } from 'zod'
import { title } from './fields.ts'
import { defineKind } from './kind.ts'

/** A thread of mail: what the owner has open. Its text are its messages. */
export const kind = defineKind({
  type: 'mail_thread',
  table: 'mail_threads',
  path: 'mail-threads',
  label: 'mail thread',
  fields: z.object({ title: title() }),
  defaults: {},
  proposable: 'no',
  internal: true,
})
