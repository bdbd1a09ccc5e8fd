// Routines: what a companion does on a schedule or after an event, and the runs of one.

import { z } from 'zod'
import { isTimeZone } from '../../core/schedule/zoned.ts'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { ChangeStatus } from '../changes/decision.ts'
import { count, id, time } from '../scalars.ts'
import { readyNames } from './ready-routines.ts'

/** Of a Space, with those that are approved and yet to be made. */
export const maxRoutines = 1000

const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00')

const zone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
  .describe('IANA time zone')

const schedule = z
  .string()
  .max(1000)
  .describe(
    'Recurrence rule of RFC 5545 with BYHOUR and BYMINUTE, such as FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
  )

const event = z
  .enum(['mail', 'page', 'import'])
  .describe('mail: mail arrived; page: a page changed; import: an import ended')

const filter = z
  .string()
  .overwrite(cleanLine)
  .max(200)
  .describe(
    'Of mail, words of the sender’s name or address; of pages, the title of the page above them. Empty: all',
  )

export const RoutineWhen = z.union([
  z.strictObject({ schedule, time_zone: zone.optional().describe('Default: the owner’s') }),
  z.strictObject({ event, filter: filter.optional() }),
])
export type RoutineWhen = z.infer<typeof RoutineWhen>

const Quiet = z.strictObject({ from: clock, until: clock.describe('May be the next morning') })

const usd = z.number().min(0).max(1000)

const chosen = {
  name: z.string().overwrite(cleanLine).min(1).max(100),
  instruction: z
    .string()
    .overwrite(cleanText)
    .max(20_000)
    .refine((text) => text.trim() !== '', 'must not be empty')
    .describe('Markdown; may name pages'),
  when: RoutineWhen,
  agent_id: id.nullable().describe('Companion; null: the one in use in the Space'),
  model: z.string().overwrite(cleanLine).min(1).max(200).nullable().describe('null: the companion’s'),
  budget_usd: usd.describe('Maximum cost of a run in US dollars; 0: no model is called'),
  daily_budget_usd: usd
    .nullable()
    .describe('Maximum cost of all its runs of a day; null: no limit of its own'),
  quiet_hours: Quiet.nullable().describe('Hours in which no run starts, in the time zone of the routine'),
  enabled: z.boolean(),
}

const ready = z
  .enum(readyNames)
  .describe('Ready-made: what it looks for is found by code, with a model or without')

const { name, instruction, when, ...options } = chosen

export const NewRoutine = z.strictObject({
  name,
  instruction,
  when,
  ready: ready.optional(),
  ...z.object(options).partial().shape,
})
export type NewRoutine = z.infer<typeof NewRoutine>

export const RoutineChange = z.object(chosen).partial().strict()
export type RoutineChange = z.infer<typeof RoutineChange>

export const Routine = z.object({
  id,
  space_id: id,
  name: z.string(),
  instruction: z.string(),
  ready: ready.nullable(),
  when: z.union([
    z.object({ schedule: z.string(), time_zone: z.string() }),
    z.object({ event, filter: z.string() }),
  ]),
  agent_id: id.nullable(),
  model: z.string().nullable(),
  budget_usd: z.number(),
  daily_budget_usd: z.number().nullable(),
  quiet_hours: z.object({ from: z.string(), until: z.string() }).nullable(),
  enabled: z.boolean(),
  paused_reason: z.string().nullable().describe('Why it switched itself off; null: it did not'),
  next_due_at: time.nullable().describe('Next scheduled time; null: none, or switched off'),
  expected_monthly_usd: z
    .number()
    .nullable()
    .describe(
      'Runs of the next 30 days at the average cost of recent runs, else at the budget; null: after events',
    ),
  week: z.string().describe('What the runs of the last seven days came to, in one line'),
  conversation_id: id.nullable().describe('Thread of its answers; null: it has not run'),
  created_at: time,
  updated_at: time,
})
export type Routine = z.infer<typeof Routine>

const RoutineRunStatus = z.enum(['running', 'done', 'nothing_to_do', 'failed', 'skipped'])

export const RoutineRun = z.object({
  id,
  routine_id: id,
  status: RoutineRunStatus,
  due_at: time,
  started_by: z.enum(['schedule', 'event', 'owner']),
  dry_run: z.boolean(),
  attempt: count,
  started_at: time.nullable().describe('null: it was skipped'),
  ended_at: time.nullable(),
  turn_id: id.nullable(),
  draft_ids: z.array(id),
  drafts: z.array(z.object({ id, status: ChangeStatus })).describe('What became of its drafts'),
  cost_usd: z.number().nullable().describe('null: no model was asked, or its price is unknown'),
  problem: z.string().nullable(),
})
export type RoutineRun = z.infer<typeof RoutineRun>

export const StartedRoutine = z.object({ turn_id: id, conversation_id: id })

/** Marks the message of a routine's run. */
export const RoutineMark = z.object({
  run_id: id,
  routine_id: id,
  name: z.string(),
  dry: z.boolean(),
  ready: ready.optional(),
})
export type RoutineMark = z.infer<typeof RoutineMark>
