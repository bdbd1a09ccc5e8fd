// Tokens besides plain words: versions, amounts, names of hidden files. For the index and for questions; texts are
// compared by `wordsOf` alone.

import { wordsOf } from '../../core/text/words/words.ts'

/** `1.9.7` and `v1.9.7`: up to six numbers. */
const dotted = /(?<![\p{L}\p{N}.])v?(\d{1,9}(?:\.\d{1,9}){1,5})(?![\p{L}\p{N}]|\.\d)/giu
/** `.obsidian`, but not the end of a sentence or of a file name. */
const leadingDot = /(?<![\p{L}\p{N}\p{M}.)\]])\.(\p{L}[\p{L}\p{N}\p{M}]{0,60})/gu
/** `50mb`; a number after letters is part of a name (`gpt4`). */
const amount = /^(\p{N}{1,9})(\p{L}{1,3})$/u

/**
 * A text's words for the index and for questions: those of `wordsOf`; a number with dots also as one (`1.9.7`: 1, 9, 7,
 * 1v9v7), a name with a leading dot, too (`.env`: env, dotenv), and digits next to letters separately (`50mb`: 50, mb,
 * 50mb).
 */
export function indexWordsOf(text: string): string[] {
  const whole = text
    .replace(dotted, (written, numbers: string) => `${written} ${numbers.replaceAll('.', 'v')} `)
    .replace(leadingDot, (written, name: string) => `${written} dot${name.toLowerCase()} `)
  return wordsOf(whole).flatMap(withParts)
}

function withParts(word: string, at: number, all: readonly string[]): string[] {
  const [, digits, unit] = amount.exec(word) ?? []
  const isDone = all[at - 2] === digits && all[at - 1] === unit
  return digits && unit && !isDone ? [digits, unit, word] : [word]
}
