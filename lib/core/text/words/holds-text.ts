import { findRuns } from './find-runs.ts'

/** Fewer words are found by chance, unless they are the whole passage. */
const minWords = 3

/** Whether a text contains these words; see `createTextMatcher`. */
export const holdsText = ({ text, words }: { text: string; words: string }): boolean =>
  createTextMatcher(text.split(/\r?\n/))(words)

/**
 * Whether a passage, given in consecutive blocks, contains words: as whole words and whole numbers, in their order, with
 * all that is between them but white space; at least three of them, or one or more blocks from end to end (which are
 * joined without what is between them, as the Messages API cites them). Takes time in proportion to both.
 */
export function createTextMatcher(blocks: readonly string[]): (words: string) => boolean {
  const text = blocks.join('')
  const edges = new Set<number>([0])
  let length = 0
  for (const block of blocks) {
    length += block.length
    edges.add(length)
  }
  const whole = new Set(blocks.map((block) => block.trim()))
  let tokens: string[] | undefined

  return (words) => {
    if (words.trim() === '') return false
    if (whole.has(words.trim()) || isWholeBlocks(words)) return true
    const wanted = tokensOf(words)
    if (wanted.filter(isWord).length < minWords) return false
    tokens ??= tokensOf(blocks.join('\n'))
    return findRuns(tokens, wanted, 1).length > 0
  }

  function isWholeBlocks(words: string): boolean {
    for (let at = text.indexOf(words), tries = 0; at >= 0 && tries < maxTries; tries++) {
      if (edges.has(at) && edges.has(at + words.length)) return true
      at = text.indexOf(words, at + words.length)
    }
    return false
  }
}

/** How often these words stand in a text as a whole run, however few they are; counted up to a hundred. */
export const countRuns = ({ text, words }: { text: string; words: string }): number =>
  findRuns(tokensOf(text), tokensOf(words), maxTries).length

/** Places of the same words in a passage that are looked at. */
const maxTries = 100

/** Words and numbers with all that makes them others (`1,250`, `-3`, `$40`, `can't`, `non-binding`), and other signs. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[\p{Sc}+−-]*(?:\p{N}{1,3}(?:[ \u00a0\u2009\u202f]\p{N}{3})+|\p{N}+(?:[.,:’'/-]\p{N}+)*)(?![\p{L}\p{N}])[%‰°\p{Sc}]*|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-'’_‑][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*|\S/gu

const tokensOf = (text: string): string[] => (text.match(token) ?? []).map((each) => each.replace('’', "'"))

const isWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
