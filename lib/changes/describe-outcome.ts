import { type Kind, textOf } from '../contract/entities/kind.ts'
import { cleanLine } from '../core/text/clean.ts'
import { lineDiff } from '../core/text/diff/hunks.ts'
import type { DraftOutcome, OutcomeName } from '../db/repos/delivered_outcomes.ts'
import { type TextThreads, textTask } from '../jobs/workers/text-threads.ts'

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
