import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Kinds } from '../contract/entities/kinds.ts'

/**
 * The drafts of the list that make what a draft refers to: the entity that a reference field names, or its own target.
 * What is replaced makes nothing any more.
 */
export function creatorsNeeded(
  kinds: Kinds,
  change: PendingChange,
  changes: readonly PendingChange[],
): PendingChange[] {
  const { references } = kinds.get(change.entity_type)
  const named = Object.keys(references).map((field) => change.payload[field])
  const ids = new Set(change.action === 'create' ? named : [...named, change.entity_id])
  return changes.filter(
    (one) =>
      one.id !== change.id &&
      one.action === 'create' &&
      one.status !== 'superseded' &&
      ids.has(one.entity_id),
  )
}

/**
 * The same drafts, each after those that it needs, otherwise as they were made, and renames last: links follow them, which
 * gives other texts a new version. A circle stays as it was made.
 */
export function orderByNeed(kinds: Kinds, changes: readonly PendingChange[]): PendingChange[] {
  const ordered = new Set<PendingChange>()
  const begun = new Set<PendingChange>()

  function visit(change: PendingChange): void {
    if (begun.has(change)) return
    begun.add(change)
    for (const needed of creatorsNeeded(kinds, change, changes)) visit(needed)
    ordered.add(change)
  }
  for (const change of changes) if (!isRename(change)) visit(change)
  for (const change of changes) visit(change)
  return [...ordered]
}

const isRename = ({ action, payload }: PendingChange) =>
  action === 'update' && Object.hasOwn(payload, 'title')
