// Live events sent to all open tabs. An event reports that something changed, not its new state: clients that show it
// request it again.

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
      /** Set when an approved change is undone or redone. */
      undone: z.boolean().optional(),
    }),
  }),
  /** A conversation's title or summary changed, or it was archived, deleted or restored. */
  z.object({
    type: z.literal('conversation'),
    data: z.object({
      id,
      space_id: id,
      state: z.enum(['active', 'archived', 'deleted']),
      rearranged: z
        .literal(true)
        .optional()
        .describe('Set when another version of one of its messages becomes the shown one'),
    }),
  }),
  /** Mail of a Space or the state of a mail account changed. */
  z.object({ type: z.literal('mail'), data: z.object({ space_id: id }) }),
  /** A companion was created, changed or deleted. */
  z.object({ type: z.literal('companion'), data: z.object({ id }) }),
  /** A nudge was shown or settled, the glance turned itself off, or its settings changed. */
  z.object({
    type: z.literal('nudge'),
    data: z.object({
      id: id.nullable(),
      space_id: id,
      state: z.enum(['shown', 'settled', 'off', 'changed']),
      message: z.string().nullable(),
    }),
  }),
  /** A routine was changed or switched itself off, or one of its runs started or ended. */
  z.object({
    type: z.literal('routine'),
    data: z.object({
      id,
      space_id: id,
      run_id: id.nullable(),
      state: z.enum(['changed', 'started', 'ended', 'paused']),
    }),
  }),
  /** A draft was created over a channel without a screen; a visible tab may claim and open it. */
  z.object({ type: z.literal('opening'), data: z.object({ id, space_id: id, pending_change_id: id }) }),
  /** Number of drafts awaiting the owner's decision. */
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

/** Events published by any server that shares the database. */
export const Published = z.discriminatedUnion('type', published)
export type Published = z.infer<typeof Published>

export const LiveEvent = z.discriminatedUnion('type', [
  /** First event of every connection. `resumed` is false if events may have been missed: clients reload their content. */
  z.object({ type: z.literal('hello'), data: z.object({ resumed: z.boolean(), version: z.string() }) }),
  ...published,
])
export type LiveEvent = z.infer<typeof LiveEvent>
