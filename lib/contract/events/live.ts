// What happened, as every open tab is notified of it. An event says that something changed, not what it is now: who shows
// the thing requests it again.

import { z } from 'zod'
import { ChangeAction, ChangeStatus } from '../changes/decision.ts'
import { count, id, version } from '../scalars.ts'

const entityAction = z.enum(['create', 'update', 'delete', 'restore'])

const published = [
  z.object({
    type: z.literal('entity'),
    data: z.object({ kind: z.string(), id, space_id: id, version, action: entityAction }),
  }),
  z.object({ type: z.literal('space'), data: z.object({ id, action: entityAction }) }),
  z.object({
    type: z.literal('change'),
    data: z.object({
      id,
      space_id: id,
      changeset_id: id,
      entity_id: id,
      action: ChangeAction,
      status: ChangeStatus,
      /** Set when what was approved was undone, or redone. */
      undone: z.boolean().optional(),
    }),
  }),
  /** A conversation got another title or summary, was archived, deleted or restored. */
  z.object({
    type: z.literal('conversation'),
    data: z.object({
      id,
      space_id: id,
      state: z.enum(['active', 'archived', 'deleted']),
      rearranged: z.literal(true).optional().describe('Another version of one of its messages is shown'),
    }),
  }),
  /** Mail of a Space came, went or changed, or the state of an account did. */
  z.object({ type: z.literal('mail'), data: z.object({ space_id: id }) }),
  /** A companion was created, changed or deleted. */
  z.object({ type: z.literal('companion'), data: z.object({ id }) }),
  /** The glance says something, what it said is settled, it turned itself off, or its settings were changed. */
  z.object({
    type: z.literal('nudge'),
    data: z.object({
      id: id.nullable(),
      space_id: id,
      state: z.enum(['shown', 'settled', 'off', 'changed']),
      message: z.string().nullable(),
    }),
  }),
  /** A turn over a channel without a screen has made a draft: a page in view may take it and open it. */
  z.object({ type: z.literal('opening'), data: z.object({ id, space_id: id, pending_change_id: id }) }),
  /** How many drafts wait for the owner. */
  z.object({ type: z.literal('inbox'), data: z.object({ count }) }),
  z.object({
    type: z.literal('turn'),
    data: z.object({
      turn_id: id,
      conversation_id: id,
      space_id: id,
      state: z.enum(['queued', 'started', 'ended']),
    }),
  }),
] as const

/** What happens, on this server or another one that shares its database. */
export const Published = z.discriminatedUnion('type', published)
export type Published = z.infer<typeof Published>

export const LiveEvent = z.discriminatedUnion('type', [
  /** First on every connection. `resumed` is false when events may have been missed: reload whatever is shown. */
  z.object({ type: z.literal('hello'), data: z.object({ resumed: z.boolean(), version: z.string() }) }),
  ...published,
])
export type LiveEvent = z.infer<typeof LiveEvent>
