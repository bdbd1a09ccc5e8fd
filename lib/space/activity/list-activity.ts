// The activity log, with entities' current titles.

import type { ActivityEntry } from '../../contract/activity.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { plainText } from '../../core/text/markdown.ts'
import type { Queryable } from '../../db/pool.ts'
import { type ActivityFilter, type ActivityRow, createActivityRepo } from '../../db/repos/activity.ts'
import { createOverviewRepo } from '../../db/repos/home.ts'

/** An entry's position in the order: its time to the microsecond, and its id. */
export type ActivityPlace = NonNullable<ActivityFilter['after']>

/** Entries after a position, latest first, and the last one's position; `next` null: there are no more. */
export async function listActivity(
  db: Queryable,
  kinds: Kinds,
  filter: ActivityFilter,
): Promise<{ items: ActivityEntry[]; next: ActivityPlace | null }> {
  const rows = await createActivityRepo(db).list({ ...filter, limit: filter.limit + 1 })
  const shown = rows.slice(0, filter.limit)
  const last = shown.at(-1)
  const next = rows.length > filter.limit && last ? { stamp: last.stamp, id: last.id } : null
  return { items: await withTitles(db, kinds, shown), next }
}

/** All entries that match the filter, a page at a time. */
export async function* walkActivity(
  db: Queryable,
  kinds: Kinds,
  filter: Omit<ActivityFilter, 'after'>,
): AsyncGenerator<ActivityEntry> {
  let after: ActivityPlace | null = null
  do {
    const { items, next }: Awaited<ReturnType<typeof listActivity>> = await listActivity(db, kinds, {
      ...filter,
      after,
    })
    yield* items
    after = next
  } while (after !== null)
}

async function withTitles(db: Queryable, kinds: Kinds, rows: ActivityRow[]): Promise<ActivityEntry[]> {
  const titles = new Map<string, string>()
  const drafted = new Map<string, string>()
  for (const [spaceId, ofSpace] of Map.groupBy(rows, ({ space_id }) => space_id)) {
    if (spaceId === null) continue
    const ids = ofSpace.flatMap(({ entity_id }) => entity_id ?? [])
    const found = await createOverviewRepo(db).titlesOf(kinds.all, spaceId, ids)
    for (const [id, title] of found) titles.set(id, title)
    const drafts = ofSpace.flatMap(({ entity_id, pending_change_id }) =>
      found.has(entity_id ?? '') ? [] : (pending_change_id ?? []),
    )
    if (drafts.length === 0) continue
    for (const [id, title] of await createActivityRepo(db).draftedTitles(spaceId, drafts))
      drafted.set(id, title)
  }
  return rows.map(({ stamp, ...row }) => {
    const id = row.entity_id ?? ''
    return {
      ...row,
      title: titles.get(id) ?? drafted.get(id) ?? '',
      exists: titles.has(id) || row.entity_type === 'space',
      result: row.source === 'message' ? inOneLine(row.result) : row.result,
    }
  })
}

const inOneLine = (markdown: string) => plainText(markdown).replace(/\s+/g, ' ').trim()
