// The words of a text, their stems, and whether two are forms of one. `wordsOf` is the one analysis for documents and
// questions alike: it leaves only words, so that the parser of Postgres (whose idea of a word depends on its locale) has
// nothing left to decide but stems and stop words. Two others see more in a text, because what they decide hangs on it:
// `quoteWords` keeps the signs of numbers, and `createTextMatcher` all that is not white space.

const maxWordLength = 64
/** An emoji, or the two letters of a flag. */
export const emojiSource = String.raw`\p{Regional_Indicator}{2}|\p{Extended_Pictographic}`
const emoji = new RegExp(emojiSource, 'gu')
const word = /[\p{L}\p{N}\p{M}]+/gu
const camelBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu

/**
 * The words of a text, lower-case and without accents, in order. An identifier gives its parts and then itself
 * (`createSearch`: create, search, createsearch); a script without spaces gives pairs of characters; an emoji is a word
 * of its own (`u1f680`). Accepts any string.
 */
export function wordsOf(text: string): string[] {
  const plain = withoutAccents(text).replace(emoji, (symbol) => ` ${emojiWord(symbol)} `)
  return (plain.match(word) ?? []).flatMap(partsOf)
}

/** The runs of letters and digits of a text in lower case, and nothing else done to them. */
export const plainWordsOf = (text: string): string[] => text.toLowerCase().match(word) ?? []

/** A word of a text as it is written, and where; `end` exclusive. */
export type PlacedWord = { word: string; start: number; end: number }

/** The runs of letters and digits of a text as they are written, with their places. */
export const placedWords = (text: string): PlacedWord[] =>
  [...text.matchAll(word)].map(({ 0: written, index }) => ({
    word: written,
    start: index,
    end: index + written.length,
  }))

/** Compatible characters and ligatures folded, and the accents of Latin, Greek and Cyrillic letters gone. */
export const withoutAccents = (text: string): string =>
  isAscii.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/gu, '')
        .replace(ligature, (letter) => ligatures[letter] ?? letter)
        .normalize('NFC')

/** Letters that Unicode does not decompose, as they are typed where a keyboard lacks them. */
const ligatures: Readonly<Record<string, string>> = {
  ...{ œ: 'oe', Œ: 'OE', æ: 'ae', Æ: 'AE', ß: 'ss', ẞ: 'SS' },
  ...{ ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i' },
}
const ligature = new RegExp(`[${Object.keys(ligatures).join('')}]`, 'gu')

const isAscii = /^\p{ASCII}*$/u

/** An emoji as the word that it is indexed as. */
export const emojiWord = (symbol: string): string =>
  [...symbol].map((character) => `u${character.codePointAt(0)?.toString(16)}`).join('')

function partsOf(found: string): string[] {
  if (isAscii.test(found)) return identifierParts(found)
  return found
    .replace(unspaced, (run) => ` ${pairsOf(run).join(' ')} `)
    .split(' ')
    .filter(Boolean)
    .flatMap(identifierParts)
}

function identifierParts(found: string): string[] {
  const parts = found.split(camelBoundary)
  const words = parts.length > 1 ? [...parts, found] : parts
  return words.map((each) => cut(each.toLowerCase()))
}

/** Overlapping pairs of characters; a single one stays as it is. */
function pairsOf(run: string): string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((second, index) => `${characters[index]}${second}`)
}

const cut = (text: string) => text.slice(0, maxWordLength).toWellFormed()

/** A word as `wordsOf` sees it: lower-case and without accents. */
export const bareWord = (word: string): string => withoutAccents(word).toLowerCase()

const endings = [
  ...[
    'ations',
    'ation',
    'ements',
    'ement',
    'ments',
    'ment',
    'ings',
    'ing',
    'ions',
    'ion',
    'als',
    'ers',
    'ies',
  ],
  ...['edly', 'ly', 'al', 'er', 'ed', 'es', 's', 'e', 'y'],
]
const shortEndings = new Set(['al', 'er', 'als', 'ers', 'ion', 'ions', 'ly', 'ment', 'ments'])

/**
 * A lower-case word without its ending, so that "approving", "approval" and "approves" are one. Cruder than the stemmer
 * of the search index, and the same for all languages.
 */
export function stem(word: string): string {
  for (const ending of endings) {
    const left = word.length - ending.length
    if (word.endsWith(ending) && left >= (shortEndings.has(ending) ? 4 : 3))
      return undouble(word.slice(0, left))
  }
  return word
}

/** "planning" and "plan" are one, "call" stays. */
const undouble = (word: string) => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word)

/** Two forms of a word begin with as many letters that are the same. */
export const minStem = 3
/** Two characters of a script without spaces, which may occur anywhere. */
export const unspacedPair = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}$/u

/** Letters that a part of a compound has at least. */
const minPart = 5

/**
 * Whether two bare words, or two stems, are forms of one, roughly: they share all but an ending. `compounds`: a word that
 * begins or ends with another counts, too; short words and numbers are then only the same as themselves.
 */
export function isSameWord(one: string, other: string, { compounds = false } = {}): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (unspacedPair.test(short)) return long.includes(short)
  const least = compounds ? minPart : minStem
  if (short.length < least || (compounds && /\d/.test(short))) return false
  const kept = short.length > 5 ? Math.max(least, short.length - 2) : short.length
  const maxEnding = short.length > 3 ? 4 : 1
  if (!long.startsWith(short.slice(0, kept))) return compounds && long.endsWith(short)
  return compounds || long.length - short.length <= maxEnding
}
