import type { ChangeAction } from '../../contract/changes/change-status.ts'
import type { DroppedChange } from '../../contract/changes/decision.ts'
import { computeHunks } from '../../text/diff/hunks.ts'
import { splitLines } from '../../text/split-lines.ts'

const maxTextChars = 200

type Draft = { action: ChangeAction; payload: Record<string, unknown> }

export type DropQuestion = {
  older: Draft
  newer: Draft
  /** What both would change; `null` for something new. */
  row: Record<string, unknown> | null
  bodyField: string
}

/** What the older draft would change and the newer one would not. */
export function droppedChanges({ older, newer, row, bodyField }: DropQuestion): DroppedChange[] {
  if (newer.action === 'delete') return []
  if (older.action === 'delete') return [{ field: '', text: 'the deletion' }]
  const dropped: DroppedChange[] = []
  for (const [field, value] of Object.entries(older.payload)) {
    const now = field in newer.payload ? newer.payload[field] : row?.[field]
    if (JSON.stringify(now) === JSON.stringify(value)) continue
    if (field !== bodyField || typeof value !== 'string') {
      dropped.push({ field, text: String(value ?? 'none').slice(0, maxTextChars) })
      continue
    }
    const lost = lostLines(typeof row?.[field] === 'string' ? row[field] : '', value, String(now ?? ''))
    if (lost !== '') dropped.push({ field, text: lost.slice(0, maxTextChars).toWellFormed() })
  }
  return dropped
}

/** The lines that `drafted` adds to `before` and that are not in `now`; by words where a line was changed further. */
function lostLines(before: string, drafted: string, now: string): string {
  const kept = new Set(splitLines(now).map((line) => line.trim()))
  const words = new Set(now.split(/\s+/))
  return computeHunks(before, drafted)
    .flatMap((hunk) => {
      const old = new Set(hunk.before.lines.flatMap((line) => line.split(/\s+/)))
      const added = hunk.after.lines
        .map((line) => line.trim())
        .filter((line) => line !== '' && !kept.has(line))
      return added.filter((line) => line.split(/\s+/).some((word) => !old.has(word) && !words.has(word)))
    })
    .join(' / ')
}
