// Stage 0: what is asked, and what will be searched for. It ends with the plan before the owner.

import { z } from 'zod'
import { maxSubQuestions, ResearchDepth, ResearchPlan } from '../../../contract/research.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { createResearchRunsRepo } from '../../../db/repos/research_runs.ts'
import { describePlan } from '../output/answer-text.ts'
import { countOf } from '../output/count-of.ts'
import { isAttended, type Stage, type StageContext, waitAt } from '../run/stage.ts'

const answer = ResearchPlan.extend({
  criteria: ResearchPlan.shape.criteria.catch([]),
  ambiguities: ResearchPlan.shape.ambiguities.catch([]),
  suggested_depth: ResearchDepth.nullable().catch(null),
  question: z.string().max(4000).catch(''),
})

export const analyzeQuery: Stage = {
  name: 'analyze_query',
  async run(context) {
    const { run } = context.state
    const asked = context.online ? await plan(context) : null
    const made = asked ?? planByRules(run.change ? `${run.question}\n${run.change}` : run.question)
    const sub_questions = made.sub_questions.slice(0, context.depth.sub_questions)
    const result = { ...made, question: made.question.trim() || run.question, sub_questions }
    const waiting = waitAt(run, 'plan')
    return {
      status: waiting.status,
      summary: `${countOf(sub_questions.length, 'sub-question')}${asked ? '' : ', by rules'}`,
      counts: { sub_questions: sub_questions.length },
      result,
      run: { plan: result, change: null, ...waiting.run },
    }
  },
}

async function plan(context: StageContext): Promise<ResearchPlan | null> {
  const { ask, depth, state } = context
  const { run } = state
  const earlier = await createResearchRunsRepo(context.deps.database).findLastSummary(
    run.conversation_id,
    run.id,
  )
  // The plan alone: a claim rests on passages, and an outside agent is shown what its run comes to.
  const remembered = isAttended(run) ? await context.turn.remember() : []
  const content = JSON.stringify({
    question: run.question,
    max_sub_questions: depth.sub_questions,
    ...(run.plan ? { earlier_plan: describePlan(run.plan) } : {}),
    ...(earlier ? { earlier_research: earlier.summary } : {}),
    ...(remembered.length > 0 ? { remembered } : {}),
    ...(run.change ? { wanted_change: run.change } : {}),
  })
  return await ask({ system: context.rules.prompts.plan, content, schema: answer })
}

const maxQuestion = 4000

const maxPart = 500

/** A plan without a model: the parts that the question itself is made of. */
export function planByRules(question: string): ResearchPlan {
  const whole = question.slice(0, maxQuestion).toWellFormed()
  const parts = whole
    .split(
      /[?!;\n]+|\.\s|,?\s(?:and|und)\s(?=(?:how|what|when|where|which|who|why|was|wer|wie|wann|wo|warum)\b)/i,
    )
    .map((part) => cleanLine(part).slice(0, maxPart).toWellFormed())
    .filter((part) => /[\p{L}\p{N}]{2}/u.test(part))
  const sub_questions = [...new Set(parts)].slice(0, maxSubQuestions)
  return {
    question: whole,
    sub_questions: sub_questions.length > 0 ? sub_questions : [cleanLine(whole).slice(0, maxPart)],
    criteria: [],
    ambiguities: [],
    suggested_depth: null,
  }
}
