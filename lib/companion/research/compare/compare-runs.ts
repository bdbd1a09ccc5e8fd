// A run beside the one it repeats: which passages are other ones, and what became of each claim. Every earlier claim is
// judged by the passages of the newer run, whether or not the newer answer says so again. Rules alone: the same two runs
// give the same comparison.

import type { ResearchClaim, ResearchVerdict } from '../../../contract/research.ts'
import {
  type ResearchClaimChange,
  ResearchClaimChangeKind,
  type ResearchComparison,
} from '../../../contract/research-comparison.ts'
import type { Logger } from '../../../core/logger.ts'
import { plainWordsOf } from '../../../core/text/words/words.ts'
import type { Queryable } from '../../../db/pool.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../../db/repos/research_runs.ts'
import { createResearchEvidenceRepo, type ResearchEvidenceRow } from '../../../db/repos/research_stages.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'
import { verifyTask } from '../run/verify-task.ts'
import type { Claim, ClaimVerdict, Passage, Verification } from '../verify/types.ts'
import { matchPassages, type PassageMatch } from './match-passages.ts'

type RecordedRun = {
  id: string
  evidence: readonly ResearchEvidenceRow[]
  claims: readonly ResearchClaim[]
}

export type CompareDeps = { threads: Pick<TextThreads, 'run'>; logger: Logger }

/** A verifier that fails leaves unchecked what only it could tell. */
async function compareRuns(
  { threads, logger }: CompareDeps,
  { previous, current }: { previous: RecordedRun; current: RecordedRun },
): Promise<ResearchComparison> {
  const judge: Judge = async (claims, ledger) => {
    try {
      return await threads.run(verifyTask, { claims, ledger })
    } catch (error) {
      logger.error({ err: error, run_id: current.id }, 'research claims not compared')
      return null
    }
  }
  const passages = matchPassages(previous.evidence, current.evidence)
  const matches = await matchClaims(previous.claims, current.claims, judge)
  const left = previous.claims.filter(({ id }) => !matches.has(id))
  const verdicts = await judgeAgain(left, { passages, evidence: current.evidence, judge })
  const earlier = previous.claims.map((before) => {
    const now = matches.get(before.id)
    return now ? saidAgain(before, now, passages) : notSaid(before, verdicts.get(before.id), passages)
  })
  const matched = new Set([...matches.values()].map(({ id }) => id))
  const fresh = current.claims.filter(({ id }) => !matched.has(id)).map(toNew)
  const counted = (kind: string) => passages.changes.filter(({ change }) => change === kind).length
  return {
    run_id: current.id,
    previous_id: previous.id,
    passages: {
      same: passages.same,
      changed: counted('changed'),
      gone: counted('gone'),
      new: counted('new'),
      items: passages.changes,
    },
    claims: [...earlier, ...fresh].toSorted((a, b) => order(a) - order(b)),
  }
}

const order = ({ change }: ResearchClaimChange) => ResearchClaimChangeKind.options.indexOf(change)

/** What the passages of the newer run say of claims that its answer does not repeat. */
async function judgeAgain(
  claims: readonly ResearchClaim[],
  {
    passages: { numberNow },
    evidence,
    judge,
  }: { passages: PassageMatch; evidence: readonly ResearchEvidenceRow[]; judge: Judge },
): Promise<Map<string, ClaimVerdict>> {
  if (claims.length === 0) return new Map()
  const asked = claims.map(({ id, text, cites }) => ({
    id,
    text,
    cites: cites.flatMap((n) => numberNow.get(n) ?? []),
  }))
  const ledger = evidence.map(({ n, title, text }) => ({ n, title, text }))
  const found = await judge(asked, ledger)
  return new Map(found?.claims.map((one) => [one.id, one]))
}

type Now = { id: string | null; verdict: ResearchVerdict; against: readonly string[] }

function saidAgain(before: ResearchClaim, now: ResearchClaim, passages: PassageMatch): ResearchClaimChange {
  const { id, text, verdict, reasons } = now
  return {
    change: changeOf(before, now, passages),
    id,
    text,
    verdict,
    reasons,
    previous_id: before.id,
    previous_text: before.text === text ? null : before.text,
    previous_verdict: before.verdict,
  }
}

function notSaid(
  before: ResearchClaim,
  found: ClaimVerdict | undefined,
  passages: PassageMatch,
): ResearchClaimChange {
  // Another passage says it: it is supported, whichever it cites.
  const verdict = found?.verdict === 'elsewhere' ? 'supported' : (found?.verdict ?? 'unchecked')
  const now: Now = { id: null, verdict, against: found?.against ?? [] }
  return {
    change: changeOf(before, now, passages),
    id: null,
    text: before.text,
    verdict,
    reasons: verdict === 'supported' ? [] : (found?.reasons ?? []).map((one) => one.slice(0, 300)),
    previous_id: before.id,
    previous_text: null,
    previous_verdict: before.verdict,
  }
}

const toNew = ({ id, text, verdict, reasons }: ResearchClaim): ResearchClaimChange => ({
  change: 'new' as const,
  id,
  text,
  verdict,
  reasons,
  previous_id: null,
  previous_text: null,
  previous_verdict: null,
})

const support: Readonly<Record<ResearchVerdict, number>> = {
  supported: 2,
  elsewhere: 2,
  partly: 1,
  disputed: 0,
  nowhere: 0,
  unchecked: 0,
}

const isContradicted = ({ verdict, against }: Pick<Now, 'verdict' | 'against'>): boolean =>
  verdict === 'disputed' || (against.length > 0 && support[verdict] < 2)

function changeOf(
  before: ResearchClaim,
  now: Now,
  { altered }: Pick<PassageMatch, 'altered'>,
): ResearchClaimChangeKind {
  if (isContradicted(now) && !isContradicted(before)) return 'contradicted'
  const gained = support[now.verdict] - support[before.verdict]
  if (gained > 0) return 'gained_support'
  if (now.verdict === 'unchecked' && before.verdict !== 'unchecked') return 'unchecked'
  if (gained < 0) return before.cites.some((n) => altered.has(n)) ? 'stale' : 'lost_support'
  return now.id === null ? 'dropped' : 'same'
}

// Which claim says what an earlier one said: the same words, or, by the rules that verify claims, each says all that the
// other does.

/** By the rules of `verify`; `null` where the texts are too complex. */
type Judge = (claims: Claim[], ledger: Passage[]) => Promise<Verification | null>

type Claims = readonly ResearchClaim[]

/** By the id of the earlier claim. */
async function matchClaims(
  previous: Claims,
  current: Claims,
  judge: Judge,
): Promise<Map<string, ResearchClaim>> {
  const matches = new Map<string, ResearchClaim>()
  const open = new Set(current)
  for (const before of previous) {
    const now = [...open].find(({ text }) => normalize(text) === normalize(before.text))
    if (now) match(before, now)
  }
  const rest = previous.filter(({ id }) => !matches.has(id))
  const said = await whoSays(rest, [...open], judge)
  const saidBack = await whoSays([...open], rest, judge)
  for (const before of rest) {
    const now = [...open].find(({ id }) => said.get(before.id)?.has(id) && saidBack.get(id)?.has(before.id))
    if (now) match(before, now)
  }
  return matches

  function match(before: ResearchClaim, now: ResearchClaim): void {
    matches.set(before.id, now)
    open.delete(now)
  }
}

/** For each claim those of the others that say it. */
async function whoSays(claims: Claims, others: Claims, judge: Judge): Promise<Map<string, Set<string>>> {
  if (claims.length === 0 || others.length === 0) return new Map()
  const asked = claims.map(({ id, text }) => ({ id, text, cites: [] }))
  const ledger = others.map(({ text }, at) => ({ n: String(at + 1), title: '', text }))
  const found = await judge(asked, ledger)
  const saying = found?.claims.filter(({ verdict }) => verdict === 'elsewhere') ?? []
  return new Map(saying.map(({ id, cites }) => [id, new Set(cites.map((n) => others[Number(n) - 1]!.id))]))
}

const normalize = (text: string) => plainWordsOf(text).join(' ')

/** A run beside the finished one that it repeats; `null` where there is none. Not to be called in a transaction. */
export async function loadComparison(
  { database, ...deps }: CompareDeps & { database: Queryable },
  run: Pick<ResearchRunRow, 'id' | 'space_id' | 'previous_id'>,
  /** Default: the stored run. */
  recorded?: RecordedRun,
): Promise<ResearchComparison | null> {
  const { previous_id, space_id } = run
  const previous = previous_id
    ? await createResearchRunsRepo(database).findInSpace(previous_id, space_id)
    : null
  if (previous?.status !== 'done') return null
  return await compareRuns(deps, {
    previous: await load(previous.id),
    current: recorded ?? (await load(run.id)),
  })

  async function load(id: string): Promise<RecordedRun> {
    const repo = createResearchEvidenceRepo(database)
    return { id, evidence: await repo.list(id), claims: await repo.listClaims(id) }
  }
}
