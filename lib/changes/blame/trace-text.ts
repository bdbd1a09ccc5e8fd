// Blame for prose: from the current text back through its versions. Each region is followed to where it was in the version
// before; what was not there was written by that change. An undo writes nothing: a region that it restored is looked for
// in the version before the changes that it reverted, and followed from there.

import { countWhile } from '../../core/text/count-while.ts'
import { type KeptSpan, keptSpans } from './kept-spans.ts'

/** A change of the text in the audit log. */
type TextChange = {
  seq: number
  /** The text before it; empty for a creation. */
  before: string
  /** The first of the changes that it reverts; `null` for one that is no undo. */
  undoes_from: number | null
}

/** With the text that it restored, where it is an undo and the log has it. */
export type TracedChange = TextChange & { restored: string | null }

/** `length` characters of the text from `start` on, and the change that wrote them; `null`: none of those seen so far. */
export type Attribution = { start: number; length: number; seq: number | null }

/** Text whose writer is not found yet: at `start` in the current text, at `at` in the version that is being compared. */
type Region = { start: number; length: number; at: number }

/** How far a text is traced: plain data, so that it can go on in a thread. */
export type TraceState = {
  current: string
  open: Region[]
  /** Regions that an undo restored, to be followed from before a certain change on. */
  waiting: { before: number; open: Region[] }[]
  found: Attribution[]
}

export type TextTrace = {
  /**
   * Goes one change back, the latest change first. `restored`, for an undo: the text before what it reverts, where the
   * log has it.
   */
  step(change: TextChange, restored: string | null): void
  /** Whether the change of every character is found. */
  isDone(): boolean
  /** In the order of the text; adjacent ones of one change are joined. */
  result(): Attribution[]
  state(): TraceState
}

/** To follow the characters of `text` from `start` to `end`. */
export function beginTrace(text: string, start = 0, end = text.length): TraceState {
  const open = end > start ? [{ start, length: end - start, at: start }] : []
  return { current: text, open, waiting: [], found: [] }
}

/** Goes some changes back, as `TextTrace.step` goes one, each with what is `restored`. */
export function traceChanges({
  state,
  changes,
}: {
  state: TraceState
  changes: readonly TracedChange[]
}): TraceState {
  const trace = createTextTrace(state)
  for (const { restored, ...change } of changes) if (!trace.isDone()) trace.step(change, restored)
  return trace.state()
}

/** Goes on from a state, which is left as it is. */
export function createTextTrace(from: TraceState): TextTrace {
  const found = [...from.found]
  const waiting = [...from.waiting]
  let { current, open } = from

  return {
    step({ seq, before, undoes_from }, restored) {
      resumeBefore(seq)
      const { kept, written } = split(open, current, before)
      open = kept
      const undone =
        restored === null || undoes_from === null || written.length === 0
          ? { kept: [], written }
          : split(written, current, restored)
      if (undone.kept.length > 0) waiting.push({ before: undoes_from ?? seq, open: undone.kept })
      for (const { start, length } of undone.written) found.push({ start, length, seq })
      current = before
    },
    isDone: () => open.length === 0 && waiting.length === 0,
    result() {
      const rest = [open, ...waiting.map(({ open }) => open)].flat()
      return join([...found, ...rest.map(({ start, length }) => ({ start, length, seq: null }))])
    },
    state: () => ({ current, open, waiting, found }),
  }

  /** Opens the regions that wait for this change or for a later one. */
  function resumeBefore(seq: number): void {
    for (let index = waiting.length - 1; index >= 0; index -= 1) {
      if (waiting[index]!.before <= seq) continue
      open = [...open, ...waiting[index]!.open]
      waiting.splice(index, 1)
    }
  }
}

/** Divides regions of `after` into what was in `before`, placed there, and what was not. */
function split(
  regions: readonly Region[],
  after: string,
  before: string,
): { kept: Region[]; written: Region[] } {
  const kept: Region[] = []
  const written: Region[] = []
  if (regions.length === 0) return { kept, written }
  const sorted = regions.toSorted((a, b) => a.at - b.at)
  const spans = keptSpans(before, after, overlaps(sorted))
  // Regions may overlap where an undo restored text that was there twice: each starts where the last one did.
  let first = 0
  for (const region of sorted) {
    while (first < spans.length && spans[first]!.after + spans[first]!.length <= region.at) first += 1
    cut(region, spans, first, { kept, written })
  }
  return { kept, written }
}

/** Whether a range overlaps one of the regions, which are sorted by `at`. */
function overlaps(sorted: readonly Region[]): (start: number, end: number) => boolean {
  let reached = 0
  const reach = sorted.map(({ at, length }) => {
    reached = Math.max(reached, at + length)
    return reached
  })
  return (start, end) => {
    const before = countWhile(sorted.length, (index) => sorted[index]!.at < end)
    return before > 0 && reach[before - 1]! > start
  }
}

function cut(
  { start, length, at }: Region,
  spans: readonly KeptSpan[],
  first: number,
  { kept, written }: { kept: Region[]; written: Region[] },
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
