import type { Conflict, Side } from '../contract/changes/decision.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { EntityRow } from '../entities/kind.ts'
import { textOf } from '../entities/kind.ts'
import { conflict, invalid } from '../errors.ts'

/**
 * The values that a merged change results in with a side chosen for each conflict; a field that the owner has edited
 * needs no choice. Throws `AppError`: 409 `open_conflicts` with those that have none, 400 for a choice of nothing.
 */
export function resolveConflicts({
  row,
  change,
  choices,
  edited = {},
}: {
  row: EntityRow | null
  change: PendingChange
  choices: Readonly<Record<string, Side>>
  edited?: Readonly<Record<string, unknown>> | undefined
}): Record<string, unknown> {
  const { conflicts } = change
  const stray = Object.keys(choices).find((index) => !conflicts.some((one) => String(one.index) === index))
  if (stray !== undefined) throw invalid(`choices: unknown conflict ${stray}.`)
  const open = conflicts.filter(({ index, field }) => !choices[index] && !Object.hasOwn(edited, field))
  if (open.length > 0) {
    throw conflict('open_conflicts', 'Both sides changed the same place. Choose a side for each conflict.', {
      conflicts: open,
    })
  }

  const values = { ...change.payload }
  // From the end, so that the places before stay where they are.
  for (const one of conflicts.toReversed()) {
    if (choices[one.index] !== 'draft') continue
    values[one.field] =
      one.at === null ? one.draft : withDraftSide(textOf(values[one.field] ?? row?.[one.field]), one, one.at)
  }
  return { ...values, ...edited }
}

function withDraftSide(text: string, { current, draft }: Conflict, at: number): string {
  return text.slice(0, at) + textOf(draft) + text.slice(at + textOf(current).length)
}
