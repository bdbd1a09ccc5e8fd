import { computeHunks } from '../changes/hunks.ts'
import type { NewsRow, OutcomeName } from '../db/repos/told_outcomes.ts'
import type { Kind } from '../entities/kind.ts'
import { textOf } from '../entities/kind.ts'
import { cleanLine } from '../text/clean.ts'

/** Characters of what is quoted. */
const limits = { title: 120, reason: 500, value: 300, diff: 1500 } as const

/** What became of a draft, as it stands now; `undone` when its effect was taken back. */
export function outcomeOf(news: NewsRow, undone: boolean): OutcomeName | null {
  if (undone) return 'undone'
  const { status, next_derivation } = news
  if (status === 'approved') return next_derivation === 'rest' ? 'partly_approved' : 'approved'
  if (status === 'superseded') return isEdited(news) ? 'edited' : 'superseded'
  return status === 'rejected' || status === 'obsolete' || status === 'expired' ? status : null
}

/** An outcome for its agent: fixed names, quoted values, all of bounded length. `title` is the thing's own. */
export function describeOutcome(
  news: NewsRow,
  { outcome, kind, title }: { outcome: OutcomeName; kind: Kind; title: string },
): Record<string, unknown> {
  const payload = parse(news.payload)
  return {
    draft: news.id,
    outcome,
    action: news.action,
    kind: kind.type,
    id: news.entity_id,
    title: cut(cleanLine(title || textOf(payload.title)), limits.title),
    ...(news.action === 'delete' ? {} : { fields: Object.keys(payload) }),
    ...detailsOf(news, { outcome, kind, payload }),
  }
}

function detailsOf(
  news: NewsRow,
  { outcome, kind, payload }: { outcome: OutcomeName; kind: Kind; payload: Record<string, unknown> },
): Record<string, unknown> {
  const next = parse(news.next_payload)
  switch (outcome) {
    case 'approved':
      return { version: news.result_version }
    case 'edited':
      return { version: news.next_result_version, owner_changed: differences(kind, payload, next) }
    case 'partly_approved':
      return {
        version: news.result_version,
        ...(news.decision?.fields ? { approved_fields: news.decision.fields } : {}),
        left_out: { draft: news.next_id, fields: Object.keys(next), still_waits: true },
      }
    case 'rejected':
      return { reason: news.decision?.reason ? cut(news.decision.reason, limits.reason) : null }
    case 'superseded':
      return { by: news.next_id, how: news.next_derivation }
    default:
      return {}
  }
}

const isEdited = ({ next_derivation }: NewsRow) =>
  next_derivation === 'edited' || next_derivation === 'resolved'

/** What the owner made of the draft before approving it, field by field; of the long text as lines. */
function differences(kind: Kind, drafted: Record<string, unknown>, approved: Record<string, unknown>) {
  const names = [...new Set([...Object.keys(drafted), ...Object.keys(approved)])]
  return names
    .filter((name) => JSON.stringify(drafted[name]) !== JSON.stringify(approved[name]))
    .map((field) => {
      const [before, after] = [drafted[field], approved[field]]
      return field === kind.bodyField
        ? { field, diff: cut(lineDiff(textOf(before), textOf(after)), limits.diff) }
        : { field, drafted: quote(before), approved: quote(after) }
    })
}

function lineDiff(before: string, after: string): string {
  const signed = (sign: string, lines: string[]) => lines.map((line) => `${sign}${line.replace(/\n$/, '')}`)
  return computeHunks(before, after)
    .flatMap((hunk) => [...signed('-', hunk.before.lines), ...signed('+', hunk.after.lines)])
    .join('\n')
}

const quote = (value: unknown) =>
  value === undefined ? null : typeof value === 'string' ? cut(value, limits.value) : value

const cut = (text: string, length: number) =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed()

const parse = (payload: string | null): Record<string, unknown> => (payload ? JSON.parse(payload) : {})
