// The words by which a draft and a text are compared. Short words occur everywhere and say nothing.

import { wordsOf } from '../../core/text/words/words.ts'

/** The words of a text that have so many letters or a digit, or are pairs of signs of writing without spaces. */
export const longWordsOf = (text: string, shortest = 4): string[] =>
  wordsOf(text).filter((word) => word.length >= shortest || isTelling.test(word))

const isTelling =
  /\p{N}|^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** Every run of so many words, as one string each: slices of one text, which cost no copy. */
export function runsOf(words: readonly string[], length: number): string[] {
  const text = words.join(' ')
  const runs: string[] = []
  let [start, end] = [0, words.slice(0, length).join(' ').length]
  for (let next = length; next <= words.length; next++) {
    runs.push(text.slice(start, end))
    start += words[next - length]!.length + 1
    end += (words[next]?.length ?? 0) + 1
  }
  return runs
}

/** Mail addresses, hosts and longer numbers: what a change is steered to is mostly one of these. */
export function exactTokensOf(text: string): string[] {
  const found = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}.@:/_-]{3,200}/gu)
  return (found ?? [])
    .map((token) => token.replace(/^https?:\/\//, '').replace(/[.:/_-]+$/, ''))
    .filter(isExact)
}

function isExact(token: string): boolean {
  if (/^(?:1[89]|20)\d\d(?:-\d\d(?:-\d\d)?)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{1,2}:\d\d/.test(token))
    return false
  return /@.+\.|^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:\/|$)/u.test(token) || digits(token) >= 4
}

const digits = (token: string): number => token.replace(/\D/g, '').length
