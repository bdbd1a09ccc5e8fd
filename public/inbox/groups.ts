// The order of the Inbox: drafts that were made together stand together.

import type { CardLine } from '../../lib/contract/card.ts'
import { isPlain } from '../card/words.ts'

export type Group = {
  changesetId: string
  /** As they were drafted, so that a later one may rely on an earlier one. */
  lines: CardLine[]
  /** Those that may be approved at once: waiting, fresh, taking nothing away. */
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

/** Where a draft stands among those shown, and its neighbours; `index` is -1 for one that is not among them. */
export function placeOf(ids: readonly string[], id: string | null) {
  const index = id === null ? -1 : ids.indexOf(id)
  return {
    index,
    previous: index > 0 ? ids[index - 1]! : null,
    next: index >= 0 ? (ids[index + 1] ?? null) : (ids[0] ?? null),
  }
}

/** What is up once these drafts are decided: the one after the last of them, else the one before. */
export function afterDecided(ids: readonly string[], decided: ReadonlySet<string>): string | null {
  const last = ids.findLastIndex((id) => decided.has(id))
  const rest = (id: string) => !decided.has(id)
  return ids.slice(last + 1).find(rest) ?? ids.slice(0, Math.max(0, last)).findLast(rest) ?? null
}
