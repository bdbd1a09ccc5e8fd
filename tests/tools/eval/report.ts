import { percentile } from '../bench/statistics.ts'
import type { Quality } from './metrics.ts'

export type Report = Quality & {
  name: string
  documents: number
  questions: number
  /** Questions that nothing was found for. */
  empty: number
  /** Of each question, with its SQL, in milliseconds. */
  times: number[]
  /** Milliseconds to index a document. */
  indexing: number
}

/** The reports as a table of Markdown. */
export function formatReports(engine: string, reports: readonly Report[]): string {
  const head = `| ${engine} | documents | questions | nDCG@10 | recall@10 | recall@100 | MRR | empty | p50 ms | p95 ms | index ms/document |`
  const lines = reports.map(({ name, documents, questions, empty, times, indexing, ...quality }) => {
    const { ndcg10, recall10, recall100, mrr } = quality
    const share = `${((100 * empty) / questions).toFixed(1)} %`
    const figures = [ndcg10, recall10, recall100, mrr].map((value) => value.toFixed(3))
    const speed = [percentile(times, 0.5), percentile(times, 0.95), indexing].map((value) => value.toFixed(1))
    return `| ${[name, documents, questions, ...figures, share, ...speed].join(' | ')} |`
  })
  return [head, head.replace(/[^|]+/g, ' --- '), ...lines].join('\n')
}
