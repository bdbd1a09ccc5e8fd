// The order of the Inbox: drafts of one changeset are grouped.

import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { isPlain } from '../card/draft/card-state.ts'

export type Group = {
  changesetId: string
  /** In the order they were drafted: a later one may depend on an earlier one. */
  lines: CardLine[]
  /** Those that may be approved together: pending, up to date, deleting nothing. */
  plain: CardLine[]
}

/** Groups in the order of their newest draft, for lines that come newest first. */
export function groupLines(lines: readonly CardLine[]): Group[] {
  const groups = Map.groupBy(lines, ({ changeset_id }) => changeset_id)
  return [...groups].map(([changesetId, ofOne]) => {
    const ordered = ofOne.toSorted((a, b) => (a.pending_change_id < b.pending_change_id ? -1 : 1))
    return { changesetId, lines: ordered, plain: ordered.filter(isPlain) }
  })
}

/** The position of a draft in the list, and its neighbours; `index` is -1 for one that is not in it. */
export function placeOf(ids: readonly string[], id: string | null) {
  const index = id === null ? -1 : ids.indexOf(id)
  return {
    index,
    previous: index > 0 ? ids[index - 1]! : null,
    next: index >= 0 ? (ids[index + 1] ?? null) : (ids[0] ?? null),
  }
}

/** The draft to open once these are decided: the one after the last of them, else the one before. */
export function afterDecided(ids: readonly string[], decided: ReadonlySet<string>): string | null {
  const last = ids.findLastIndex((id) => decided.has(id))
  const rest = (id: string) => !decided.has(id)
  return ids.slice(last + 1).find(rest) ?? ids.slice(0, Math.max(0, last)).findLast(rest) ?? null
}
