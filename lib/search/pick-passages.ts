import type { FoundChunk, Scope } from '../db/repos/chunk_rankings.ts'
import { keyOf } from './fuse.ts'

/** A passage of an answer. Where each entity comes once, `others` are the next best passages of the same one. */
export type Picked = { chunk: FoundChunk; others: FoundChunk[] }

/**
 * The first `limit` passages, or entities, none twice and no more than `per_entity` passages of one entity; of
 * conversations as many beside them where they count less than the rest.
 */
export function pickPassages(
  found: readonly FoundChunk[],
  { limit, per_entity, by_entity, said }: Pick<Scope, 'limit' | 'per_entity' | 'by_entity' | 'said'>,
): Picked[] {
  const picked: Picked[] = []
  const counts = { aside: 0, others: 0 }
  const ofEntity = new Map<string, { first: Picked; taken: number }>()
  const seen = new Set<string>()

  for (const chunk of found) {
    const key = keyOf(chunk)
    const entity = ofEntity.get(chunk.entity_id)
    const list = said < 1 && isSaid(chunk) ? 'aside' : 'others'
    const isFull = counts[list] === limit
    if (seen.has(key) || entity?.taken === per_entity || (isFull && !(by_entity && entity))) continue
    seen.add(key)
    if (by_entity && entity) entity.first.others.push(chunk)
    else {
      picked.push({ chunk, others: [] })
      counts[list] += 1
    }
    if (entity) entity.taken += 1
    else ofEntity.set(chunk.entity_id, { first: picked.at(-1)!, taken: 1 })
  }
  return picked
}

/** Of the results of a page, the share that conversations may have while there are others. */
const maxShareSaid = 0.25

/**
 * The same with conversations at the end of each page of `size`, few of them: they repeat questions and what other texts
 * say. Where nothing else is left, they follow. Before them come files of data and settings, which say little to a reader.
 */
export function conversationsLast(picked: readonly Picked[], size: number): Picked[] {
  const most = Math.floor(size * maxShareSaid)
  const pages: Picked[][] = []

  for (let left = picked; left.length > 0; ) {
    const page = new Set<Picked>()
    let said = 0
    for (const each of left) {
      if (page.size === size) break
      if (isSaid(each.chunk) && ++said > most) continue
      page.add(each)
    }
    for (const each of left) if (page.size < size) page.add(each)
    pages.push([...page].toSorted((one, other) => lateness(one.chunk) - lateness(other.chunk)))
    left = left.filter((each) => !page.has(each))
  }
  return pages.flat()
}

const lateness = (chunk: FoundChunk) => (isSaid(chunk) ? 2 : isDataFile(chunk) ? 1 : 0)

/** Found by its name and its words, but no text to read. */
export const isDataFile = ({ entity_type, title }: Pick<FoundChunk, 'entity_type' | 'title'>): boolean =>
  entity_type === 'source_doc' && /\.(?:base|json|ya?ml)$/i.test(title)

const isSaid = ({ entity_type }: FoundChunk) => entity_type === 'conversation'
