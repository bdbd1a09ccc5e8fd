import { z } from 'zod'
import { actor, count, id, time } from './scalars.ts'

/**
 * Where an entry comes from: a change of an entity (audit log), a call that an agent made, a message of a conversation,
 * a draft that was made, the decision on one, what the glance said.
 */
export const ActivitySource = z.enum(['change', 'call', 'message', 'draft', 'decision', 'glance'])
export type ActivitySource = z.infer<typeof ActivitySource>

/** What happened. */
export const ActivityEntry = z.object({
  id: z.string().describe('`<source>:<id>`; a change is named by its number in the audit log'),
  source: ActivitySource,
  at: time,
  space_id: id.nullable(),
  actor,
  action: z
    .string()
    .describe('`create`, `update` …, the name of the tool, `ask` or `answer`, or what became of a draft'),
  entity_type: z.string().nullable(),
  entity_id: id.nullable(),
  title: z
    .string()
    .describe('The title that the entity has now, or that a draft would give it; empty for what has none'),
  exists: z
    .boolean()
    .describe('Whether the entity exists, be it in the trash; what a draft would make does not'),
  fields: z.array(z.string()).describe('The fields that an update changed'),
  pending_change_id: id.nullable(),
  turn_id: id.nullable(),
  conversation_id: id.nullable(),
  tool_use_id: z.string().nullable().describe('The call of that turn which it was, or which made it'),
  passage: z
    .string()
    .nullable()
    .describe('Of a call: the words of the entity at which what it read or marked begins'),
  status: z
    .enum(['done', 'error', 'cancelled'])
    .nullable()
    .describe('Of a call: `cancelled` when a stop, a limit or the end of the server cut it off'),
  duration_ms: count.nullable().describe('Of a call; `null` when nobody measured it'),
  result: z
    .string()
    .describe(
      'What came of a call, the beginning of a message in plain words, an agent’s note on a draft, the reason of a decision',
    ),
  arguments: z.unknown(),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

/** The last line of an export of the log. */
export const ActivityEnd = z.object({ source: z.literal('end'), count })
export type ActivityEnd = z.infer<typeof ActivityEnd>
