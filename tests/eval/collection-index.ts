import { randomUUID } from 'node:crypto'
import type { Database } from '../../lib/db/pool.ts'
import type { Search } from '../../lib/search/search.ts'
import type { EvalDocument } from './collection.ts'

const perTransaction = 200

export type CollectionIndex = {
  /** The documents of an answer, best first, each once. */
  documentsOf(hits: readonly { entity_id: string; start_line: number }[]): string[]
}

/** Indexes documents as pages of a Space; those of one thread as one conversation, a message each. */
export async function indexCollection(
  { database, search }: { database: Database; search: Search },
  spaceId: string,
  documents: readonly EvalDocument[],
): Promise<CollectionIndex> {
  const entities = [...Map.groupBy(documents, ({ id, thread }) => thread ?? `\0${id}`).values()]
  const places = new Map<string, { id: string; from: number }[]>()

  for (let from = 0; from < entities.length; from += perTransaction) {
    await database.transaction(async (tx) => {
      for (const parts of entities.slice(from, from + perTransaction)) {
        const entity_id = randomUUID()
        const entity_type = parts[0]!.thread === undefined ? 'page' : 'conversation'
        const text = parts.map((part) => part.text)
        places.set(entity_id, linesOf(parts))
        await search.index(tx, { space_id: spaceId, entity_type, entity_id, title: parts[0]!.title, text })
      }
    })
  }
  return {
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
