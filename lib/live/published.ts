import { z } from 'zod'
import type { ChangeAction, ChangeStatus } from '../contract/card.ts'
import type { LiveEvent } from '../contract/live.ts'

/** What happens, as it is told; `hello` belongs to a connection. */
export type Published = Exclude<LiveEvent, { type: 'hello' }>

const entityAction = z.enum(['create', 'update', 'delete', 'restore'])

/** The same as another server's words are read. */
export const published = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('entity'),
    data: z.object({
      kind: z.string(),
      id: z.string(),
      space_id: z.string(),
      version: z.number(),
      action: entityAction,
    }),
  }),
  z.object({ type: z.literal('space'), data: z.object({ id: z.string(), action: entityAction }) }),
  z.object({
    type: z.literal('change'),
    data: z.object({
      id: z.string(),
      space_id: z.string(),
      changeset_id: z.string(),
      entity_id: z.string(),
      action: z.custom<ChangeAction>((value) => typeof value === 'string'),
      status: z.custom<ChangeStatus>((value) => typeof value === 'string'),
      undone: z.boolean().exactOptional(),
    }),
  }),
  z.object({
    type: z.literal('conversation'),
    data: z.object({
      id: z.string(),
      space_id: z.string(),
      state: z.enum(['active', 'archived', 'deleted']),
    }),
  }),
  z.object({ type: z.literal('inbox'), data: z.object({ count: z.number() }) }),
  z.object({
    type: z.literal('turn'),
    data: z.object({
      turn_id: z.string(),
      conversation_id: z.string(),
      space_id: z.string(),
      state: z.enum(['queued', 'started', 'ended']),
    }),
  }),
]) satisfies z.ZodType<Published>
