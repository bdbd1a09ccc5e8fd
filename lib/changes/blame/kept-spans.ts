// Which spans of a text were in the version before it, and where: by lines, within changed lines by words, and whole
// lines that were only moved. A change that nobody asks about is not compared word by word.

import { splitLines } from '../../core/text/clean.ts'
import { align, type Change } from '../../core/text/diff/align.ts'
import { diffWords } from '../../core/text/diff/diff-words.ts'

/** `length` characters that are at `before` in the one text and at `after` in the other. */
export type KeptSpan = { before: number; after: number; length: number }

type Line = { at: number; text: string }

/** In letters and digits: a shorter line may be anywhere by chance, so it does not count as moved. */
const minMovedLine = 20

/**
 * The spans of `after` that were in `before`, in the order of `after`. `isWanted`: whether a range of `after` is asked
 * for; spans outside of those may be left out.
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
  const sides = { old, fresh, moved, movedFrom: new Set(moved.values()) }
  let from: Pick<KeptSpan, 'before' | 'after'> = { before: 0, after: 0 }

  for (const change of changes) {
    const start = offsetOf(fresh, change.after.start, after)
    spans.push({ ...from, length: start - from.after })
    const end = offsetOf(fresh, change.after.end, after)
    if (isWanted(start, end)) for (const span of spansWithin(change, sides)) spans.push(span)
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

/** For each line that was removed in one place and added in another, its old number by its new one. */
function findMoved(
  changes: readonly Change[],
  old: readonly Line[],
  fresh: readonly Line[],
): Map<number, number> {
  // From the last to the first, so that the first is popped first.
  const removed = new Map<string, number[]>()
  for (const { before } of changes.toReversed()) {
    for (let index = before.end - 1; index >= before.start; index -= 1) {
      const words = old[index]!.text.trimEnd()
      if (!isDistinctive(words)) continue
      const places = removed.get(words)
      if (places) places.push(index)
      else removed.set(words, [index])
    }
  }

  const moved = new Map<number, number>()
  if (removed.size === 0) return moved
  for (const { after } of changes) {
    for (let index = after.start; index < after.end; index += 1) {
      const place = removed.get(fresh[index]!.text.trimEnd())?.pop()
      if (place !== undefined) moved.set(index, place)
    }
  }
  return moved
}

const isDistinctive = (line: string): boolean => (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= minMovedLine

type Sides = {
  old: readonly Line[]
  fresh: readonly Line[]
  moved: ReadonlyMap<number, number>
  movedFrom: ReadonlySet<number>
}

function spansWithin({ before, after }: Change, { old, fresh, moved, movedFrom }: Sides): KeptSpan[] {
  const spans: KeptSpan[] = []
  const others: Line[] = []
  for (let index = after.start; index < after.end; index += 1) {
    const source = moved.get(index)
    if (source === undefined) others.push(fresh[index]!)
    else spans.push(wholeLine(old[source]!, fresh[index]!))
  }
  const left = old.slice(before.start, before.end).filter((_, index) => !movedFrom.has(before.start + index))
  return left.length > 0 && others.length > 0 ? spans.concat(wordSpans(left, others)) : spans
}

/** The last line of a text may have no line break: then only the words before it are the same. */
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
  for (const { kind, text } of diffWords(before.text, after.text)) {
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

/** Lines as one text; `find` returns where a character of it was, and how many follow it there without a gap. */
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
    /** To be called with increasing positions. */
    find(position: number): { at: number; left: number } {
      while (position >= pieces[current]!.start + pieces[current]!.length) current += 1
      const { start, at, length } = pieces[current]!
      return { at: at + position - start, left: start + length - position }
    },
  }
}
