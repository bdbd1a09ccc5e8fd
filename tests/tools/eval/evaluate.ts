import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import type { Database } from '../../../lib/db/pool.ts'
import type { Embedder } from '../../../lib/search/embed/embedder.ts'
import { createEmbedding, type Embedding } from '../../../lib/search/embed/embedding.ts'
import { createSearch, type Search } from '../../../lib/search/search.ts'
import type { Collection } from './collection.ts'
import { type CollectionIndex, createCollectionIndex } from './collection-index.ts'
import { judge, meanQuality, type Quality } from './metrics.ts'
import { linkAtRandom } from './random-links.ts'
import type { Report } from './report.ts'
import { withTypo } from './typo.ts'

export type EvalOptions = { mixed: boolean; typos: boolean; links: number; embedder?: Embedder | null }

export type Named = Collection & { name: string }

const warmUps = 20
/** The most documents that a measure looks at. */
const depth = 100
const snippetLength = 260

/** A report on each collection: in a Space of its own, or all of them in one. */
export async function evaluate(
  database: Database,
  collections: readonly Named[],
  options: EvalOptions,
): Promise<Report[]> {
  const embedding = options.embedder && embeddingBy(options.embedder, database)
  const search = createSearch({ db: database, kinds, embedding })
  const together = options.mixed ? await newSpace(database, 'Mixed') : null
  const indexed: { collection: Named; spaceId: string; index: CollectionIndex; indexing: number }[] = []

  for (const collection of collections) {
    const spaceId = together ?? (await newSpace(database, collection.name))
    const started = performance.now()
    const index = createCollectionIndex({ database, search }, spaceId, collection.documents)
    await index.write()
    const indexing = (performance.now() - started) / collection.documents.length
    await index.link()
    if (options.links > 0) await linkAtRandom(database, spaceId, options.links)
    indexed.push({ collection, spaceId, index, indexing })
  }
  await search.warm(indexed.map(({ spaceId }) => spaceId))
  // As the server does in the background once questions are asked.
  if (await search.adoptAverageLengths()) for (const { index } of indexed) await index.write()
  await search.maintain()
  if (embedding) await embedAll(embedding)

  const reports: Report[] = []
  for (const { collection, spaceId, index, indexing } of indexed) {
    const asked = await ask(search, { spaceId, collection, index, typos: options.typos })
    const { name, documents, questions } = collection
    reports.push({ name, documents: documents.length, questions: questions.length, indexing, ...asked })
  }
  return reports
}

/** As the app asks: what it shows of the first ten things is judged and timed, and of the first hundred for recall. */
async function ask(
  search: Search,
  run: { spaceId: string; collection: Collection; index: CollectionIndex; typos: boolean },
) {
  const { documents, questions, relevant } = run.collection
  // A message is a passage of its conversation.
  const group = documents.some(({ thread }) => thread !== undefined) ? 'passage' : 'entity'
  const asked = {
    space_ids: [run.spaceId],
    group,
    per_entity: group === 'passage' ? depth : undefined,
  } as const
  const qualities: Quality[] = []
  const times: number[] = []
  let empty = 0

  const texts = questions.map(({ text }, turn) => (run.typos ? withTypo(text, turn) : text))
  for (const q of texts.slice(0, warmUps)) await search.show({ ...asked, q, limit: 10 }, snippetLength)
  for (const [turn, { id }] of questions.entries()) {
    const q = texts[turn]!
    const started = performance.now()
    const { items } = await search.show({ ...asked, q, limit: 10 }, snippetLength)
    times.push(performance.now() - started)
    if (items.length === 0) empty += 1

    const deep = await search.query({ ...asked, q, limit: depth })
    const first = run.index.documentsOf(items)
    const others = run.index.documentsOf(deep).filter((each) => !first.includes(each))
    qualities.push(judge([...first, ...others], relevant.get(id)!))
  }
  return { ...meanQuality(qualities), times, empty }
}

/** A run ends after a while, as a job has to. */
export async function embedAll(embedding: Embedding): Promise<void> {
  while (!(await embedding.state()).answering) await embedding.run(new AbortController().signal)
}

export function embeddingBy(embedder: Embedder, database: Database): Embedding {
  const embedderOf = () => embedder
  const now = () => new Date()
  return createEmbedding({ database, embedder, embedderOf, logger: createLogger('warn'), now })
}

export async function newSpace(database: Database, name: string): Promise<string> {
  return (await createSpace(database, { kind: 'owner' }, { name })).id
}
