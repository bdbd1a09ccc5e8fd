// The words of a text. `wordsOf` is the one analysis for documents and questions alike: it leaves only words, so that the
// parser of Postgres (whose idea of a word depends on its locale) has nothing left to decide but stems and stop words.
// Two others see more in a text, because what they decide hangs on it: `quoteWords` keeps the signs of numbers, and
// `createTextMatcher` all that is not white space.

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

/** Compatible characters folded, and the accents of Latin, Greek and Cyrillic letters gone. */
export const withoutAccents = (text: string): string =>
  isAscii.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/gu, '')
        .normalize('NFC')

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
