// From a ranking to a page of results: which passages of which entities, and where conversations stand among them.

import type { FoundChunk, Scope } from '../db/repos/chunk_rankings.ts'
import { keyOf } from './rank-passages.ts'
import { createTwins } from './same-text.ts'

/**
 * A passage of an answer. If each entity appears only once, `others` are its next best passages. `same` are the first
 * passages of other entities that say the same, which have no place of their own.
 */
export type Picked = { chunk: FoundChunk; others: FoundChunk[]; same: FoundChunk[] }

/**
 * The first `limit` passages or entities, without duplicates and with at most `per_entity` passages per entity; plus as
 * many conversations if conversations count less than the rest.
 */
export function pickPassages(
  found: readonly FoundChunk[],
  {
    limit,
    per_entity,
    by_entity,
    said,
    repeated = 'fold',
  }: Pick<Scope, 'limit' | 'per_entity' | 'by_entity' | 'said'> & { repeated?: 'fold' | 'keep' | undefined },
): Picked[] {
  const picked: Picked[] = []
  const counts = { aside: 0, others: 0 }
  const ofEntity = new Map<string, { first: Picked; taken: number }>()
  const keys = new Set<string>()
  const twinOf = createTwins<Picked>()

  for (const chunk of found) {
    const key = keyOf(chunk)
    const entity = ofEntity.get(chunk.entity_id)
    const list = said < 1 && isSaid(chunk) ? 'aside' : 'others'
    const isFull = counts[list] === limit
    if (keys.has(key) || entity?.taken === per_entity || (isFull && !(by_entity && entity))) continue
    keys.add(key)
    if (by_entity && entity) {
      entity.first.others.push(chunk)
      entity.taken += 1
      continue
    }
    const one: Picked = { chunk, others: [], same: [] }
    // What was said twice was said twice.
    const twin = repeated === 'keep' || isSaid(chunk) ? null : twinOf(chunk.text, one)
    if (twin) {
      const isOther = twin.chunk.entity_id !== chunk.entity_id
      if (isOther && !twin.same.some(({ entity_id }) => entity_id === chunk.entity_id)) twin.same.push(chunk)
      continue
    }
    picked.push(one)
    counts[list] += 1
    if (entity) entity.taken += 1
    else ofEntity.set(chunk.entity_id, { first: one, taken: 1 })
  }
  return picked
}

/** Maximum share of conversations among a page's results while there are other results. */
const maxShareSaid = 0.25

/**
 * The same with few conversations, at the end of each page of `size`: they repeat questions and the content of other
 * texts. They follow when nothing else remains. One that scores more than twice as much as a result stands before it, as
 * the only answer would otherwise be last (`said` has halved its score). Data and settings files come before conversations,
 * since they say little to a reader; `first` are entities that keep their place.
 */
export function conversationsLast(
  picked: readonly Picked[],
  size: number,
  first: ReadonlySet<string> = new Set(),
): Picked[] {
  const most = Math.floor(size * maxShareSaid)
  const lateness = ({ chunk }: Picked) =>
    first.has(chunk.entity_id) ? 0 : isSaid(chunk) ? 3 : isDataFile(chunk) ? 2 : 1
  const pages: Picked[][] = []

  for (let remaining = picked; remaining.length > 0; ) {
    const page = new Set<Picked>()
    let conversations = 0
    for (const each of remaining) {
      if (page.size === size) break
      if (isSaid(each.chunk) && ++conversations > most) continue
      page.add(each)
    }
    for (const each of remaining) if (page.size < size) page.add(each)
    pages.push(
      passWeaker(
        [...page].toSorted((one, other) => lateness(one) - lateness(other)),
        first,
      ),
    )
    remaining = remaining.filter((each) => !page.has(each))
  }
  return pages.flat()
}

/** Each conversation goes before what follows the last result that scores as much as it does. */
function passWeaker(page: readonly Picked[], first: ReadonlySet<string>): Picked[] {
  const ordered = page.filter(({ chunk }) => !isSaid(chunk))
  for (const each of page.filter(({ chunk }) => isSaid(chunk))) {
    const before = ordered.findLastIndex(
      ({ chunk }) => chunk.score >= each.chunk.score || first.has(chunk.entity_id),
    )
    ordered.splice(before + 1, 0, each)
  }
  return ordered
}

/** Matches by name and words, but has no prose. */
export const isDataFile = ({ entity_type, title }: Pick<FoundChunk, 'entity_type' | 'title'>): boolean =>
  entity_type === 'source_doc' && /\.(?:base|json|ya?ml)$/i.test(title)

const isSaid = ({ entity_type }: FoundChunk) => entity_type === 'conversation'

/** Depth of the ranking for pages after the first. */
const depths = [200, 1000]

/** Maximum results of all pages together. */
export const maxResults = 1000

export type Page = {
  items: Picked[]
  /** True if there are further results. */
  more: boolean
}

/**
 * A page of results. The first is that of `rank(limit + 1)`. A deeper ranking may examine more candidates and order
 * them differently, so later pages contain its additional results, in its order: as long as nothing is written, pages
 * neither repeat nor skip results.
 */
export async function takePage(
  rank: (depth: number) => Promise<Picked[]>,
  { offset, limit, by_entity }: { offset: number; limit: number; by_entity: boolean },
): Promise<Page> {
  const nameOf = ({ chunk }: Picked) => (by_entity ? chunk.entity_id : keyOf(chunk))
  const end = Math.min(offset + limit, maxResults)
  const first = await rank(limit + 1)
  const firstByName = new Map(first.map((each) => [nameOf(each), each]))
  const isFolded = first.length <= limit && first.some(({ same }) => same.length > 0)
  for (const depth of offset > 0 || isFolded ? depths : []) {
    if (firstByName.size > end) break
    for (const each of await rank(depth)) {
      const before = firstByName.get(nameOf(each))
      firstByName.set(nameOf(each), before ? { ...before, same: each.same } : each)
    }
  }
  return {
    items: [...firstByName.values()].slice(offset, end),
    more: firstByName.size > end && end < maxResults,
  }
}
