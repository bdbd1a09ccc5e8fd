// What of a text stood in the version before it, and where: by lines, within changed lines by words, and whole lines
// that were only moved. Where nothing of a change is asked for, it is not compared word by word.

import { splitLines } from '../../text/split-lines.ts'
import { align, type Change } from '../diff/align.ts'
import { wordParts } from '../diff/word-parts.ts'

/** `length` characters that stand at `before` in the one text and at `after` in the other. */
export type KeptSpan = { before: number; after: number; length: number }

type Line = { at: number; text: string }

/** Fewer letters and digits than this make a line that may stand anywhere, and then it was not moved. */
const leastMoved = 20

/**
 * The spans of `after` that stood in `before`, in the order of `after`. `isWanted` says whether a stretch of `after` is
 * asked for; what lies outside may be left out.
 */
export function keptSpans(
  before: string,
  after: string,
  isWanted: (start: number, end: number) => boolean = () => true,
): KeptSpan[] {
  const old = toLines(before)
  const fresh = toLines(after)
  const changes = align(
    old.map(({ text }) => text),
    fresh.map(({ text }) => text),
  )
  const spans: KeptSpan[] = []
  const moved = findMoved(changes, old, fresh)
  let from: Pick<KeptSpan, 'before' | 'after'> = { before: 0, after: 0 }

  for (const change of changes) {
    const start = offsetOf(fresh, change.after.start, after)
    spans.push({ ...from, length: start - from.after })
    const end = offsetOf(fresh, change.after.end, after)
    if (isWanted(start, end)) spans.push(...spansWithin(change, { old, fresh, moved }))
    from = { before: offsetOf(old, change.before.end, before), after: end }
  }
  spans.push({ ...from, length: after.length - from.after })
  return spans.filter(({ length }) => length > 0).sort((a, b) => a.after - b.after)
}

function toLines(text: string): Line[] {
  let at = 0
  return splitLines(text).map((line) => {
    const placed = { at, text: line }
    at += line.length
    return placed
  })
}

const offsetOf = (lines: readonly Line[], index: number, text: string): number =>
  lines[index]?.at ?? text.length

/** Lines that went in one place and came in another, by the number of the new one. Each old one counts once. */
function findMoved(
  changes: readonly Change[],
  old: readonly Line[],
  fresh: readonly Line[],
): Map<number, number> {
  const gone = new Map<string, number[]>()
  for (const { before } of changes) {
    for (let index = before.start; index < before.end; index += 1) {
      const words = old[index]!.text.trimEnd()
      if (!isTelling(words)) continue
      const places = gone.get(words)
      if (places) places.push(index)
      else gone.set(words, [index])
    }
  }

  const moved = new Map<number, number>()
  if (gone.size === 0) return moved
  for (const { after } of changes) {
    for (let index = after.start; index < after.end; index += 1) {
      const place = gone.get(fresh[index]!.text.trimEnd())?.shift()
      if (place !== undefined) moved.set(index, place)
    }
  }
  return moved
}

const isTelling = (line: string): boolean => (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= leastMoved

type Sides = { old: readonly Line[]; fresh: readonly Line[]; moved: ReadonlyMap<number, number> }

function spansWithin({ before, after }: Change, { old, fresh, moved }: Sides): KeptSpan[] {
  const spans: KeptSpan[] = []
  const taken = new Set(moved.values())
  const stayed: Line[] = []
  for (let index = after.start; index < after.end; index += 1) {
    const source = moved.get(index)
    if (source === undefined) stayed.push(fresh[index]!)
    else spans.push(wholeLine(old[source]!, fresh[index]!))
  }
  const left = old.slice(before.start, before.end).filter((_, index) => !taken.has(before.start + index))
  return left.length > 0 && stayed.length > 0 ? [...spans, ...wordSpans(left, stayed)] : spans
}

/** The last line of a text has no line break: then the words are the same, and what follows them may not be. */
function wholeLine(old: Line, fresh: Line): KeptSpan {
  const length = old.text === fresh.text ? fresh.text.length : fresh.text.trimEnd().length
  return { before: old.at, after: fresh.at, length }
}

function wordSpans(old: readonly Line[], fresh: readonly Line[]): KeptSpan[] {
  const spans: KeptSpan[] = []
  const before = createPlaces(old)
  const after = createPlaces(fresh)
  let read = 0
  let written = 0
  for (const { kind, text } of wordParts(before.text, after.text)) {
    if (kind === 'same') {
      for (let done = 0; done < text.length; ) {
        const from = before.find(read + done)
        const to = after.find(written + done)
        const length = Math.min(text.length - done, from.left, to.left)
        spans.push({ before: from.at, after: to.at, length })
        done += length
      }
    }
    if (kind !== 'added') read += text.length
    if (kind !== 'removed') written += text.length
  }
  return spans
}

/** Lines as one text; `find` tells where a character of it stands, and how many follow there in one piece. */
function createPlaces(lines: readonly Line[]) {
  const pieces: { start: number; at: number; length: number }[] = []
  let length = 0
  for (const { at, text } of lines) {
    const last = pieces.at(-1)
    if (last && last.at + last.length === at) last.length += text.length
    else pieces.push({ start: length, at, length: text.length })
    length += text.length
  }
  let current = 0
  return {
    text: lines.map(({ text }) => text).join(''),
    /** Asked in rising order. */
    find(position: number): { at: number; left: number } {
      while (position >= pieces[current]!.start + pieces[current]!.length) current += 1
      const { start, at, length } = pieces[current]!
      return { at: at + position - start, left: start + length - position }
    },
  }
}
