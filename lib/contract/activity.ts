import { z } from 'zod'
import { actor, count, id, time } from './scalars.ts'

/**
 * Source of an activity entry: an entity change (audit log), an agent's tool call, a conversation message, a new draft,
 * a decision on a draft, or a glance.
 */
export const ActivitySource = z.enum(['change', 'call', 'message', 'draft', 'decision', 'glance'])
export type ActivitySource = z.infer<typeof ActivitySource>

/** An entry of the activity log. */
export const ActivityEntry = z.object({
  id: z.string().describe('`<source>:<id>`; for a change, the id is its sequence number in the audit log'),
  source: ActivitySource,
  at: time,
  space_id: id.nullable(),
  actor,
  action: z
    .string()
    .describe(
      'An entity action (`create`, `update` …), a tool name, `ask`, `answer`, or the status of a draft',
    ),
  entity_type: z.string().nullable(),
  entity_id: id.nullable(),
  title: z
    .string()
    .describe('Current title of the entity, or the title proposed by a draft; empty if there is none'),
  exists: z
    .boolean()
    .describe(
      '`true` if the entity exists, including in the trash; `false` for an entity that a draft would create',
    ),
  fields: z.array(z.string()).describe('Names of the fields changed by an update'),
  pending_change_id: id.nullable(),
  turn_id: id.nullable(),
  conversation_id: id.nullable(),
  tool_use_id: z
    .string()
    .nullable()
    .describe('Id of the tool call that this entry records or that created it'),
  passage: z
    .string()
    .nullable()
    .describe('For a call: the first words of the passage that it read or marked'),
  status: z
    .enum(['pending', 'done', 'error', 'cancelled'])
    .nullable()
    .describe(
      'Call status; `pending` while it runs, `cancelled` if a stop request, a limit or a server shutdown interrupted it',
    ),
  duration_ms: count.nullable().describe('Call duration in milliseconds; `null` if not measured'),
  result: z
    .string()
    .describe(
      'Summary of a call’s result, plain-text start of a message, the agent’s note on a draft, or the reason for a decision',
    ),
  arguments: z
    .unknown()
    .describe(
      'Of a call its arguments; of an answer its `model` and `prompt_hash`, the wording of prompt and tools',
    ),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

/** Last line of an activity log export. */
export const ActivityEnd = z.object({ source: z.literal('end'), count })
export type ActivityEnd = z.infer<typeof ActivityEnd>
