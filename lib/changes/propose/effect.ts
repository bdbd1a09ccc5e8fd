// What a draft would do, as a hash that does not depend on how it is written: of two drafts with the same one, the owner
// has decided on both by deciding on one.

import { makesNew } from '../../contract/changes/decision.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import { type Kind, textOf } from '../../contract/entities/kind.ts'
import type { Queryable } from '../../db/pool.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { canonicalJson, sha256 } from '../payload.ts'
import type { DraftToAdmit } from './proposal.ts'
import { baseOf } from './resolve-draft.ts'

type Change = Pick<PendingChange, 'entity_type' | 'entity_id' | 'action' | 'payload'>

/** `base`: the fields that it would change, as the draft saw them; null for what is new. */
export function effectOf(kind: Kind, change: Change, base: Record<string, unknown> | null): string {
  return sha256(canonicalJson(partsOf(kind, change, base)))
}

function partsOf(
  kind: Kind,
  { entity_type, entity_id, action, payload }: Change,
  base: Change['payload'] | null,
) {
  // Something new is the same thing when it is called the same, or, without a name, when it holds the same.
  if (makesNew(action)) return [entity_type, action, nameOf(payload) ?? fold(canonicalJson(payload))]
  const fields = Object.keys(payload)
    .sort()
    .map((field) =>
      field === kind.bodyField
        ? [field, ...changedLines(textOf(base?.[field]), textOf(payload[field]))]
        : [field, typeof payload[field] === 'string' ? fold(payload[field]) : payload[field]],
    )
  return [entity_type, action, entity_id, fields]
}

function nameOf({ title, name, url }: Change['payload']): string | null {
  const named = [title, name, url].find((each) => typeof each === 'string' && each.trim() !== '')
  return named === undefined ? null : fold(textOf(named))
}

/** Lines that go and lines that come, wherever they stand: what else the text says does not matter. */
function changedLines(before: string, after: string): [gone: string[], come: string[]] {
  const counts = new Map<string, number>()
  for (const line of linesOf(before)) counts.set(line, (counts.get(line) ?? 0) - 1)
  for (const line of linesOf(after)) counts.set(line, (counts.get(line) ?? 0) + 1)
  const those = (sign: number) =>
    [...counts].flatMap(([line, count]) => (count * sign > 0 ? [line] : [])).sort()
  return [those(-1), those(1)]
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(fold)
    .filter((line) => line !== '')

/** Without case, marks around words and runs of space; signs of numbers and of money stay. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?:(?!-\d)[^\p{L}\p{N}\p{Sc}%+])+/gu, ' ')
    .trim()

/** Rejected drafts that are compared, the latest of each thing or kind. */
const maxCompared = 200

/** A rejected draft with the same effect; `null`: there is none. */
export async function findRejectedAlike(
  tx: Queryable,
  { kind, row, ...draft }: DraftToAdmit,
): Promise<PendingChange | null> {
  const rejected = await createPendingChangeListsRepo(tx).listRejectedOf(draft, maxCompared)
  if (rejected.length === 0) return null
  const effect = effectOf(kind, draft, row)
  for (const change of rejected) {
    const base = row && (await baseOf(tx, kind, row, change))
    if (row && base === null) continue
    if (effectOf(kind, change, base) === effect) return change
  }
  return null
}
