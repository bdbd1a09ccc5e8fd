// Stage 3: the answer, as claims that name the passages they rest on. Whatever the model says, only numbers of the ledger
// are numbers, and a claim is one line of text.

import { z } from 'zod'
import type { ResearchClaim } from '../../../contract/research.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { plainWordsOf } from '../../../core/text/words/words.ts'
import { countOf } from '../output/count-of.ts'
import { isNoClaim, isRefusal } from '../rules/is-no-claim.ts'
import { newClaim } from '../rules/quote-evidence.ts'
import type { VerifyResult } from '../run/next-stage.ts'
import type { Stage, StageContext } from '../run/stage.ts'

const number = z
  .union([z.string().max(20), z.int()])
  .transform((value) => String(value).replace(/[[\]\s]/g, ''))

const answer = z.object({
  sections: z
    .array(
      z.object({
        heading: z.string().overwrite(cleanLine).max(300).catch(''),
        claims: z
          .array(
            z.object({
              text: z.string().overwrite(cleanLine).min(1).max(2000),
              cites: z.array(number).max(30),
            }),
          )
          .max(200),
      }),
    )
    .max(30),
  not_found: z.array(z.string().overwrite(cleanLine).max(500)).max(20).catch([]),
})

const maxNotFound = 20

export type Synthesis = { not_found: string[]; unusable: boolean }

export const synthesize: Stage = {
  name: 'synthesize',
  async run(context) {
    if (!context.online) return nothing('skipped', '')
    const said = await write(context)
    if (!said) return nothing('done', 'The model’s answer could not be used.')
    const { claims, dropped, refused } = readClaims(context, said.sections)
    const words = dropped > 0 ? `, ${dropped} unknown numbers left out` : ''
    return {
      status: 'done',
      summary: `${countOf(claims.length, 'claim')}${words}`,
      counts: { claims: claims.length, unknown_numbers: dropped },
      result: {
        not_found: [...said.not_found, ...refused].filter(Boolean).slice(0, maxNotFound),
        unusable: false,
      } satisfies Synthesis,
      claims,
    }
  },
}

const nothing = (status: 'done' | 'skipped', summary: string) => ({
  status,
  summary,
  counts: { claims: 0 },
  result: { not_found: [], unusable: status === 'done' } satisfies Synthesis,
  claims: [],
})

function readClaims(
  { state: { run, evidence }, depth }: StageContext,
  sections: z.output<typeof answer>['sections'],
): { claims: ResearchClaim[]; dropped: number; refused: string[] } {
  const numbers = new Set(evidence.map(({ n }) => n))
  const asked = new Set([run.question, run.plan!.question, ...run.plan!.sub_questions].map(normalize))
  const claims: ResearchClaim[] = []
  const refused: string[] = []
  let dropped = 0
  for (const { heading, claims: said } of sections) {
    for (const { text, cites } of said) {
      if (isRefusal(text)) refused.push(text)
      // What states nothing, or is the question that comes back.
      if (claims.length === depth.max_claims || isNoClaim(text) || asked.has(normalize(text))) continue
      const known = [...new Set(cites)].filter((n) => numbers.has(n))
      dropped += new Set(cites).size - known.length
      claims.push(newClaim(claims.length, { section: heading, text, cites: known }))
    }
  }
  return { claims, dropped, refused }
}

const normalize = (text: string) => plainWordsOf(text).join(' ')

async function write({ ask, state, depth, rules }: StageContext) {
  const { run, stages, evidence, claims } = state
  const plan = run.plan!
  const last = stages.findLast(({ stage, status }) => stage === 'verify' && status === 'done')
  const again = (last?.result ?? null) as VerifyResult | null
  const content = JSON.stringify({
    question: plan.question,
    sub_questions: plan.sub_questions,
    criteria: plan.criteria,
    max_claims: depth.max_claims,
    passages: evidence.map(({ n, title, text, earlier }) => ({
      n,
      title,
      text,
      ...(earlier && earlier.claims.length > 0 ? { said_before: earlier.claims.map(toSaid) } : {}),
    })),
    ...(again?.repair ? { earlier_answer: claims.map(toEarlier), failures: again.failures } : {}),
  })
  return await ask({ system: rules.prompts.answer, content, schema: answer })
}

const toSaid = ({ text, verdict }: { text: string; verdict: string }) => ({ text, verdict })

const toEarlier = ({ id, section, text, cites }: ResearchClaim) => ({ id, section, text, cites })
