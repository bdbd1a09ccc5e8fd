// What meaning should count beside words, by the owner's own notes: chosen on every other question and judged on the
// rest, so that a share that only fits the questions it was chosen on brings nothing.

import { kinds } from '../../../lib/contract/entities/kinds.ts'
import type { Database } from '../../../lib/db/pool.ts'
import type { MeasuredShare } from '../../../lib/db/repos/embeddings.ts'
import type { Embedder } from '../../../lib/search/embed/embedder.ts'
import { createSearch } from '../../../lib/search/search.ts'
import type { Collection } from './collection.ts'
import { createCollectionIndex } from './collection-index.ts'
import { embedAll, embeddingBy, newSpace } from './evaluate.ts'
import { judge } from './metrics.ts'

const shares = [0, 0.1, 0.2, 0.3, 0.4, 0.5]
/** Of nDCG@10; less is not worth a request for each question. */
const minGain = 0.005

const minQuestions = 20

/** Indexes and embeds the notes in a database made for it. Throws where there are too few questions to tell. */
export async function chooseShare(
  database: Database,
  embedder: Embedder,
  collection: Collection,
): Promise<MeasuredShare> {
  const { documents, questions, relevant } = collection
  if (questions.length < minQuestions) {
    throw new Error(`${questions.length} questions can be made from these notes; ${minQuestions} are needed.`)
  }
  const embedding = embeddingBy(embedder, database)
  const spaceId = await newSpace(database, 'Notes')
  const index = createCollectionIndex(
    { database, search: createSearch({ db: database, kinds }) },
    spaceId,
    documents,
  )
  await index.write()
  await embedAll(embedding)

  const scores = new Map<number, number[]>()
  for (const share of shares) {
    const embedQuestion = async (question: string) => {
      const meaning = share > 0 ? await embedding.embedQuestion(question) : null
      return meaning && { ...meaning, share }
    }
    const search = createSearch({ db: database, kinds, embedding: { embedQuestion } })
    const each: number[] = []
    for (const { id, text } of questions) {
      const hits = await search.query({ space_ids: [spaceId], q: text, group: 'entity', limit: 10 })
      each.push(judge(index.documentsOf(hits), relevant.get(id)!).ndcg10)
    }
    scores.set(share, each)
  }
  return bestShare(scores)
}

/** By share, how well each question was answered. Exported for its test. */
export function bestShare(scores: ReadonlyMap<number, readonly number[]>): MeasuredShare {
  const mean = (share: number, odd: number) => {
    const half = scores.get(share)!.filter((_, at) => at % 2 === odd)
    return half.reduce((sum, score) => sum + score, 0) / half.length
  }
  const others = [...scores.keys()].filter((share) => share > 0)
  const best = others.reduce((one, other) => (mean(other, 0) > mean(one, 0) ? other : one))
  const [ndcg_words, ndcg_meaning] = [mean(0, 1), mean(best, 1)]
  const isWorthIt = mean(best, 0) - mean(0, 0) >= minGain && ndcg_meaning - ndcg_words >= minGain
  return { share: isWorthIt ? best : 0, ndcg_words, ndcg_meaning, questions: scores.get(0)!.length }
}
