// Research: a question that is answered in stages whose order, budgets and verdicts are code.

import { z } from 'zod'
import { cleanLine, cleanText } from '../core/text/clean.ts'
import { listOf } from './list.ts'
import { count, id, time } from './scalars.ts'

/** How far a run goes; lib/companion/research/run/depths.ts says what each allows. */
export const ResearchDepth = z.enum(['quick', 'standard', 'deep'])
export type ResearchDepth = z.infer<typeof ResearchDepth>

export const ResearchStageName = z.enum([
  'analyze_query',
  'websearch_calibration',
  'retrieve',
  'synthesize',
  'verify',
  'output',
])
export type ResearchStageName = z.infer<typeof ResearchStageName>

const line = (max: number) => z.string().overwrite(cleanLine).max(max)

/** Sub-questions that a plan of any depth may have. */
export const maxSubQuestions = 15

export const ResearchPlan = z.object({
  question: z.string().overwrite(cleanText).min(1).max(4000).describe('The question, restated'),
  sub_questions: z.array(line(500).min(1)).min(1).max(maxSubQuestions),
  criteria: z.array(line(300)).max(10).describe('What would count as an answer'),
  ambiguities: z.array(line(300)).max(10),
  suggested_depth: ResearchDepth.nullable(),
})
export type ResearchPlan = z.infer<typeof ResearchPlan>

/** What the owner may change of a plan: the sub-questions that are searched for, and the depth. */
export const EditedPlan = z.strictObject({
  sub_questions: z.array(line(500).min(1)).min(1).max(maxSubQuestions),
  depth: ResearchDepth.optional().describe('Left out: as it is'),
})
export type EditedPlan = z.infer<typeof EditedPlan>

/** What a run may cost in all. */
export const ResearchBudget = z.strictObject({
  usd: z.number().positive().max(1000).describe('In US dollars; counts where the model has a price'),
  tokens: z.int().positive().max(50_000_000),
})
export type ResearchBudget = z.infer<typeof ResearchBudget>

/**
 * What a message has to do with research: it begins a run, or it answers one that waits. Without `go_on` its words say
 * what is wanted: to go on, to cancel, or another plan.
 */
export const ResearchAsk = z.union([
  z.strictObject({ depth: ResearchDepth, rerun_of: id.nullable().default(null) }),
  z.strictObject({
    run_id: id,
    go_on: z.boolean(),
    plan: EditedPlan.nullable().default(null),
    budget: ResearchBudget.partial().nullable().default(null),
  }),
])
export type ResearchAsk = z.infer<typeof ResearchAsk>

const Counts = z.record(z.string(), count)

/** A stage begins, ends or waits; sent with the events of the turn that carries the run. */
export const ResearchEvent = z.object({
  run_id: id,
  stage: ResearchStageName,
  status: z.enum(['started', 'done', 'paused', 'failed', 'skipped']),
  summary: z.string().optional(),
  cost: z.number().optional().describe('Of the run so far, in US dollars; left out without a price'),
  counts: Counts.optional(),
  duration_ms: count.optional(),
})
export type ResearchEvent = z.infer<typeof ResearchEvent>

/** `elsewhere` never stays: its numbers are repaired. `nowhere`: no passage says so. */
export const ResearchVerdict = z.enum([
  'supported',
  'partly',
  'elsewhere',
  'nowhere',
  'disputed',
  'unchecked',
])
export type ResearchVerdict = z.infer<typeof ResearchVerdict>

export const ResearchClaim = z.object({
  id: z.string(),
  section: z.string(),
  text: z.string(),
  cites: z.array(z.string()).describe('Numbers of the ledger'),
  verdict: ResearchVerdict,
  reasons: z.array(z.string()),
  score: z.number(),
  against: z.array(z.string()).describe('Passages that say otherwise'),
  opinion: z.string().nullable().describe('What a model thinks of it; null: it was not asked'),
})
export type ResearchClaim = z.infer<typeof ResearchClaim>

/** Of a passage that an earlier run of the thread found: where, and what its answer says with it. */
const EarlierPassage = z.object({
  run_id: id,
  n: z.string(),
  claims: z.array(z.object({ section: z.string(), text: z.string(), verdict: ResearchVerdict })),
})

/** A passage of the ledger. */
export const ResearchEvidence = z.object({
  n: z.string(),
  entity_type: z.string(),
  entity_id: id,
  ordinal: count,
  title: z.string(),
  text: z.string(),
  sha256: z.string(),
  origin: z.string().nullable().describe('`earlier_answer`: an earlier run of the thread has found it'),
  earlier: EarlierPassage.nullable(),
  untrusted: z.boolean(),
  address: z.string().nullable().describe('Of a page of the web; its text is that of the stored tool result'),
  sub_questions: z.array(count).describe('Which of the plan it was found for, from 0'),
  quotes: z.array(z.string()).describe('For each of those the line that answers best; empty where none does'),
})
export type ResearchEvidence = z.infer<typeof ResearchEvidence>

export const ResearchScores = z.object({
  citation: z.number(),
  entities: z.number(),
  relations: z.number(),
  contradictions: count,
})
export type ResearchScores = z.infer<typeof ResearchScores>

const ResearchConflict = z.object({
  a: z.string(),
  b: z.string(),
  about: z.string(),
  values: z.tuple([z.string(), z.string()]),
})
export type ResearchConflict = z.infer<typeof ResearchConflict>

const ResearchStatus = z.enum(['running', 'paused', 'stopped', 'failed', 'done'])

/**
 * `answered`: every threshold is met. `unverified`: some are not, and the answer says so. `evidence`: quotations without
 * an answer. `nothing_found`: no passage at all.
 */
export const ResearchOutcome = z.enum(['answered', 'unverified', 'evidence', 'nothing_found'])
export type ResearchOutcome = z.infer<typeof ResearchOutcome>

export const ResearchStage = z.object({
  seq: count,
  stage: ResearchStageName,
  status: z.enum(['started', 'done', 'paused', 'failed', 'skipped', 'stopped']),
  summary: z.string(),
  counts: Counts,
  tokens: count,
  cost: z.number().nullable(),
  started_at: time,
  finished_at: time.nullable(),
})
export type ResearchStage = z.infer<typeof ResearchStage>

const maxLabels = 10

/** Words by which the owner finds runs again; each once. */
export const ResearchLabels = z
  .array(line(50).min(1))
  .max(maxLabels)
  .transform((labels) => [...new Set(labels)])

/** A run in a list. */
export const ResearchItem = z.object({
  id,
  space_id: id,
  conversation_id: id,
  turn_id: id.describe('The turn that carried it last'),
  previous_id: id.nullable().describe('The run that it repeats'),
  title: z.string(),
  question: z.string(),
  depth: ResearchDepth,
  labels: z.array(z.string()),
  status: ResearchStatus,
  pause: z.enum(['plan', 'calibration', 'budget']).nullable().describe('What a paused run waits for'),
  outcome: ResearchOutcome.nullable(),
  archived_at: time.nullable(),
  created_at: time,
  updated_at: time,
  finished_at: time.nullable(),
})
export type ResearchItem = z.infer<typeof ResearchItem>

export const ResearchList = listOf(ResearchItem)
export type ResearchList = z.infer<typeof ResearchList>

export const ResearchRun = ResearchItem.extend({
  plan: ResearchPlan.nullable(),
  stages: z.array(ResearchStage),
  counts: z.object({ evidence: count, claims: count, supported: count }),
  claims: z.array(ResearchClaim),
  scores: ResearchScores.nullable(),
  conflicts: z.array(ResearchConflict),
  cost: z.object({
    usd: z.number().nullable().describe('null: the model has no price'),
    tokens: count,
  }),
  budget: ResearchBudget,
  pending_change_id: id.nullable().describe('The draft of the page'),
  cited_passages: z
    .object({ total: count, changed: count })
    .describe('Those of the Space; `changed`: their source no longer has that text'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  break_out: z
    .string()
    .nullable()
    .describe('The beginning of a message for which the run may be left, to be confirmed; null: none'),
})
export type ResearchRun = z.infer<typeof ResearchRun>

export const ResearchReference = z.object({
  n: z.int().min(1),
  evidence: z.string().describe('Its number in the ledger'),
  entity_type: z.string(),
  entity_id: id,
  ordinal: count,
  title: z.string(),
  address: z.string().optional().describe('Of a page of the web'),
  earlier: z
    .object({ run_id: id, section: z.string().nullable() })
    .optional()
    .describe(
      'The section of an earlier answer in the thread that cites this passage; null: that answer does not',
    ),
  quote: z.string(),
})
export type ResearchReference = z.infer<typeof ResearchReference>

/** The answer of a finished run. */
export const ResearchAnswer = z.object({
  run_id: id,
  question: z.string(),
  depth: ResearchDepth,
  outcome: ResearchOutcome,
  sections: z.array(
    z.object({
      heading: z.string(),
      claims: z.array(
        z.object({ text: z.string(), refs: z.array(z.int().min(1)), verdict: ResearchVerdict }),
      ),
    }),
  ),
  references: z.array(ResearchReference),
  not_found: z.array(z.string()),
  conflicts: z.array(ResearchConflict),
  scores: ResearchScores.nullable(),
  markdown: z.string(),
})
export type ResearchAnswer = z.infer<typeof ResearchAnswer>

export const ResearchSummary = z.object({ run_id: id, status: ResearchStatus, summary: z.string() })
export type ResearchSummary = z.infer<typeof ResearchSummary>
