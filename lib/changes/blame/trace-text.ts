// Blame for prose: from the text as it is, back through its versions. Each stretch is followed to where it stood in the
// version before; what did not stand there was written by that change. An undo writes nothing: what it gave back is
// looked for in the version before what it took back, and is followed on from there.

import { type KeptSpan, keptSpans } from './kept-spans.ts'

/** A change of the text, as the audit log has it. */
export type TextChange = {
  seq: number
  /** The text before it; empty for a creation. */
  before: string
  /** The first of the changes that it takes back; `null` when it takes none back. */
  undoes_from: number | null
}

/** `length` characters of the text from `start` on, and the change that wrote them; `null`: none that was looked at. */
export type Attribution = { start: number; length: number; seq: number | null }

/** A stretch whose writer is not found yet: at `start` in the text as it is, at `at` in the version in hand. */
type Open = { start: number; length: number; at: number }

export type TextTrace = {
  /**
   * Goes one change back. `restored`, for an undo: the text before what it takes back, where the log has it. Changes
   * come the latest first.
   */
  step(change: TextChange, restored: string | null): void
  /** Whether every character has its change. */
  isDone(): boolean
  /** In the order of the text, neighbours of one change joined. */
  result(): Attribution[]
}

/** Follows the characters of `text` from `start` to `end`. */
export function createTextTrace(text: string, start = 0, end = text.length): TextTrace {
  const found: Attribution[] = []
  /** Stretches that go on only before a certain change. */
  const waiting: { before: number; open: Open[] }[] = []
  let current = text
  let open: Open[] = end > start ? [{ start, length: end - start, at: start }] : []

  return {
    step({ seq, before, undoes_from }, restored) {
      takeUp(seq)
      const { kept, written } = split(open, current, before)
      open = kept
      const given =
        restored === null || undoes_from === null || written.length === 0
          ? { kept: [], written }
          : split(written, current, restored)
      if (given.kept.length > 0) waiting.push({ before: undoes_from ?? seq, open: given.kept })
      for (const { start, length } of given.written) found.push({ start, length, seq })
      current = before
    },
    isDone: () => open.length === 0 && waiting.length === 0,
    result() {
      const rest = [open, ...waiting.map(({ open }) => open)].flat()
      return join([...found, ...rest.map(({ start, length }) => ({ start, length, seq: null }))])
    },
  }

  /** What waited for the change that comes now, or for one after it. */
  function takeUp(seq: number): void {
    for (let index = waiting.length - 1; index >= 0; index -= 1) {
      if (waiting[index]!.before <= seq) continue
      open = [...open, ...waiting[index]!.open]
      waiting.splice(index, 1)
    }
  }
}

/** Of some stretches of `after`: where they stood in `before`, and what did not stand there. */
function split(stretches: readonly Open[], after: string, before: string): { kept: Open[]; written: Open[] } {
  const kept: Open[] = []
  const written: Open[] = []
  if (stretches.length === 0) return { kept, written }
  const sorted = stretches.toSorted((a, b) => a.at - b.at)
  const spans = keptSpans(before, after, (start, end) => touches(sorted, start, end))
  // Stretches may overlap, where text that was given back stood beside itself: each starts where the last one did.
  let first = 0
  for (const stretch of sorted) {
    while (first < spans.length && spans[first]!.after + spans[first]!.length <= stretch.at) first += 1
    cut(stretch, spans, first, { kept, written })
  }
  return { kept, written }
}

function touches(sorted: readonly Open[], start: number, end: number): boolean {
  return sorted.some(({ at, length }) => at < end && at + length > start)
}

function cut(
  { start, length, at }: Open,
  spans: readonly KeptSpan[],
  first: number,
  { kept, written }: { kept: Open[]; written: Open[] },
): void {
  let done = 0
  for (let index = first; done < length; index += 1) {
    const span = spans[index]
    const gap = Math.min(length, Math.max(done, (span?.after ?? Number.POSITIVE_INFINITY) - at))
    if (gap > done) written.push({ start: start + done, length: gap - done, at: at + done })
    done = gap
    if (!span || done >= length) return
    const into = at + done - span.after
    const same = Math.min(span.length - into, length - done)
    if (same > 0) kept.push({ start: start + done, length: same, at: span.before + into })
    done += Math.max(0, same)
  }
}

function join(attributions: Attribution[]): Attribution[] {
  const joined: Attribution[] = []
  for (const { start, length, seq } of attributions.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last?.seq === seq && last.start + last.length === start) last.length += length
    else joined.push({ start, length, seq })
  }
  return joined
}
