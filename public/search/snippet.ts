// What of a passage is shown for a question: a piece of it in plain words, with those that answer marked.

export type Piece = { text: string; marked: boolean }

/** The words of a question, in lower case; quotes and signs count for nothing. */
export const queryWords = (query: string): string[] => [
  ...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []),
]

/** A text in pieces; a word is marked when it is one of the question's, or begins as one does. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  for (const part of text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? []) {
    const marked = words.some((word) => isSame(part.toLowerCase(), word))
    const last = pieces.at(-1)
    if (last && last.marked === marked) last.text += part
    else pieces.push({ text: part, marked })
  }
  return pieces
}

/** About `length` characters around the place of a passage where the most different words of the question stand. */
export function snippetOf(passage: string, words: readonly string[], length = 180): Piece[] {
  const text = plainText(passage).replace(/\s+/g, ' ').trim()
  if (text.length <= length) return markWords(text, words)
  const hits = [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
    const of = words.findIndex((each) => isSame(word.toLowerCase(), each))
    return of === -1 ? [] : [{ index, of }]
  })
  const start = bestStart(hits, length)
  const from = start === 0 ? 0 : text.indexOf(' ', Math.max(0, start - length / 4)) + 1
  const cut = text.slice(from, from + length)
  const rest = from + length < text.length
  const whole = rest ? cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)) : cut
  return markWords(`${from > 0 ? '… ' : ''}${whole}${rest ? ' …' : ''}`, words)
}

/** Words that stand in the passage and that a view can find again once it is rendered; '' when there are none. */
export function citeOf(passage: string, words: readonly string[]): string {
  const lines = plainText(passage)
    .split('\n')
    .map((line) => line.trim())
  const scored = lines.filter(Boolean).map((line) => ({ line, score: countWords(line, words) }))
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), { line: '', score: 0 })
  return best.line.slice(0, 280)
}

/** Markdown without the signs that do not show: links keep their label, headings, lists and quotes their words. */
function plainText(markdown: string): string {
  return markdown
    .replace(
      /!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g,
      (_all, target: string, label?: string) => label || target,
    )
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>|\|)[ \t]+/gm, '')
    .replace(/^[ \t]*\[[ x]\][ \t]+/gim, '')
    .replace(/(\*\*|__|~~|`)/g, '')
}

const countWords = (line: string, words: readonly string[]) =>
  words.filter((word) => queryWords(line).some((each) => isSame(each, word))).length

/** Forms of one word, roughly: they share all but an ending. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const stem = short.length > 5 ? short.slice(0, -2) : short
  const ending = short.length > 3 ? 4 : 1
  return stem.length >= 3 && long.startsWith(stem) && long.length - short.length <= ending
}

function bestStart(hits: { index: number; of: number }[], length: number): number {
  let best = { index: 0, count: 0 }
  for (const { index } of hits) {
    const near = hits.filter((hit) => hit.index >= index && hit.index < index + length * 0.7)
    const count = new Set(near.map(({ of }) => of)).size
    if (count > best.count) best = { index, count }
  }
  return best.index
}
