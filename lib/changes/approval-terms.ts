import type { Decision, Side } from '../contract/changes/decision.ts'
import type { PendingChange } from '../contract/changes/pending-change.ts'
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
