import { undoOf } from '../changes/undone.ts'
import type { Attention, AttentionFigures } from '../contract/attention.ts'
import type { Queryable } from '../db/pool.ts'
import { createAttentionRepo, type DecisionRow } from '../db/repos/attention.ts'
import { createAuditRepo } from '../db/repos/audit.ts'
import { createDrillsRepo } from '../db/repos/drills.ts'

const recentDecisions = 30
/** Approved faster than this, a card was hardly read. */
const hastySeconds = 2
const noticeShare = 0.95
/** Decisions looked back upon. */
const mostDecisions = 2000
const latestDrills = 10

type Measured = DecisionRow & { undone: boolean }

/** How the owner decides: how often, how fast, how much of it was taken back. */
export async function measureAttention(db: Queryable): Promise<Attention> {
  const decisions: Measured[] = []
  for (const row of await createAttentionRepo(db).listDecisions(mostDecisions)) {
    decisions.push({ ...row, undone: await isUndone(db, row) })
  }
  const recent = decisions.slice(0, recentDecisions)
  const hasty = recent.filter(isHasty).length
  const drills = createDrillsRepo(db)

  return {
    recent: figuresOf(recent),
    all: figuresOf(decisions),
    hasty,
    notice: recent.length === recentDecisions && hasty / recentDecisions > noticeShare,
    drills: {
      on: (await drills.settings()).drills,
      ...(await drills.countTaken()),
      latest: await drills.listTaken(latestDrills),
    },
  }
}

const isHasty = ({ approved, seconds }: Measured) => approved && (seconds ?? 0) < hastySeconds

async function isUndone(db: Queryable, { approved, applied_seq, entity_id }: DecisionRow): Promise<boolean> {
  if (!approved || applied_seq === null) return false
  return undoOf(applied_seq, await createAuditRepo(db).listUndos(entity_id)) !== null
}

function figuresOf(decisions: readonly Measured[]): AttentionFigures {
  const count = (holds: (decision: Measured) => boolean) => decisions.filter(holds).length
  const approved = count((decision) => decision.approved)
  return {
    decisions: decisions.length,
    approved,
    rejected: decisions.length - approved,
    undone: count(({ undone }) => undone),
    unseen: count(({ seconds }) => seconds === null),
    median_seconds: median(decisions.flatMap(({ seconds }) => seconds ?? [])),
  }
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2
}
