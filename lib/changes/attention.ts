import { undoOf } from '../content/writes/history.ts'
import type { Attention, AttentionFigures } from '../contract/attention.ts'
import { notFound } from '../core/errors.ts'
import type { Queryable } from '../db/pool.ts'
import { createAttentionRepo, createAuditOfDraftsRepo, type DecisionRow } from '../db/repos/decisions.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'

const recentDecisions = 30

/** Approved faster than this, a card was hardly read. */
const hastySeconds = 2

const noticeShare = 0.95

/** The latest ones that are counted. */
const maxDecisions = 2000

type Measured = DecisionRow & { undone: boolean }

/** How the owner decides: how often, how fast, how much of it was taken back. */
export async function measureAttention(db: Queryable): Promise<Attention> {
  const decisions = await withUndone(db, await createAttentionRepo(db).listDecisions(maxDecisions))
  const recent = decisions.slice(0, recentDecisions)
  const hasty = recent.filter(isHasty).length

  return {
    recent: figuresOf(recent),
    all: figuresOf(decisions),
    hasty,
    notice: recent.length === recentDecisions && hasty / recentDecisions > noticeShare,
  }
}

/** Records that a draft is shown to the owner; the first time counts. Throws a 404 `AppError`. */
export async function recordShown(db: Queryable, id: string): Promise<void> {
  const change = await createPendingChangesRepo(db).find(id, { space_ids: null, agent_id: null })
  if (!change) throw notFound('pending change', id)
  await createAttentionRepo(db).recordShown(id)
}

const isHasty = ({ approved, seconds }: Measured) => approved && (seconds ?? 0) < hastySeconds

async function withUndone(db: Queryable, decisions: readonly DecisionRow[]): Promise<Measured[]> {
  const ids = decisions.flatMap(({ applied_seq, entity_id }) => (applied_seq === null ? [] : [entity_id]))
  const undos = await createAuditOfDraftsRepo(db).listUndosByEntity(ids)
  return decisions.map((decision) => {
    const { approved, applied_seq, entity_id } = decision
    const isApplied = approved && applied_seq !== null
    return { ...decision, undone: isApplied && undoOf(applied_seq, undos.get(entity_id) ?? []) !== null }
  })
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
