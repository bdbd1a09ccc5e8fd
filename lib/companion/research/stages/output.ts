// Stage 5: the answer with its references, the draft of a page, the summary. No model; the same run gives the same page.

import type { GivenText } from '../../../changes/grounding/provenance.ts'
import { segmentOf } from '../../../contract/entities/kinds.ts'
import type { ResearchAnswer, ResearchOutcome } from '../../../contract/research.ts'
import { entityAddress } from '../../../core/text/cited/cited-markdown.ts'
import type { ResearchRunRow } from '../../../db/repos/research_runs.ts'
import type { ResearchEvidenceRow } from '../../../db/repos/research_stages.ts'
import { createSpacesRepo } from '../../../db/repos/spaces.ts'
import { loadComparison } from '../compare/compare-runs.ts'
import { answerText } from '../output/answer-text.ts'
import { composeAnswer } from '../output/compose-answer.ts'
import { pageBody } from '../output/page-body.ts'
import { summarizeRun } from '../output/summarize-run.ts'
import { dollars, spentBy } from '../run/budget.ts'
import { isAttended, type RunState, type Stage, type StageContext } from '../run/stage.ts'
import type { Retrieval } from './retrieve.ts'
import type { Synthesis } from './synthesize.ts'
import type { Verified } from './verify.ts'

export const output: Stage = {
  name: 'output',
  async run(context) {
    const { state } = context
    const outcome = outcomeOf(state)
    const quotations_only = lastResult<Verified>(state.stages, 'verify')?.quoted === true
    const composed = composeAnswer({
      ...state,
      thresholds: context.rules.thresholds,
      outcome,
      not_found: notFoundIn(state),
      quotations_only,
    })
    const { text } = answerText(composed)
    const answer: ResearchAnswer = { ...composed, markdown: text }
    const isDrafted = outcome !== 'nothing_found' && isAttended(state.run)
    const draft = isDrafted ? await draftPage(context, answer) : null
    return {
      status: 'done',
      summary: draft ? 'Page drafted' : outcome === 'nothing_found' ? 'Nothing found' : 'Answered',
      counts: { references: answer.references.length },
      result: null,
      run: {
        status: 'done',
        outcome,
        answer,
        summary: summarizeRun({
          ...state,
          run: { ...state.run, status: 'done', outcome },
          stages: [...state.stages, { stage: 'output', status: 'done' }],
          answer: composed,
        }),
        pending_change_id: draft,
      },
    }
  },
}

function outcomeOf({ run, evidence, claims }: RunState): ResearchOutcome {
  if (evidence.length === 0) return 'nothing_found'
  if (claims.some(({ verdict }) => verdict === 'contradicted')) return 'disputed'
  return run.verification?.passed && claims.length > 0 ? 'checked' : 'partly_checked'
}

/** What the model could not find, or, without one, the sub-questions that nothing was found for. */
function notFoundIn({ run, stages, evidence }: RunState): string[] {
  const written = lastResult<Synthesis>(stages, 'synthesize')
  if (written && written.not_found.length > 0 && evidence.length > 0) return written.not_found
  return run.plan!.sub_questions.filter(
    (_, at) => !evidence.some(({ sub_questions }) => sub_questions.includes(at)),
  )
}

const lastResult = <Result>(stages: RunState['stages'], name: string): Result | null =>
  (stages.findLast(({ stage, status }) => stage === name && status !== 'failed')?.result ??
    null) as Result | null

async function draftPage({ deps, turn, state }: StageContext, answer: ResearchAnswer): Promise<string> {
  const { run, stages, evidence, claims } = state
  const space = await createSpacesRepo(deps.database).find(run.space_id, null)
  const spent = spentBy(stages)
  const body = pageBody(answer, {
    hrefOf(type, id, ordinal) {
      const segment = type === 'research_run' ? 'research' : segmentOf(deps.kinds, type)
      // Of other kinds a passage is of more than the text that is shown.
      const passage = deps.kinds.find(type)?.searchesBody ? ordinal : undefined
      return segment && space ? entityAddress({ slug: space.slug, segment, id, cite: '', passage }) : null
    },
    cost: `${spent.usd === null ? '' : `${dollars(spent.usd)}, `}${spent.tokens.toLocaleString('en-US')} tokens`,
    notes: inOrder(answer, claims),
    problems: lastResult<Retrieval>(stages, 'retrieve')?.problems ?? [],
    comparison: await loadComparison(deps, run, { id: run.id, evidence, claims }),
  })
  const change = await deps.proposeChange(turn.actor, {
    space_id: run.space_id,
    entity_type: 'page',
    action: 'create',
    payload: { title: `Research: ${run.title}`, body },
    reason: `The result of a research run (${run.depth}).`,
    // The first turn's, so that a run drafts one page, whichever turn comes to this.
    turn: { id: run.first_turn_id, conversation_id: run.conversation_id },
    given: { sources: toGiven(evidence), said: [run.question] },
    tool_use_id: callOf(run),
  })
  return change.id
}

const callOf = ({ id }: Pick<ResearchRunRow, 'id'>) => `research_${id}`

function inOrder({ sections }: ResearchAnswer, claims: RunState['claims']): string[] {
  const bySection = Map.groupBy(claims, ({ section }) => section)
  return sections.flatMap(({ heading }) =>
    (bySection.get(heading) ?? []).map(({ reasons, judge }) =>
      [...reasons, ...(judge ? [`${judge.model}: ${judgeWords[judge.verdict]}`] : [])].join('; '),
    ),
  )
}

const judgeWords = { supported: 'supported', contradicted: 'contradicted', not_enough: 'not enough' } as const

/** The ledger as what the draft was made from. */
function toGiven(evidence: readonly ResearchEvidenceRow[]): GivenText[] {
  return [...Map.groupBy(evidence, ({ entity_id }) => entity_id).values()].map((group) => ({
    entity_type: group[0]!.entity_type,
    entity_id: group[0]!.entity_id,
    title: group[0]!.title,
    given_by: group[0]!.entity_type === 'tool_result' ? 'tool' : 'search',
    texts: group.map(({ text }) => text),
  }))
}
