// Stage 1: the terms of the plan, held against what the Space, and a source that searches, call things. It waits for the owner only when it changed
// something.

import { z } from 'zod'
import type { ResearchPlan } from '../../../contract/research.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { createFinder } from '../run/find-passages.ts'
import { type Stage, type StageContext, waitAt } from '../run/stage.ts'

const answer = z.object({
  corrections: z
    .array(
      z.object({
        index: z.int().min(0).max(100),
        sub_question: z.string().overwrite(cleanLine).min(1).max(500),
        why: z.string().overwrite(cleanLine).max(300).catch(''),
      }),
    )
    .max(30),
})

/** Passages that are looked at for each sub-question. */
const perQuestion = 4

export const calibrate: Stage = {
  name: 'websearch_calibration',
  async run(context) {
    const { state, depth, online } = context
    if (!depth.calibrates || !online) return skipped
    const plan = state.run.plan!
    const corrections = await correct(context, plan)
    const sub_questions = plan.sub_questions.map(
      (text, at) => corrections.findLast(({ index }) => index === at)?.sub_question ?? text,
    )
    const changes = sub_questions.flatMap((to, at) => {
      const from = plan.sub_questions[at]!
      const why = corrections.findLast(({ index }) => index === at)?.why ?? ''
      return from === to ? [] : [{ from, to, why }]
    })
    const counts = { corrections: changes.length }
    if (changes.length === 0) {
      return { status: 'done', summary: 'No corrections', counts, result: { changes } }
    }
    const waiting = waitAt(state.run, 'calibration')
    return {
      status: waiting.status,
      summary: `${changes.length} corrected`,
      counts,
      result: { changes },
      run: { plan: { ...plan, sub_questions }, ...waiting.run },
    }
  },
}

export type Calibration = { changes: { from: string; to: string; why: string }[] }

const skipped = {
  ...{ status: 'skipped' as const, summary: '', counts: {} },
  result: { changes: [] } satisfies Calibration,
}

async function correct(context: StageContext, { sub_questions }: ResearchPlan) {
  const finder = await createFinder(context)
  // As many as are retrieved, which then needs no second search.
  const hits = await finder.find(sub_questions, context.depth.passages)
  const found = hits.flatMap((some) =>
    some.slice(0, perQuestion).map(({ title, cite }) => ({ title, text: cite })),
  )
  const unique = [...new Map(found.map((one) => [`${one.title}\n${one.text}`, one])).values()]
  const content = JSON.stringify({ sub_questions, found: unique })
  return (
    (await context.ask({ system: context.rules.prompts.terms, content, schema: answer }))?.corrections ?? []
  )
}
