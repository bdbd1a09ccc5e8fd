import { z } from 'zod'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { defineKind } from './kind.ts'

/** What an agent sends to draft a routine: when it runs and what it does is read from the owner's words. */
export const routineRequestFields = z.object({
  quote: z.string().max(4000).describe('Owner’s words'),
})

/** A routine that the owner asked for in a message. Once approved, it is made, and switched on. */
export const kind = defineKind({
  type: 'routine',
  table: 'routine_requests',
  path: 'routine-requests',
  label: 'routine',
  fields: z.object({
    title: z.string().overwrite(cleanLine).min(1).max(100),
    body: z.string().overwrite(cleanText).min(1).max(20_000),
    schedule: z.string().max(1000),
    time_zone: z.string().max(64),
  }),
  required: ['title', 'body', 'schedule', 'time_zone'],
  effect: {
    editable: ['title', 'body'],
    asks: { fields: routineRequestFields, required: ['quote'] },
  },
  internal: true,
})
