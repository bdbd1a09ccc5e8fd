// Three texts to one, line by line.

import { diff3Merge } from 'node-diff3'
import { splitLines } from './split-lines.ts'

export type ThreeTexts = { base: string; ours: string; theirs: string }

/** One place that both sides changed, each side with the lines it has there. */
export type TextConflict = { base: string; ours: string; theirs: string }

export type MergedTexts = { clean: true; text: string } | { clean: false; conflicts: TextConflict[] }

/** Pairs of lines beyond which two texts count as rewritten: to compare each with each would take minutes. */
const mostPairs = 50_000_000

/**
 * What only one side changed is taken from it. Where both changed the same lines, differently, there is no merged
 * text. Line ends stay as they are, byte for byte.
 */
export function mergeTexts({ base, ours, theirs }: ThreeTexts): MergedTexts {
  if (ours === theirs || base === theirs) return { clean: true, text: ours }
  if (base === ours) return { clean: true, text: theirs }

  const { head, tail, middle } = withoutCommon([base, ours, theirs].map(splitLines))
  const [baseLines = [], ourLines = [], theirLines = []] = middle
  if (baseLines.length * Math.max(ourLines.length, theirLines.length) > mostPairs) {
    return { clean: false, conflicts: [{ base, ours, theirs }] }
  }

  const regions = diff3Merge(ourLines, baseLines, theirLines, { excludeFalseConflicts: true })
  const conflicts = regions.flatMap(({ conflict }) =>
    conflict ? [{ base: conflict.o.join(''), ours: conflict.a.join(''), theirs: conflict.b.join('') }] : [],
  )
  if (conflicts.length > 0) return { clean: false, conflicts }
  return { clean: true, text: [...head, ...regions.flatMap(({ ok }) => ok ?? []), ...tail].join('') }
}

/** The lines that all texts begin and end with, and what is left between. */
function withoutCommon(texts: string[][]): { head: string[]; tail: string[]; middle: string[][] } {
  const [first = [], ...rest] = texts
  const shortest = Math.min(...texts.map(({ length }) => length))
  let start = 0
  while (start < shortest && rest.every((lines) => lines[start] === first[start])) start += 1
  let end = 0
  while (end < shortest - start && rest.every((lines) => lines.at(-1 - end) === first.at(-1 - end))) end += 1
  return {
    head: first.slice(0, start),
    tail: first.slice(first.length - end),
    middle: texts.map((lines) => lines.slice(start, lines.length - end)),
  }
}
