/** As the analysis sees a word: lower-case and without accents. */
export const bareWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toLowerCase()

/** Forms of one bare word, roughly: they share all but an ending. Pairs of an unspaced script may occur anywhere. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (/^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}$/u.test(short)) return long.includes(short)
  const stem = short.length > 5 ? short.slice(0, -2) : short
  const ending = short.length > 3 ? 4 : 1
  return stem.length >= 3 && long.startsWith(stem) && long.length - short.length <= ending
}
