// A run beside the one it repeats: which passages are other ones, and what became of each claim. Every earlier claim is
// held against the passages of the newer run, whether or not the newer answer says so again. No model: the same two runs
// give the same comparison.

import type { ResearchClaim, ResearchVerdict } from '../../../contract/research.ts'
import {
  type ResearchClaimChange,
  ResearchClaimChangeKind,
  type ResearchComparison,
} from '../../../contract/research-comparison.ts'
import type { Logger } from '../../../core/logger.ts'
import type { Queryable } from '../../../db/pool.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../../db/repos/research_runs.ts'
import { createResearchEvidenceRepo, type ResearchEvidenceRow } from '../../../db/repos/research_stages.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'
import type { Verification } from '../check/verify-claims.ts'
import { verifyTask } from '../run/verify-task.ts'
import type { ClaimVerdict } from '../verify/types.ts'
import { matchTask } from './match-claims.ts'
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
  const attempt = async <Result>(work: Promise<Result | null>): Promise<Result | null> => {
    try {
      return await work
    } catch (error) {
      logger.error({ err: error, run_id: current.id }, 'research claims not compared')
      return null
    }
  }
  const passages = matchPassages(previous.evidence, current.evidence)
  const texts = (claims: readonly ResearchClaim[]) => claims.map(({ text }) => text)
  const input = { previous: texts(previous.claims), current: texts(current.claims) }
  const places = (await attempt(threads.run(matchTask, input))) ?? []
  const matches = new Map(
    previous.claims.flatMap(({ id }, at) => {
      const now = current.claims[places[at] ?? -1]
      return now ? [[id, now] as const] : []
    }),
  )
  const left = previous.claims.filter(({ id }) => !matches.has(id))
  const verdicts = new Map(
    (left.length === 0 ? null : await attempt(checkAgain(threads, left, { passages, current })))?.claims.map(
      (one) => [one.id, one],
    ),
  )
  const earlier = previous.claims.map((before) => {
    const now = matches.get(before.id) ?? foundNow(before, verdicts.get(before.id))
    return toChange(changeOf(before, now, passages), now, before)
  })
  const matched = new Set([...matches.values()].map(({ id }) => id))
  const fresh = current.claims.filter(({ id }) => !matched.has(id)).map((now) => toChange('new', now, null))
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

/** What the passages of the newer run say, word for word or against it, of claims that its answer does not repeat. */
async function checkAgain(
  threads: CompareDeps['threads'],
  claims: readonly ResearchClaim[],
  { passages: { numberNow }, current }: { passages: PassageMatch; current: RecordedRun },
): Promise<Verification | null> {
  const asked = claims.map(({ id, text, cites }) => ({
    id,
    text,
    cites: cites.flatMap((n) => numberNow.get(n) ?? []),
  }))
  const ledger = current.evidence.map(({ n, title, text }) => ({ n, title, text }))
  return await threads.run(verifyTask, { claims: asked, ledger })
}

/** What is said of a claim now, with its id in this run where its answer says it. */
type Now = {
  id: string | null
  text: string
  verdict: ResearchVerdict
  reasons: string[]
  against: readonly string[]
}

/** Of a claim that the newer answer does not repeat. */
function foundNow({ text }: ResearchClaim, found: ClaimVerdict | undefined): Now {
  const { verdict = 'unchecked', reasons = [], against = [] } = found ?? {}
  const now = { id: null, text, against }
  // Another passage has it: it is quoted, whichever it cites.
  if (verdict === 'elsewhere' || verdict === 'quoted') return { ...now, verdict: 'quoted', reasons: [] }
  return { ...now, verdict, reasons: reasons.map((one) => one.slice(0, 300)) }
}

const toChange = (
  change: ResearchClaimChangeKind,
  { id, text, verdict, reasons }: Now,
  before: ResearchClaim | null,
): ResearchClaimChange => ({
  ...{ change, id, text, verdict, reasons },
  previous_id: before?.id ?? null,
  previous_text: !before || before.text === text ? null : before.text,
  previous_verdict: before?.verdict ?? null,
})

const support: Readonly<Record<ResearchVerdict, number>> = {
  ...{ quoted: 2, judged: 2, supported: 2, elsewhere: 2, partly: 1 },
  ...{ contradicted: 0, disputed: 0, nowhere: 0, unchecked: 0 },
}

const isContradicted = ({ verdict, against }: Pick<Now, 'verdict' | 'against'>): boolean =>
  verdict === 'contradicted' || verdict === 'disputed' || (against.length > 0 && support[verdict] < 2)

function changeOf(
  before: ResearchClaim,
  now: Now,
  { altered }: Pick<PassageMatch, 'altered'>,
): ResearchClaimChangeKind {
  if (isContradicted(now) && !isContradicted(before)) return 'contradicted'
  const gained = support[now.verdict] - support[before.verdict]
  if (gained > 0) return 'gained_support'
  if (gained < 0 && before.cites.some((n) => altered.has(n))) return 'stale'
  // What a judge supported is judged again only where it is said again.
  if (gained < 0) return now.id === null && before.verdict !== 'quoted' ? 'unchecked' : 'lost_support'
  return now.id === null ? 'dropped' : 'same'
}

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
