// Research: answers a question in stages. Order, budgets and verdicts of the stages are determined by code.

import { z } from 'zod'
import { cleanLine, cleanText } from '../core/text/clean.ts'
import { listOf } from './list.ts'
import { count, id, time } from './scalars.ts'

/** Research depth. The default limits of each are in lib/companion/research/run/depths.ts. */
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

/** Maximum number of sub-questions in a plan of any depth. */
export const maxSubQuestions = 15

export const ResearchPlan = z.object({
  question: z.string().overwrite(cleanText).min(1).max(4000).describe('The question, restated'),
  sub_questions: z.array(line(500).min(1)).min(1).max(maxSubQuestions),
  criteria: z.array(line(300)).max(10).describe('Criteria for a complete answer'),
  ambiguities: z.array(line(300)).max(10),
  suggested_depth: ResearchDepth.nullable(),
})
export type ResearchPlan = z.infer<typeof ResearchPlan>

/** Owner-editable parts of a plan: the sub-questions to search for, and the depth. */
export const EditedPlan = z.strictObject({
  sub_questions: z.array(line(500).min(1)).min(1).max(maxSubQuestions),
  depth: ResearchDepth.optional().describe('Default: unchanged'),
})
export type EditedPlan = z.infer<typeof EditedPlan>

/** Total budget of a run. */
export const ResearchBudget = z.strictObject({
  usd: z.number().positive().max(1000).describe('Limit in US dollars; applies only if the model has a price'),
  tokens: z.int().positive().max(50_000_000),
})
export type ResearchBudget = z.infer<typeof ResearchBudget>

/**
 * Research request of a message: starts a run, or continues one that is paused, stopped or failed. Without `go_on` and
 * `plan`, the text decides what happens to a paused run: continue, cancel, change the plan, or leave the run.
 */
export const ResearchAsk = z.union([
  z.strictObject({
    depth: ResearchDepth,
    rerun_of: id.nullable().default(null),
    asked_by: z
      .strictObject({ agent_id: id, question: z.string().min(1).max(4000) })
      .optional()
      .describe('The external agent that started the run, and its words; absent: the owner'),
  }),
  z.strictObject({
    run_id: id,
    go_on: z.boolean(),
    plan: EditedPlan.nullable().default(null),
    budget: ResearchBudget.partial().nullable().default(null),
  }),
])
export type ResearchAsk = z.infer<typeof ResearchAsk>

const Counts = z.record(z.string(), count)

/** Stage progress, sent with the events of the turn that carries the run. */
export const ResearchEvent = z.object({
  run_id: id,
  stage: ResearchStageName,
  status: z.enum(['started', 'done', 'paused', 'failed', 'skipped']),
  summary: z.string().optional(),
  cost: z
    .number()
    .optional()
    .describe('Cost of the run so far in US dollars; omitted if the model has no price'),
  counts: Counts.optional(),
  duration_ms: count.optional(),
})
export type ResearchEvent = z.infer<typeof ResearchEvent>

/**
 * `quoted`: a cited passage has it word for word. `judged`: a judge calls it supported, by sentences that stand there.
 * `contradicted`: a judge or another cited passage says otherwise. `elsewhere` is temporary: the citations are then
 * corrected. `unchecked`: everything else. The others are of runs that an earlier version checked, by rules alone.
 */
export const ResearchVerdict = z.enum([
  ...['quoted', 'judged', 'contradicted', 'elsewhere', 'unchecked'],
  ...['supported', 'partly', 'nowhere', 'disputed'],
] as const)
export type ResearchVerdict = z.infer<typeof ResearchVerdict>

export const ResearchClaim = z.object({
  id: z.string(),
  section: z.string(),
  text: z.string(),
  cites: z.array(z.string()).describe('Ledger numbers of the cited passages'),
  verdict: ResearchVerdict,
  reasons: z.array(z.string()),
  sentences: z.array(z.string()).describe('Sentences of the passages that it rests on'),
  against: z.array(z.string()).describe('Ledger numbers of contradicting passages'),
  judge: z
    .object({
      model: z.string(),
      verdict: z.enum(['supported', 'contradicted', 'not_enough']),
      missing: z.string(),
    })
    .nullable()
    .describe('What a model said of it; null: none was asked, or its answer could not be used'),
})
export type ResearchClaim = z.infer<typeof ResearchClaim>

/** Earlier use of a passage: the run of this thread that found it, and the claims of its answer that cite it. */
const EarlierPassage = z.object({
  run_id: id,
  n: z.string(),
  claims: z.array(z.object({ section: z.string(), text: z.string(), verdict: ResearchVerdict })),
})

/** A passage in the evidence ledger. */
export const ResearchEvidence = z.object({
  n: z.string(),
  entity_type: z.string(),
  entity_id: id,
  ordinal: count,
  title: z.string(),
  text: z.string(),
  sha256: z.string(),
  origin: z
    .string()
    .nullable()
    .describe('Origin of the passage; `earlier_answer`: found by an earlier run of the thread'),
  earlier: EarlierPassage.nullable(),
  untrusted: z.boolean(),
  heading: z.string().describe('Headings above the passage, outermost first'),
  address: z.string().nullable().describe('URL of a web page; its text is in the stored tool result'),
  sub_questions: z
    .array(count)
    .describe('Zero-based indexes of the plan’s sub-questions that it was found for'),
  quotes: z
    .array(z.string())
    .describe('Best matching line for each of these sub-questions; empty if there is none'),
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
 * `checked`: every claim is quoted or judged supported, and none contradicted. `disputed`: one is contradicted.
 * `nothing_found`: no passages. `stopped`: there is no answer. The others are of runs of an earlier version.
 */
export const ResearchOutcome = z.enum([
  ...['checked', 'partly_checked', 'disputed', 'nothing_found', 'stopped'],
  ...['answered', 'unverified', 'evidence'],
] as const)
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

/** Owner-defined labels of a run or a conversation, without duplicates in any case. */
export const ResearchLabels = z
  .array(line(50).min(1))
  .max(maxLabels)
  .transform((labels) =>
    [...Map.groupBy(labels, (label) => label.toLowerCase()).values()].map(([first]) => first!),
  )

/** A research run in a list. */
export const ResearchItem = z.object({
  id,
  space_id: id,
  conversation_id: id,
  turn_id: id.describe('Most recent turn that carried the run'),
  previous_id: id.nullable().describe('The run that this run repeats'),
  asked_by: id.nullable().describe('The external agent that started the run; null: the owner'),
  title: z.string(),
  question: z.string(),
  depth: ResearchDepth,
  labels: z.array(z.string()),
  status: ResearchStatus,
  pause: z.enum(['plan', 'calibration', 'budget']).nullable().describe('Reason a run is paused'),
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
    usd: z.number().nullable().describe('Cost in US dollars; null: the model has no price'),
    tokens: count,
  }),
  budget: ResearchBudget,
  pending_change_id: id.nullable().describe('Draft of the page with the answer'),
  cited_passages: z
    .object({ total: count, changed: count })
    .describe('Cited passages from the Space; `changed`: passages whose source no longer contains the text'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  break_out: z.string().nullable().describe('Start of a message that waits to leave the run; null: none'),
})
export type ResearchRun = z.infer<typeof ResearchRun>

export const ResearchReference = z.object({
  n: z.int().min(1),
  evidence: z.string().describe('Ledger number of the passage'),
  entity_type: z.string(),
  entity_id: id,
  ordinal: count,
  title: z.string(),
  address: z.string().optional().describe('URL of a web page'),
  earlier: z
    .object({ run_id: id, section: z.string().nullable() })
    .optional()
    .describe('Section of an earlier answer in the thread that cites this passage; null: not cited there'),
  quote: z.string(),
})
export type ResearchReference = z.infer<typeof ResearchReference>

/** Answer of a finished run. */
export const ResearchAnswer = z.object({
  run_id: id,
  question: z.string(),
  depth: ResearchDepth,
  outcome: ResearchOutcome,
  sections: z.array(
    z.object({
      heading: z.string(),
      claims: z.array(
        z.object({
          text: z.string(),
          refs: z.array(z.int().min(1)),
          quotes: z.array(z.string()).optional().describe('Sentence that supports it, per ref'),
          verdict: ResearchVerdict,
        }),
      ),
    }),
  ),
  references: z.array(ResearchReference),
  not_found: z.array(z.string()),
  conflicts: z.array(ResearchConflict),
  scores: ResearchScores.nullable(),
  thresholds: z
    .record(z.enum(['citation', 'entities', 'relations']), z.number())
    .optional()
    .describe('Scores that it had to reach. Default: those of an answer before they were stored'),
  judge: z.string().nullable().optional().describe('Model that judged claims; null: none did'),
  quotations_only: z.boolean().optional().describe('Whether passages are quoted in place of an answer'),
  markdown: z.string(),
})
export type ResearchAnswer = z.infer<typeof ResearchAnswer>

export const ResearchSummary = z.object({ run_id: id, status: ResearchStatus, summary: z.string() })
export type ResearchSummary = z.infer<typeof ResearchSummary>
