// What of a Space is told to the companion before it asks: names and counts, the tabs that are open, what is looked at.
// No text of anything.

import type { OpenDesk, OpenTab } from '../contract/open-desk.ts'
import type { Queryable } from '../db/pool.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createOutlineRepo, type Outline } from '../db/repos/outline.ts'
import type { Kinds } from '../entities/kinds.ts'

/** A thing with its title, or a view. */
export type Seen = { kind: string; id: string; title: string } | { view: string; q: string | null }

export type SeenSpace = Outline & {
  /** In their order, the left side first. */
  tabs: (Seen & { side: 'left' | 'right'; shown: boolean })[]
  /** What is looked at; `null` for nothing in particular. */
  view: Seen | null
}

export type SeeRequest = {
  space_id: string
  /** What the owner looks at, as the browser said it. */
  view: { entityType: string; entityId: string } | null
  desk: OpenDesk | null
}

/** Names of a kind that are looked up; the prompt shows as many as it has room for. */
const mostNames = 40

/** Titles are those that are stored. A tab of what is not in the Space is left out, as if it were not open. */
export async function seeSpace(
  db: Queryable,
  kinds: Kinds,
  { space_id, view, desk }: SeeRequest,
): Promise<SeenSpace> {
  const asked = view ? { kind: view.entityType, id: view.entityId } : null
  const named = [...(desk?.tabs ?? []), asked].flatMap((one) => (one && 'id' in one ? [one] : []))
  const titles = await findTitles(db, kinds, space_id, named)
  const toSeen = (tab: OpenTab | Thing): Seen[] => {
    if ('view' in tab) return [{ view: tab.view, q: tab.q }]
    const title = titles.get(keyOf(tab))
    return title === undefined ? [] : [{ kind: tab.kind, id: tab.id, title }]
  }

  const tabs = (desk?.tabs ?? []).flatMap((tab) =>
    toSeen(tab).map((seen) => ({ ...seen, side: tab.side, shown: tab.shown })),
  )
  const front = tabs.find(({ side, shown }) => shown && side === desk?.active)
  return {
    ...(await createOutlineRepo(db).find(kinds.all, space_id, mostNames)),
    tabs: tabs.toSorted((a, b) => a.side.localeCompare(b.side)),
    view: (asked && toSeen(asked)[0]) ?? (front && 'view' in front ? front : null),
  }
}

type Thing = { kind: string; id: string }

async function findTitles(
  db: Queryable,
  kinds: Kinds,
  spaceId: string,
  things: readonly Thing[],
): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (const [type, ofKind] of Map.groupBy(things, ({ kind }) => kind)) {
    const kind = kinds.find(type)
    if (!kind) continue
    const ids = ofKind.map(({ id }) => id)
    for (const { id, title } of await createEntitiesRepo(db).listTitles(kind, spaceId, ids))
      titles.set(keyOf({ kind: type, id }), title)
  }
  return titles
}

const keyOf = ({ kind, id }: Thing) => `${kind} ${id.toLowerCase()}`
