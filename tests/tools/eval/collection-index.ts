import { randomUUID } from 'node:crypto'
import { createLinkIndex } from '../../../lib/content/links/link-index.ts'
import type { Database } from '../../../lib/db/pool.ts'
import type { Search } from '../../../lib/search/search.ts'
import type { EvalDocument } from './collection.ts'

const perTransaction = 200

export type CollectionIndex = {
  /** Writes the documents to the index; the second time, as it would be done now. */
  write(): Promise<void>
  /** Stores the links that stand in the pages' texts: by their titles, and by their ids where these are paths. */
  link(): Promise<void>
  /** The documents of an answer, best first, each once. */
  documentsOf(hits: readonly { entity_id: string; start_line: number }[]): string[]
}

/** Documents as pages of a Space; those of one thread as one conversation, a message each. */
export function createCollectionIndex(
  { database, search }: { database: Database; search: Search },
  spaceId: string,
  documents: readonly EvalDocument[],
): CollectionIndex {
  const entities = [...Map.groupBy(documents, ({ id, thread }) => thread ?? `\0${id}`).values()].map(
    (parts) => ({
      space_id: spaceId,
      entity_type: parts[0]!.thread === undefined ? 'page' : 'conversation',
      entity_id: randomUUID(),
      title: parts[0]!.title,
      text: parts.map(({ text, speaker = '' }) => ({ speaker, text })),
      places: linesOf(parts),
    }),
  )
  const places: ReadonlyMap<string, { id: string; from: number }[]> = new Map(
    entities.map((entity) => [entity.entity_id, entity.places]),
  )

  return {
    async write() {
      for (let from = 0; from < entities.length; from += perTransaction) {
        await database.transaction(async (tx) => {
          for (const entity of entities.slice(from, from + perTransaction)) await search.index(tx, entity)
        })
      }
    },
    async link() {
      for (let from = 0; from < entities.length; from += perTransaction) {
        await database.transaction(async (tx) => {
          const links = createLinkIndex(tx)
          for (const { places, ...entity } of entities.slice(from, from + perTransaction)) {
            if (entity.entity_type !== 'page') continue
            const text = entity.text.map((part) => part.text).join('\n\n')
            const { id } = places[0]!
            await links.create(entity, { title: entity.title, text, path: id.endsWith('.md') ? id : null })
          }
        })
      }
    },
    documentsOf: (hits) => [
      ...new Set(hits.flatMap((hit) => documentAt(hit.entity_id, hit.start_line) ?? [])),
    ],
  }

  function documentAt(entityId: string, line: number): string | undefined {
    return places.get(entityId)?.findLast(({ from }) => from <= line)?.id
  }
}

/** Where each part begins when they stand one below the other with a blank line between. */
function linesOf(parts: readonly EvalDocument[]): { id: string; from: number }[] {
  let line = 1
  return parts.map(({ id, text }) => {
    const from = line
    line += text.split('\n').length + 1
    return { id, from }
  })
}
