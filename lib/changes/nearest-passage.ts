const longest = 500
/** Characters of one source that are looked through. */
const most = 200_000

export type NearestPassage = { text: string; share: number; shared_words: number }

/**
 * The passage of some texts that has most in common with what is written, by words and by runs of three; `share` is the
 * share of the written words that stand in it, 0 to 1, and `shared_words` how many those are. `null` when they have no
 * word in common.
 */
export function nearestPassage(texts: readonly string[], written: string): NearestPassage | null {
  const words = new Set(wordsOf(written))
  const runs = new Set(runsOf(wordsOf(written)))
  let best: (NearestPassage & { score: number }) | null = null
  for (const text of passagesOf(texts)) {
    const found = wordsOf(text)
    const common = new Set(found.filter((word) => words.has(word)))
    const score = common.size + 3 * new Set(runsOf(found).filter((run) => runs.has(run))).size
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
    .slice(0, most)
    .toWellFormed()
    .split(/\n\s*\n/)
    .flatMap(
      (paragraph) => paragraph.match(new RegExp(`[^]{1,${longest}}(?:\\s|$)|[^]{1,${longest}}`, 'gu')) ?? [],
    )
    .map((passage) => passage.trim())
    .filter((passage) => passage !== '')
}

/** Short words stand everywhere. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3 || /\p{N}/u.test(word))

const runsOf = (words: readonly string[]): string[] =>
  words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`)
