import type { PendingChange } from '../contract/card.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { conflict, invalid } from '../errors.ts'
import type { ApproveRequest, Terms } from './approval-terms.ts'
import { canonicalJson } from './payload.ts'
import { resolveConflicts } from './resolve-conflicts.ts'
import { splitPayload } from './split-payload.ts'
import { changedFields, validateCreate, validateUpdate } from './validate-fields.ts'

/** How an approval is carried out. */
export type Plan =
  /** The payload as it is stored. */
  | { way: 'whole' }
  /** A part of it; the rest goes on as a successor. */
  | { way: 'part'; chosen: Record<string, unknown>; rest: Record<string, unknown> }
  /** Another payload, which becomes the successor and is what is applied. */
  | { way: 'other'; derivation: 'edited' | 'resolved'; payload: Record<string, unknown> }

export type PlanInput = {
  kind: Kind
  /** The target at the draft's base version; `null` for a create. */
  row: EntityRow | null
  change: PendingChange
  request: ApproveRequest
  terms: Terms
}

/**
 * Works out what the owner's approval applies. Pure. Throws `AppError`: 400 for what the draft does not have or the
 * kind does not allow, 409 `open_conflicts` while a conflict of a merge has no choice.
 */
export function planApproval({ kind, row, change, request, terms }: PlanInput): Plan {
  const { edited, choices = {} } = request
  const partial = terms.fields !== undefined || terms.hunks !== undefined
  if (edited && (request.fields || request.hunks)) {
    throw invalid('Send either edited values or a choice of fields and hunks.')
  }
  if (change.action === 'delete') {
    if (partial || edited) throw invalid('A delete is approved whole.')
    return { way: 'whole' }
  }
  if (change.conflicts.length > 0 || Object.keys(choices).length > 0) {
    if (partial) throw invalid('Choose a side of every conflict first, then the fields of what that gives.')
    return other('resolved', resolveConflicts({ row, change, choices, edited }))
  }
  if (edited) return other('edited', { ...change.payload, ...edited })
  if (!partial) return { way: 'whole' }

  const fields = request.fields ?? Object.keys(change.payload)
  const { chosen, rest } = splitPayload(kind, row, change, { fields, hunks: request.hunks ?? {} })
  return Object.keys(rest).length === 0 ? { way: 'whole' } : { way: 'part', chosen, rest }

  function other(derivation: 'edited' | 'resolved', values: Record<string, unknown>): Plan {
    const payload = row ? changedFields(row, validateUpdate(kind, values)) : validateCreate(kind, values)
    if (Object.keys(payload).length === 0) {
      throw conflict('nothing_left', 'This would change nothing. Reject the draft instead.')
    }
    if (canonicalJson(payload) === canonicalJson(change.payload)) return { way: 'whole' }
    return { way: 'other', derivation: edited ? 'edited' : derivation, payload }
  }
}
