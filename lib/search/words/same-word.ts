/** As the analysis sees a word: lower-case and without accents. */
export function bareWord(word: string): string {
  if (/^[\x20-\x7f]*$/.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toLowerCase()
}

/** Two forms of a word begin with as many letters that are the same. */
export const minStem = 3
/** Two characters of a script without spaces, which may occur anywhere. */
export const unspacedPair = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}$/u

/** Forms of one bare word, roughly: they share all but an ending. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (unspacedPair.test(short)) return long.includes(short)
  const stem = short.length > 5 ? short.slice(0, -2) : short
  const ending = short.length > 3 ? 4 : 1
  return stem.length >= minStem && long.startsWith(stem) && long.length - short.length <= ending
}
