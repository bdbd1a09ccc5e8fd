// The rules of research as data: what each depth allows, which scores an answer has to reach, and the prompts of its
// stages. The owner can set each for a companion; what is not set is the default.

import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { maxSubQuestions, type ResearchDepth } from '../research.ts'

const count = (min: number, max: number) => z.int().min(min).max(max)

/** What a run of one depth may do. */
export const DepthSettings = z.strictObject({
  sub_questions: count(1, maxSubQuestions).describe('Maximum number of sub-questions of a plan'),
  passages: count(1, 50).describe('Passages retrieved for each sub-question'),
  context_characters: count(4000, 200_000).describe(
    'Characters of all passages together, about four to a token',
  ),
  repairs: count(0, 5).describe('How often an answer that fails verification is written again'),
  calibrates: z.boolean().describe('Check the terms of the plan against the Space before retrieval'),
  searches_web: z.boolean().describe('Search connected sources, such as the web'),
  max_claims: count(1, 200).describe('Maximum number of claims in an answer'),
  budget_usd: z.number().min(0.01).max(1000).describe('Budget of a run, in US dollars'),
  budget_tokens: count(10_000, 10_000_000).describe('Budget of a run, in tokens'),
})
export type DepthSettings = z.infer<typeof DepthSettings>

const share = z.number().min(0).max(1)

/** Scores that an answer has to reach; one that does not says so. */
export const ResearchThresholds = z.strictObject({
  citation: share.describe('Share of claims that their passages support'),
  entities: share.describe('Share of names and values that the passages contain'),
  relations: share.describe('Share of claims that are supported and not turned around'),
})
export type ResearchThresholds = z.infer<typeof ResearchThresholds>

/** The keys of the JSON that a stage expects, which its prompt has to ask for. */
const promptKeys = {
  plan: ['sub_questions'],
  terms: ['corrections', 'sub_question'],
  answer: ['sections', 'claims', 'cites'],
  judge: ['verdicts', 'sentences'],
} as const

export type ResearchPromptName = keyof typeof promptKeys

/** Maximum length of a prompt of a stage, in characters. */
const maxResearchPrompt = 8000

const prompt = (name: ResearchPromptName, about: string) =>
  z
    .string()
    .overwrite(cleanText)
    .max(maxResearchPrompt)
    .refine((text) => promptKeys[name].every((key) => text.includes(key)), {
      error: `must ask for JSON with ${promptKeys[name].join(', ')}`,
    })
    .describe(about)

/** The prompts of the stages that ask a model. */
const ResearchPrompts = z.strictObject({
  plan: prompt('plan', 'Plans the search'),
  terms: prompt('terms', 'Corrects the terms of the plan'),
  answer: prompt('answer', 'Writes the answer from passages'),
  judge: prompt('judge', 'Judges whether claims are supported'),
})

const ofDepths = <Depth extends z.ZodType>(depth: Depth) =>
  z.strictObject({ quick: depth, standard: depth, deep: depth } satisfies Record<ResearchDepth, Depth>)

/** All rules of research, each with a value. */
export const ResearchRules = z.strictObject({
  depths: ofDepths(DepthSettings),
  thresholds: ResearchThresholds,
  prompts: ResearchPrompts,
})
export type ResearchRules = z.infer<typeof ResearchRules>

/** The values that the owner has set for a companion. */
export const ResearchOverrides = z.strictObject({
  depths: ofDepths(DepthSettings.partial().optional()).optional(),
  thresholds: ResearchThresholds.partial().optional(),
  prompts: ResearchPrompts.partial().optional(),
})
export type ResearchOverrides = z.infer<typeof ResearchOverrides>

const resettable = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(shape).map(([name, value]) => [name, (value as z.ZodType).nullable().optional()]),
    ),
  )

/** New values; `null` resets one to its default. */
export const ResearchSettingsChange = z.strictObject({
  depths: ofDepths(resettable(DepthSettings).nullable().optional()).nullable().optional(),
  thresholds: resettable(ResearchThresholds).nullable().optional(),
  prompts: resettable(ResearchPrompts).nullable().optional(),
})
export type ResearchSettingsChange = z.infer<typeof ResearchSettingsChange>

/** The rules of research of a companion. */
export const ResearchSettings = ResearchRules.extend({
  agent_id: z.uuid(),
  overrides: ResearchOverrides.describe('Values that differ from the defaults because the owner set them'),
  defaults: ResearchRules,
})
export type ResearchSettings = z.infer<typeof ResearchSettings>
