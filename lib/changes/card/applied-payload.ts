import type { PendingChange } from '../../contract/changes/pending-change.ts'

/**
 * The draft as it is shown: of one that was approved in part only what was applied, with the values from the audit
 * log where they are at hand.
 */
export function asApplied(change: PendingChange, after: Record<string, unknown> | null): PendingChange {
  const { status, superseded_by, decision } = change
  if (status !== 'approved' || superseded_by === null || decision === null) return change
  const chosen = Object.entries(change.payload).filter(([name]) => decision.fields?.includes(name) ?? true)
  const payload = chosen.flatMap(([name, value]) =>
    after === null ? [[name, value]] : Object.hasOwn(after, name) ? [[name, after[name]]] : [],
  )
  return { ...change, payload: Object.fromEntries(payload) }
}
