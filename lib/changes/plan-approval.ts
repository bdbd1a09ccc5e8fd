import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../entities/kind.ts'
import { conflict, invalid } from '../errors.ts'
import { changedFields, validateCreate, validateUpdate } from '../writes/validate-fields.ts'
import type { ApproveRequest, Terms } from './approval-terms.ts'
import { canonicalJson } from './payload.ts'
import { resolveConflicts } from './resolve-conflicts.ts'
import { type ChooseHunks, splitPayload } from './split-payload.ts'

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
  choose: ChooseHunks
}

/**
 * Works out what the owner's approval applies. Throws `AppError`: 400 for what the draft does not have or the kind does
 * not allow, 409 `open_conflicts` while a conflict of a merge has no choice, 409 `too_complex` as `splitPayload`.
 */
export async function planApproval(input: PlanInput): Promise<Plan> {
  const { kind, row, change, request, terms, choose } = input
  const { edited, choices = {} } = request
  const partial = terms.fields !== undefined || terms.hunks !== undefined
  if (edited && (request.fields || request.hunks)) {
    throw invalid('Send either edited values or a choice of fields and hunks.')
  }
  if (kind.effect) checkEffect(kind, kind.effect, { partial, edited })
  if (change.action === 'delete') {
    if (partial || edited) throw invalid('A delete cannot be approved in part.')
    return { way: 'whole' }
  }
  if (change.conflicts.length > 0 || Object.keys(choices).length > 0) {
    if (partial) throw invalid('Resolve every conflict first, then select fields of the result.')
    return other('resolved', resolveConflicts({ row, change, choices, edited }))
  }
  if (edited) return other('edited', { ...change.payload, ...edited })
  if (!partial) return { way: 'whole' }

  const fields = request.fields ?? Object.keys(change.payload)
  const wanted = { fields, hunks: request.hunks ?? {}, choose }
  const { chosen, rest } = await splitPayload(kind, row, change, wanted)
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

/** What has an effect outside is what was proposed, but for what the owner may word otherwise. */
function checkEffect(
  { label }: Kind,
  { editable }: NonNullable<Kind['effect']>,
  { partial, edited }: { partial: boolean; edited: ApproveRequest['edited'] },
): void {
  if (partial) throw invalid(`A ${label} cannot be approved in part.`)
  const other = Object.keys(edited ?? {}).find((name) => !editable.includes(name))
  if (other) throw invalid(`${other}: of a ${label} only these can be edited: ${editable.join(', ')}.`)
}
