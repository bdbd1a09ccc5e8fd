import { longWordsOf, runsOf } from '../trust/draft-words.ts'

const maxPassageChars = 500
/** Characters of one source that are searched. */
export const maxSourceChars = 200_000

export type NearestPassage = { text: string; share: number; shared_words: number }

/**
 * Finds the passage of some texts that has the most in common with what is written, by words and by runs of three;
 * `share` is the share of the written words found in it, 0 to 1, and `shared_words` how many those are. `null` when they
 * have no word in common. What is written is read once, whatever is compared with it.
 */
export function createPassageFinder(written: string): (texts: readonly string[]) => NearestPassage | null {
  const all = longWordsOf(written)
  const words = new Set(all)
  const runs = new Set(runsOf(all, 3))
  return (texts) => nearestOf(texts, { words, runs })
}

type WrittenWords = { words: ReadonlySet<string>; runs: ReadonlySet<string> }

function nearestOf(texts: readonly string[], { words, runs }: WrittenWords): NearestPassage | null {
  let best: (NearestPassage & { score: number }) | null = null
  for (const text of passagesOf(texts)) {
    const found = longWordsOf(text)
    const common = new Set(found.filter((word) => words.has(word)))
    const score = common.size + 3 * new Set(runsOf(found, 3).filter((run) => runs.has(run))).size
    if (common.size === 0 || (best && score <= best.score)) continue
    const share = Math.round((100 * common.size) / words.size) / 100
    best = { text, share, shared_words: common.size, score }
  }
  if (!best) return null
  const { text, share, shared_words } = best
  return { text, share, shared_words }
}

function passagesOf(texts: readonly string[]): string[] {
  return texts
    .join('\n\n')
    .slice(0, maxSourceChars)
    .toWellFormed()
    .split(/\n\s*\n/)
    .flatMap(
      (paragraph) =>
        paragraph.match(new RegExp(`[^]{1,${maxPassageChars}}(?:\\s|$)|[^]{1,${maxPassageChars}}`, 'gu')) ??
        [],
    )
    .map((passage) => passage.trim())
    .filter((passage) => passage !== '')
}
