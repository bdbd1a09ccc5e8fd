// What the owner's decision takes of a draft: all of it, some fields or hunks, or other values. Worked out before the
// transaction of the decision, for the version that the draft is based on, as a large text is compared in a thread.

import { changedFields, validateCreate, validateUpdate } from '../content/writes/validate-fields.ts'
import { type Conflict, type Decision, makesNew, type Side } from '../contract/changes/decision.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { Provenance } from '../contract/changes/provenance.ts'
import { type EntityRow, type Kind, textOf } from '../contract/entities/kind.ts'
import type { Kinds } from '../contract/entities/kinds.ts'
import { conflict, invalid } from '../core/errors.ts'
import type { Database } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { type TextThreads, textTask } from '../jobs/workers/text-threads.ts'
import { chooseHunks } from './compare-drafts.ts'
import { recheckQuotes } from './grounding/provenance.ts'
import { canonicalJson, sha256 } from './payload.ts'

/** What the owner asks for; nothing of it: the draft as it is. */
export type ApproveRequest = {
  /** The hash of the payload that was looked at. */
  payload_sha256?: string | undefined
  /** Only these fields. */
  fields?: readonly string[] | undefined
  /** Of a long text only these hunks, by their numbers in `computeHunks`. */
  hunks?: Readonly<Record<string, readonly number[]>> | undefined
  /** Other values than the draft's, or further ones. */
  edited?: Readonly<Record<string, unknown>> | undefined
  /** The sides of conflicts, by their index. */
  choices?: Readonly<Record<string, Side>> | undefined
}

export type Terms = Omit<Decision, 'decision' | 'reason'>

/** A draft that goes on from the one that is decided. */
type Next = { payload: Record<string, unknown>; provenance: Provenance }

/** How an approval is carried out. */
export type Plan =
  /** The payload as it is stored. */
  | { way: 'whole' }
  /** A part of it; the rest goes on as a successor. */
  | { way: 'part'; chosen: Record<string, unknown>; rest: Next }
  /** Another payload, which becomes the successor and is what is applied. */
  | { way: 'other'; derivation: 'edited' | 'resolved'; next: Next }

export type PlanDeps = {
  database: Database
  kinds: Kinds
  threads: TextThreads
  /** What the passages of a Space are analysed in. */
  languages: readonly string[]
}

/** The plan of approving a draft as it is. Throws a 409 `AppError` `open_conflicts` for a merge that needs choices. */
export function planWhole(change: PendingChange): Plan {
  if (change.conflicts.length > 0) throw openConflicts(change.conflicts)
  return { way: 'whole' }
}

/**
 * Works out what the owner's approval applies; null where the draft does not wait, or its target is gone or has moved
 * on. Throws `AppError`: 400 for what the draft does not have or the kind does not allow, 409 `open_conflicts` while a
 * conflict of a merge has no choice, 409 `too_complex` as `splitPayload`.
 */
export async function planApproval(
  deps: PlanDeps,
  change: PendingChange,
  request: ApproveRequest,
): Promise<Plan | null> {
  const target = await findTarget(deps, change)
  if (!target) return null
  const { kind, row } = target
  const { edited, choices = {} } = request
  const { fields, hunks } = termsOf(change, request)
  const partial = fields !== undefined || hunks !== undefined
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
    return await other('resolved', resolveConflicts({ row, change, choices, edited }))
  }
  if (edited) return await other('edited', { ...change.payload, ...edited })
  if (!partial) return { way: 'whole' }

  const { chosen, rest } = await splitPayload(deps.threads, target, change, request)
  if (Object.keys(rest).length === 0) return { way: 'whole' }
  // What is left of a create changes what then exists.
  const next = { ...change, action: 'update', payload: rest, row: { ...row, ...chosen } } as const
  const provenance = await recheckQuotes(deps.database, deps, change, next)
  return { way: 'part', chosen, rest: { payload: rest, provenance } }

  async function other(derivation: 'edited' | 'resolved', values: Record<string, unknown>): Promise<Plan> {
    const payload = row ? changedFields(row, validateUpdate(kind, values)) : validateCreate(kind, values)
    if (Object.keys(payload).length === 0) {
      throw conflict('nothing_left', 'This would change nothing. Reject the draft instead.')
    }
    if (canonicalJson(payload) === canonicalJson(change.payload)) return { way: 'whole' }
    const provenance = await recheckQuotes(deps.database, deps, change, { ...change, payload, row })
    return { way: 'other', derivation: edited ? 'edited' : derivation, next: { payload, provenance } }
  }
}

type Choice = Pick<ApproveRequest, 'fields' | 'hunks'>

/**
 * What is kept of a draft that is rejected in part, as a draft of its own; null as `planApproval`. Throws `AppError`: 400
 * for what the draft does not have, or where nothing is left out; 409 `too_complex` as `splitPayload`.
 */
export async function planRejection(
  deps: PlanDeps,
  change: PendingChange,
  keep: Choice,
): Promise<Next | null> {
  const target = await findTarget(deps, change)
  if (!target) return null
  const { chosen, rest } = await splitPayload(deps.threads, target, change, keep)
  if (Object.keys(rest).length === 0) throw invalid('All parts are kept, so nothing would be rejected.')
  const next = { ...change, payload: chosen, row: target.row }
  return { payload: chosen, provenance: await recheckQuotes(deps.database, deps, change, next) }
}

/** `row`: at the draft's base version; null for a create. */
type Target = { kind: Kind; row: EntityRow | null }

async function findTarget(
  { database, kinds }: PlanDeps,
  { status, action, space_id, entity_type, entity_id, base_version }: PendingChange,
): Promise<Target | null> {
  if (status !== 'pending') return null
  const kind = kinds.get(entity_type)
  if (makesNew(action)) return { kind, row: null }
  const row = await createEntitiesRepo(database).find(kind, space_id, entity_id)
  return row?.version === base_version ? { kind, row } : null
}

/** What has an effect outside is what was proposed, but for what the owner may word otherwise. */
function checkEffect(
  { label }: Kind,
  { editable }: NonNullable<Kind['effect']>,
  { partial, edited }: { partial: boolean; edited: ApproveRequest['edited'] },
): void {
  if (partial) throw invalid(`A ${label} cannot be approved in part.`)
  const other = Object.keys(edited ?? {}).find((name) => !editable.includes(name))
  if (other) throw invalid(`${other}: only these fields of a ${label} can be edited: ${editable.join(', ')}.`)
}

/**
 * The values that a merged change results in with a side chosen for each conflict; a field that the owner has edited
 * needs no choice. Throws `AppError`: 409 `open_conflicts` with those that have none, 400 for a choice of nothing.
 */
function resolveConflicts({
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
  if (open.length > 0) throw openConflicts(open)

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

type Parts = { chosen: Record<string, unknown>; rest: Record<string, unknown> }

/**
 * The payload of a draft in two: the chosen fields, of a long text the chosen hunks, and what remains to be reviewed
 * once those are applied. `rest` is empty when everything was chosen. Throws a 400 `AppError` for a field or hunk that
 * the draft does not have, or when nothing is chosen; 409 `too_complex` for hunks of a text that cannot be compared.
 */
async function splitPayload(
  threads: TextThreads,
  { kind, row }: Target,
  { payload }: PendingChange,
  { fields = Object.keys(payload), hunks = {} }: Choice,
): Promise<Parts> {
  const unknown = [...fields, ...Object.keys(hunks)].find((name) => !Object.hasOwn(payload, name))
  if (unknown !== undefined) throw invalid(`The draft does not change ${unknown}.`)

  const parts: Parts = { chosen: {}, rest: {} }
  for (const [name, value] of Object.entries(payload)) {
    const wanted = hunks[name]
    if (!fields.includes(name)) parts.rest[name] = value
    else if (wanted === undefined) parts.chosen[name] = value
    else {
      if (name !== kind.bodyField) throw invalid(`${name} is not a long text: select it as a whole.`)
      const sides = { before: textOf(row?.[name]), after: textOf(value) }
      const applied = await threads.run(chooseTask, { ...sides, wanted })
      if (!applied) throw tooComplex(name)
      splitText(parts, name, { ...applied, after: sides.after, wanted })
    }
  }
  if (Object.keys(parts.chosen).length === 0) {
    throw invalid('No parts selected. Select at least one, or reject the draft.')
  }
  return parts
}

type SplitText = { text: string; count: number; after: string; wanted: readonly number[] }

/** Adds the text with the chosen hunks to what is chosen, and the whole of it to the rest where hunks are left. */
function splitText(parts: Parts, name: string, { text, count, after, wanted }: SplitText): void {
  const outside = wanted.find((number) => number >= count)
  if (outside !== undefined)
    throw invalid(`${name} has ${count} hunks, numbered from 0. Unknown hunk: ${outside}.`)

  const chosen = new Set(wanted)
  if (chosen.size > 0) parts.chosen[name] = text
  if (chosen.size < count) parts.rest[name] = after
}

const chooseTask = textTask(new URL('./compare-drafts.ts', import.meta.url), chooseHunks)

const tooComplex = (name: string) =>
  conflict(
    'too_complex',
    `The change of ${name} is too complex to be approved in part. Approve all of it, edit it, or reject it.`,
  )

const openConflicts = (conflicts: readonly Conflict[]) =>
  conflict('open_conflicts', 'Both sides changed the same place. Choose a side for each conflict.', {
    conflicts,
  })

/** The request in one form for each meaning, as it is kept with the decision. */
export function termsOf(change: PendingChange, request: ApproveRequest): Terms {
  const fields = [...new Set(request.fields ?? Object.keys(change.payload))].sort()
  const hunks = Object.entries(request.hunks ?? {}).map(([field, numbers]) => [
    field,
    [...new Set(numbers)].sort((a, b) => a - b),
  ])
  const whole =
    hunks.length === 0 && canonicalJson(fields) === canonicalJson(Object.keys(change.payload).sort())

  return {
    ...(whole || request.edited ? {} : { fields }),
    ...(hunks.length > 0 ? { hunks: Object.fromEntries(hunks) } : {}),
    ...(request.edited ? { edited_sha256: sha256(canonicalJson(request.edited)) } : {}),
    ...(request.choices && Object.keys(request.choices).length > 0
      ? { choices: { ...request.choices } }
      : {}),
  }
}

/** Whether the draft was approved on these very terms. */
export const wasApprovedOn = (change: PendingChange, terms: Terms): boolean =>
  wasDecidedOn('approve', change, terms)

/** Whether it was rejected but for just this. */
export const wasRejectedOn = (change: PendingChange, terms: Terms): boolean =>
  wasDecidedOn('reject', change, terms)

function wasDecidedOn(how: Decision['decision'], { decision }: PendingChange, terms: Terms): boolean {
  if (decision?.decision !== how) return false
  const { decision: _, reason, ...first } = decision
  return canonicalJson(first) === canonicalJson(terms)
}
