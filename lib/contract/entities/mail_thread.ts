import { z } from 'zod'
import { title } from './fields.ts'
import { defineKind } from './kind.ts'

/** A mail thread, as opened by the owner. Its text is in its messages. */
export const kind = defineKind({
  type: 'mail_thread',
  table: 'mail_threads',
  path: 'mail-threads',
  label: 'mail thread',
  fields: z.object({ title: title() }),
  defaults: {},
  proposable: false,
  internal: true,
})
