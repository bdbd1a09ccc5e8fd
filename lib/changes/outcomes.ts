// What became of drafts, as their agent is told.

import { canAct } from '../auth/capability.ts'
import { undoOf } from '../content/writes/history.ts'
import { type Kind, textOf } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import type { AgentActor } from '../core/actor.ts'
import { cleanLine } from '../core/text/clean.ts'
import { lineDiff } from '../core/text/diff/hunks.ts'
import type { Database } from '../db/pool.ts'
import { createAuditOfDraftsRepo } from '../db/repos/decisions.ts'
import {
  createDeliveredOutcomesRepo,
  type DraftOutcome,
  type OutcomeFilter,
  type OutcomeName,
} from '../db/repos/delivered_outcomes.ts'
import { createOverviewRepo } from '../db/repos/home.ts'
import { type TextThreads, textTask } from '../jobs/workers/text-threads.ts'

/** What became of a draft: its `outcome` (or `pending`, `retracted`), and what the owner changed or said. */
export type Outcome = { draft: string; outcome: string; action: string; kind: string; id: string } & Record<
  string,
  unknown
>

/** What became of the drafts of an agent, newest first. One that may not read learns no text of the Space from it. */
export async function listOutcomes(
  { database, kinds, threads }: { database: Database; kinds: Kinds; threads: TextThreads },
  actor: AgentActor,
  filter: OutcomeFilter,
): Promise<Outcome[]> {
  const drafts = await createDeliveredOutcomesRepo(database).listOfAgent(actor.agent_id, filter)
  const applied = drafts.filter(({ applied_seq }) => applied_seq !== null)
  const ids = drafts.map(({ entity_id }) => entity_id)
  const [undos, titles] = await Promise.all([
    createAuditOfDraftsRepo(database).listUndosByEntity(applied.map(({ entity_id }) => entity_id)),
    createOverviewRepo(database).titlesOf(kinds.all, filter.space_id, ids),
  ])
  const describe = async (draft: DraftOutcome): Promise<Outcome> => {
    const { id, action, entity_type, entity_id, status, applied_seq } = draft
    const undone = applied_seq !== null && undoOf(applied_seq, undos.get(entity_id) ?? []) !== null
    const outcome = outcomeOf(draft, undone)
    const plain = { draft: id, outcome: outcome ?? status, action, kind: entity_type, id: entity_id }
    if (outcome === null || canAct(actor, 'read', entity_type) !== 'allow') return plain
    const described = await describeOutcome(threads, draft, {
      outcome,
      kind: kinds.get(entity_type),
      title: titles.get(entity_id) ?? '',
    })
    return { ...described, ...plain }
  }
  const outcomes: Outcome[] = []
  for (const draft of drafts) outcomes.push(await describe(draft))
  return outcomes
}

/** Characters of what is quoted. */
const limits = { title: 120, reason: 500, value: 300, diff: 1500 } as const

/** The outcome of a draft as of now; `undone` when its effect was taken back. */
export function outcomeOf(news: DraftOutcome, undone: boolean): OutcomeName | null {
  if (undone) return 'undone'
  const { status, next_derivation } = news
  if (status === 'approved') return next_derivation === 'rest' ? 'partly_approved' : 'approved'
  if (status === 'superseded') return isEdited(news) ? 'edited' : 'superseded'
  return status === 'rejected' || status === 'obsolete' || status === 'expired' ? status : null
}

/** An outcome for its agent: fixed names, quoted values, all of bounded length. `title` is the thing's own. */
export async function describeOutcome(
  threads: TextThreads,
  news: DraftOutcome,
  { outcome, kind, title }: { outcome: OutcomeName; kind: Kind; title: string },
): Promise<Record<string, unknown>> {
  const payload = parse(news.payload)
  return {
    draft: news.id,
    outcome,
    action: news.action,
    kind: kind.type,
    id: news.entity_id,
    title: cut(cleanLine(title || textOf(payload.title ?? kind.derive(payload).title)), limits.title),
    ...(news.action === 'delete' ? {} : { fields: Object.keys(payload) }),
    ...(await detailsOf(threads, news, { outcome, kind, payload })),
  }
}

async function detailsOf(
  threads: TextThreads,
  news: DraftOutcome,
  { outcome, kind, payload }: { outcome: OutcomeName; kind: Kind; payload: Record<string, unknown> },
): Promise<Record<string, unknown>> {
  const next = parse(news.next_payload)
  switch (outcome) {
    case 'approved':
      return { version: news.result_version }
    case 'edited':
      return {
        version: news.next_result_version,
        owner_changed: await differences(threads, kind, { drafted: payload, approved: next }),
      }
    case 'partly_approved':
      return {
        version: news.result_version,
        ...(news.decision?.fields ? { approved_fields: news.decision.fields } : {}),
        left_out: { draft: news.next_id, fields: Object.keys(next), still_waits: true },
      }
    case 'rejected':
      return {
        reason: news.decision?.reason ? cut(news.decision.reason, limits.reason) : null,
        ...(news.next_derivation === 'rest'
          ? { kept: { draft: news.next_id, fields: Object.keys(next), still_waits: true } }
          : {}),
      }
    case 'superseded':
      return { by: news.next_id, how: news.next_derivation }
    default:
      return {}
  }
}

const isEdited = ({ next_derivation }: DraftOutcome) =>
  next_derivation === 'edited' || next_derivation === 'resolved'

/** What the owner made of the draft before approving it, field by field; of the long text as lines. */
async function differences(threads: TextThreads, kind: Kind, { drafted, approved }: Payloads) {
  const names = [...new Set([...Object.keys(drafted), ...Object.keys(approved)])]
  const changed = names.filter((name) => JSON.stringify(drafted[name]) !== JSON.stringify(approved[name]))
  return await Promise.all(
    changed.map(async (field) => {
      const [before, after] = [drafted[field], approved[field]]
      if (field !== kind.bodyField) return { field, drafted: quote(before), approved: quote(after) }
      const diff = await threads.run(lineDiffTask, {
        before: textOf(before),
        after: textOf(after),
        max: limits.diff,
      })
      return diff === null ? { field, too_complex: true } : { field, diff: cut(diff, limits.diff) }
    }),
  )
}

type Payloads = Record<'drafted' | 'approved', Record<string, unknown>>

const lineDiffTask = textTask(new URL('../core/text/diff/hunks.ts', import.meta.url), lineDiff)

const quote = (value: unknown) =>
  value === undefined ? null : typeof value === 'string' ? cut(value, limits.value) : value

const cut = (text: string, length: number) =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed()

const parse = (payload: string | null): Record<string, unknown> => (payload ? JSON.parse(payload) : {})
