// Stage 4: the claims against the ledger. What stands there word for word is found by code; the rest goes to a judge, whom
// code believes only so far. What is then unchecked or contradicted is written again while the depth allows it.

import { z } from 'zod'
import type { ResearchClaim } from '../../../contract/research.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import type { StoredVerification } from '../../../db/repos/research_runs.ts'
import type { ResearchEvidenceRow } from '../../../db/repos/research_stages.ts'
import type { Verification } from '../check/verify-claims.ts'
import { countOf } from '../output/count-of.ts'
import { countVerdicts, isSupported, verdictCounts } from '../output/count-verdicts.ts'
import { quoteEvidence } from '../rules/quote-evidence.ts'
import type { VerifyResult } from '../run/next-stage.ts'
import { type Stage, type StageContext, verifyTool } from '../run/stage.ts'
import { verifyTask } from '../run/verify-task.ts'
import type { Judgement } from '../verify/types.ts'

/** Failures that the model is told of. */
const maxFailures = 60

export type Verified = VerifyResult & {
  /** The claims are quotations by rules, in place of an answer. */
  quoted: boolean
}

export const verify: Stage = {
  name: 'verify',
  async run(context) {
    const { state, depth, online } = context
    const quoted = state.claims.length === 0
    const repairs = repairsSoFar(context)
    const canRepair = online && repairs < depth.repairs
    if (quoted && canRepair) return repair(context, { claims: [], failures: [unusable] })

    const given = quoted ? quoteEvidence(state.run.plan!, state.evidence, depth.max_claims) : state.claims
    const { claims, verification, failures } = await check(context, given, online && !quoted)
    if (failures.length > 0 && verification.scores && canRepair && !quoted)
      return repair(context, { claims, verification, failures })
    return {
      status: 'done',
      summary: verdictCounts(claims),
      counts: countVerdicts(claims),
      result: { repair: false, failures, quoted } satisfies Verified,
      claims,
      run: { verification },
    }
  },
}

const unusable =
  'The answer was not the JSON object that was asked for, or had no claim in it. Answer with that object alone.'

type Checked = { claims: ResearchClaim[]; verification: StoredVerification; failures: string[] }

function repair(
  { state, depth }: StageContext,
  { claims, verification, failures }: Omit<Checked, 'verification'> & Partial<Checked>,
) {
  const round = repairsSoFar({ state }) + 1
  const counts = { ...countVerdicts(claims), repair: round }
  return {
    status: 'done' as const,
    summary: `Repair ${round} of ${depth.repairs}: ${countOf(failures.length, 'failure')}`,
    counts,
    result: { repair: true, failures, quoted: false } satisfies Verified,
    claims,
    ...(verification ? { run: { verification } } : {}),
  }
}

/** Since the passages were retrieved. */
function repairsSoFar({ state: { stages } }: Pick<StageContext, 'state'>): number {
  const from = stages.findLast(({ stage, status }) => stage === 'retrieve' && status === 'done')?.seq ?? 0
  return stages.filter(
    ({ stage, status, seq, result }) =>
      stage === 'verify' && status === 'done' && seq > from && (result as Verified).repair,
  ).length
}

/** A verifier that fails leaves every claim unchecked; one whose texts are too complex does, too. */
async function check(
  context: StageContext,
  claims: readonly ResearchClaim[],
  isJudged: boolean,
): Promise<Checked> {
  const { deps, state, step } = context
  const { run, evidence } = state
  const ledger = evidence.map(({ n, title, heading, text }) => ({
    n,
    title: `${title} ${heading}`.trim(),
    text,
  }))
  const verified = async (
    of: readonly ResearchClaim[],
    judgements: Judgement[] | null,
  ): Promise<Verification> => {
    const input = { claims: of.map(({ id, text, cites }) => ({ id, text, cites })), ledger, judgements }
    const found = await deps.threads.run(verifyTask, input)
    if (!found) throw new Error('claims and passages too complex to verify')
    return found
  }
  const args = { claims: claims.length, passages: evidence.length }
  return await step({ tool: verifyTool, args }, async () => {
    let first: Verification
    try {
      first = await verified(claims, isJudged ? null : [])
    } catch (error) {
      deps.logger.error({ err: error, run_id: run.id }, 'research claims not verified')
      const unchecked = claims.map((claim) => ({ ...claim, verdict: 'unchecked' as const }))
      const verification = { scores: null, conflicts: [], passed: false }
      const result: Checked = { claims: unchecked, verification, failures: [] }
      return { result, summary: 'The claims could not be checked.', isFailed: true }
    }
    const mended = claims.map((claim) => withRepairedNumbers(claim, first))
    const judgements = isJudged ? await judge(context, mended, first) : []
    const isSame = !isJudged && mended.every((claim, at) => claim === claims[at])
    const found = isSame ? first : await verified(mended, judgements)
    return {
      result: toChecked(mended, found, { judgements, model: context.judge.model }),
      summary: `${countOf(claims.length, 'claim')} against ${countOf(evidence.length, 'passage')}`,
    }
  })
}

/** A claim that another passage than the one it cites has word for word cites that one. */
function withRepairedNumbers(claim: ResearchClaim, { claims }: Verification): ResearchClaim {
  const found = claims.find(({ id }) => id === claim.id)
  return found?.verdict === 'elsewhere' ? { ...claim, cites: found.cites } : claim
}

/** Claims in one call. */
const perCall = 4

const sentence = z.string().max(4000)

const judgement = z.strictObject({
  id: z.string().max(20),
  verdict: z.enum(['contradicted', 'supported', 'not_enough']),
  sentences: z.array(sentence).max(20).default([]),
  missing: z.string().overwrite(cleanLine).max(500).default(''),
})

/** Each entry by itself: one that is none leaves its claim unchecked, and no other. */
const answer = z.object({ verdicts: z.array(z.unknown()).max(50) })

/** What a judge says of claims that code has not settled, who sees each with its passages and nothing else. */
async function judge(
  { judge: { ask }, rules, state: { evidence } }: StageContext,
  claims: readonly ResearchClaim[],
  { claims: verdicts }: Verification,
): Promise<Judgement[]> {
  const byNumber = new Map(evidence.map((one) => [one.n, one]))
  const open = claims.flatMap((claim, at) => {
    const passages = claim.cites.flatMap((n) => byNumber.get(n) ?? [])
    if (verdicts[at]?.verdict !== 'unchecked' || passages.length === 0) return []
    const before = claims[at - 1]?.section === claim.section ? claims[at - 1]!.text : ''
    return [{ id: claim.id, before, claim: claim.text, passages: passages.map(toJudged) }]
  })
  const batches = Array.from({ length: Math.ceil(open.length / perCall) }, (_, at) =>
    open.slice(at * perCall, (at + 1) * perCall),
  )
  const said = await ask(
    batches.map((batch) => ({
      system: rules.prompts.judge,
      content: JSON.stringify({ claims: batch }),
      schema: answer,
    })),
  )
  return said.flatMap((one, at) => {
    const asked = new Set(batches[at]!.map(({ id }) => id))
    const given = (one?.verdicts ?? []).flatMap((entry) => judgement.safeParse(entry).data ?? [])
    // Of two verdicts on one claim the one against it counts.
    const order = ['contradicted', 'not_enough', 'supported']
    const sorted = given.toSorted((a, b) => order.indexOf(b.verdict) - order.indexOf(a.verdict))
    return [...new Map(sorted.filter(({ id }) => asked.has(id)).map((each) => [each.id, each])).values()]
  })
}

const toJudged = ({ n, title, heading, text }: ResearchEvidenceRow) => ({
  n,
  title,
  ...(heading ? { heading } : {}),
  text,
})

function toChecked(
  claims: readonly ResearchClaim[],
  { claims: verdicts, scores, conflicts }: Verification,
  { judgements, model }: { judgements: readonly Judgement[]; model: string },
): Checked {
  const checked = claims.map((claim, at): ResearchClaim => {
    const one = verdicts[at]!
    const said = judgements.find(({ id }) => id === claim.id)
    return {
      ...claim,
      verdict: one.verdict,
      reasons: one.reasons.slice(0, 10).map((reason) => reason.slice(0, 300).toWellFormed()),
      sentences: one.sentences.slice(0, 10).map((text) => text.slice(0, 1000).toWellFormed()),
      against: [...new Set(one.against)].slice(0, 10),
      judge: said ? { model, verdict: said.verdict, missing: said.missing } : null,
    }
  })
  const isFailed = ({ verdict, judge: said, reasons }: ResearchClaim) =>
    verdict === 'contradicted' || (verdict === 'unchecked' && (said !== null || !isUnread(reasons)))
  const failures = [
    ...checked.filter(isFailed).map(({ id, verdict, reasons }) => `${id}: ${verdict}. ${reasons.join('; ')}`),
    ...conflicts.map(
      ({ a, b, about, values }) => `${a} and ${b} disagree about ${about}: ${values[0]} or ${values[1]}.`,
    ),
  ]
  return {
    claims: checked,
    verification: { scores, conflicts: conflicts.slice(0, 50), passed: checked.every(isSupported) },
    failures: failures.slice(0, maxFailures).map((failure) => failure.slice(0, 600).toWellFormed()),
  }
}

/** Nobody has read it: that is no fault of the answer. */
const isUnread = (reasons: readonly string[]): boolean =>
  reasons.every((reason) => reason === 'no judge has read it')
