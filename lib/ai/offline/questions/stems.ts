import { wordsOf } from '../../../search/words.ts'
import { stem } from './stem.ts'

/** Verbs that people write as one word or as two. */
const joinable = new Set([
  'back',
  'set',
  'log',
  'sign',
  'start',
  'shut',
  'check',
  'look',
  'clean',
  'follow',
  'work',
  'wake',
])
const particles = new Set(['up', 'in', 'out', 'off', 'down', 'on'])
const written =
  /^(back|set|start|clean|follow|look)(up)s?$|^(log|sign)(in|out|on|up|off)s?$|^(shut)(down)s?$|^(check)(out|in)s?$/

/** The stems of a text's words, and of two that can be one: "backing up" is also `backup`. */
export function stemsOf(text: string): Set<string> {
  const words = wordsOf(text.slice(0, 20_000))
  const stems = new Set(words.map(stem))
  for (const joined of joinedIn(words)) stems.add(stem(joined))
  return stems
}

/** "back up" or "backing up" as `backup`, wherever they stand next to each other. */
export function joinedIn(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1] ?? ''
    return particles.has(next) && joinable.has(stem(word)) ? [`${stem(word)}${next}`] : []
  })
}

/** `backup` as "back" and "up"; none for a word that is not made of two. */
export const partsOf = (word: string): string[] => written.exec(word)?.slice(1).filter(Boolean) ?? []
