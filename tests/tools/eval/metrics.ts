/** How well a ranking answers one question; each from 0 to 1. */
export type Quality = { ndcg10: number; recall10: number; recall100: number; mrr: number }

/**
 * Judges document ids in their order. `relevant` holds what answers the question and how well (over 0); nDCG takes
 * that as its gain.
 */
export function judge(ranking: readonly string[], relevant: ReadonlyMap<string, number>): Quality {
  const gains = ranking.map((id) => relevant.get(id) ?? 0)
  const ideal = [...relevant.values()].sort((a, b) => b - a)
  const first = gains.findIndex((gain) => gain > 0)
  const recall = (depth: number) => gains.slice(0, depth).filter((gain) => gain > 0).length / relevant.size

  return {
    ndcg10: discounted(gains) / discounted(ideal),
    recall10: recall(10),
    recall100: recall(100),
    mrr: first === -1 ? 0 : 1 / (first + 1),
  }
}

/** The mean of each measure. */
export function meanQuality(all: readonly Quality[]): Quality {
  const mean = (measure: keyof Quality) => all.reduce((sum, each) => sum + each[measure], 0) / all.length
  return {
    ndcg10: mean('ndcg10'),
    recall10: mean('recall10'),
    recall100: mean('recall100'),
    mrr: mean('mrr'),
  }
}

const discounted = (gains: readonly number[]) =>
  gains.slice(0, 10).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
