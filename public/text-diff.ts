// What changed between two texts: by lines first, then by words within the lines that differ. The cost is bounded;
// beyond it a stretch is shown as replaced, which is always true.

export type Part = { kind: 'same' | 'removed' | 'added' | 'folded'; text: string }

/** A stretch of lines. The texts of a diff without the removed parts are the text after, and the other way round. */
export type Hunk =
  | { kind: 'same'; text: string }
  /** Equal lines that are far from any change. */
  | { kind: 'folded'; text: string; lines: number }
  | { kind: 'changed'; parts: Part[] }

type Run = { kind: 'same' | 'removed' | 'added'; count: number }

const mostLineEdits = 1200
const mostWordEdits = 800
const mostWords = 20_000
/** Equal lines that are shown around a change. */
const context = 2
/** Equal words within a changed line that are shown in full, in characters, and what is left of longer ones. */
const longestSame = 480
const keptSame = 120

export function diffText(before: string, after: string): Hunk[] {
  const old = splitLines(before)
  const now = splitLines(after)
  const runs = diffTokens(old, now, mostLineEdits)
  const hunks: Hunk[] = []
  let a = 0
  let b = 0

  for (let index = 0; index < runs.length; index++) {
    const run = runs[index]!
    if (run.kind === 'same') {
      hunks.push(
        ...foldLines(old.slice(a, a + run.count), { first: index === 0, last: index === runs.length - 1 }),
      )
      a += run.count
      b += run.count
      continue
    }
    const removed = run.kind === 'removed' ? run.count : 0
    const next = runs[index + 1]
    const added = run.kind === 'added' ? run.count : next?.kind === 'added' ? next.count : 0
    if (removed > 0 && added > 0) index++
    const parts = diffWords(old.slice(a, a + removed).join(''), now.slice(b, b + added).join(''))
    hunks.push({ kind: 'changed', parts: parts.flatMap(foldSame) })
    a += removed
    b += added
  }
  return hunks
}

/** The words that differ; text that is too long or too different is one removal and one addition. */
export function diffWords(before: string, after: string): Part[] {
  const old = splitWords(before)
  const now = splitWords(after)
  if (old.length + now.length > mostWords) return replaced(before, after)

  const parts: Part[] = []
  let a = 0
  let b = 0
  for (const { kind, count } of diffTokens(old, now, mostWordEdits)) {
    const text = kind === 'added' ? now.slice(b, b + count) : old.slice(a, a + count)
    parts.push({ kind, text: text.join('') })
    if (kind !== 'added') a += count
    if (kind !== 'removed') b += count
  }
  const calm = absorb(parts)
  return sameShare(calm) < 0.25 ? replaced(before, after) : calm
}

/** Runs that turn `old` into `now`: removals come before additions. Falls back to "all replaced" past `mostEdits`. */
export function diffTokens<Token>(old: readonly Token[], now: readonly Token[], mostEdits: number): Run[] {
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end++
  }
  const a = old.slice(start, old.length - end)
  const b = now.slice(start, now.length - end)
  return tidy([{ kind: 'same', count: start }, ...middle(a, b, mostEdits), { kind: 'same', count: end }])
}

// Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): the greedy one, with its frontiers kept.
function middle<Token>(a: readonly Token[], b: readonly Token[], mostEdits: number): Run[] {
  const all: Run[] = [
    { kind: 'removed', count: a.length },
    { kind: 'added', count: b.length },
  ]
  if (a.length === 0 || b.length === 0) return all

  const most = Math.min(a.length + b.length, mostEdits)
  const reach = new Int32Array(2 * most + 3)
  const at = most + 1
  const frontiers: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    frontiers.push(reach.slice(at - edits - 1, at + edits + 2))
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[at + k - 1]! < reach[at + k + 1]!)
      let x = down ? reach[at + k + 1]! : reach[at + k - 1]! + 1
      let y = x - k
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++
        y++
      }
      reach[at + k] = x
      if (x >= a.length && y >= b.length) return walkBack(frontiers, a.length, b.length)
    }
  }
  return all
}

function walkBack(frontiers: Int32Array[], length: number, width: number): Run[] {
  const runs: Run[] = []
  let x = length
  let y = width
  for (let edits = frontiers.length - 1; edits >= 0; edits--) {
    const reach = frontiers[edits]!
    const at = edits + 1
    const k = x - y
    const down = k === -edits || (k !== edits && reach[at + k - 1]! < reach[at + k + 1]!)
    const fromX = edits === 0 ? 0 : down ? reach[at + k + 1]! : reach[at + k - 1]!
    const fromY = edits === 0 ? 0 : fromX - (down ? k + 1 : k - 1)
    const same = Math.min(x - fromX, y - fromY)
    runs.push({ kind: 'same', count: same })
    if (edits > 0) runs.push({ kind: down ? 'added' : 'removed', count: 1 })
    x = fromX
    y = fromY
  }
  return runs.reverse()
}

/** Joins neighbours of a kind, with the removals of a changed stretch before its additions. */
function tidy(runs: Run[]): Run[] {
  const tidied: Run[] = []
  let removed = 0
  let added = 0
  const flush = () => {
    if (removed > 0) tidied.push({ kind: 'removed', count: removed })
    if (added > 0) tidied.push({ kind: 'added', count: added })
    removed = 0
    added = 0
  }
  for (const { kind, count } of runs) {
    if (count === 0) continue
    if (kind === 'removed') removed += count
    else if (kind === 'added') added += count
    else {
      flush()
      const last = tidied.at(-1)
      if (last?.kind === 'same') last.count += count
      else tidied.push({ kind, count })
    }
  }
  flush()
  return tidied
}

// A lone space or comma between two changed words would leave confetti: it is told with them.
function absorb(parts: Part[]): Part[] {
  const calm: Part[] = []
  let removed = ''
  let added = ''
  const flush = () => {
    if (removed) calm.push({ kind: 'removed', text: removed })
    if (added) calm.push({ kind: 'added', text: added })
    removed = ''
    added = ''
  }
  for (const [index, { kind, text }] of parts.entries()) {
    const between = index > 0 && index < parts.length - 1
    const bridge =
      kind === 'same' && between && removed && added && text.trim().length < 2 && !text.includes('\n')
    if (kind === 'removed' || bridge) removed += text
    if (kind === 'added' || bridge) added += text
    if (kind !== 'same' || bridge) continue
    flush()
    calm.push({ kind, text })
  }
  flush()
  return calm
}

function sameShare(parts: Part[]): number {
  const size = (kinds: string[]) =>
    parts.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { text }) => sum + text.trim().length, 0)
  return size(['same']) / Math.max(1, Math.min(size(['same', 'removed']), size(['same', 'added'])))
}

function replaced(before: string, after: string): Part[] {
  const both: Part[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return both.filter(({ text }) => text !== '')
}

function foldLines(lines: string[], { first, last }: { first: boolean; last: boolean }): Hunk[] {
  const head = first ? 0 : context
  const tail = last ? 0 : context
  // Folding one or two lines away would hide less than the fold itself takes.
  if (lines.length <= head + tail + 2) return [{ kind: 'same', text: lines.join('') }]
  const hunks: Hunk[] = [
    { kind: 'same', text: lines.slice(0, head).join('') },
    {
      kind: 'folded',
      text: lines.slice(head, lines.length - tail).join(''),
      lines: lines.length - head - tail,
    },
    { kind: 'same', text: lines.slice(lines.length - tail).join('') },
  ]
  return hunks.filter(({ kind }, index) => kind === 'folded' || (index === 0 ? head : tail) > 0)
}

function foldSame(part: Part): Part[] {
  if (part.kind !== 'same' || part.text.length <= longestSame) return [part]
  const words = splitWords(part.text)
  const head = takeWords(words, keptSame)
  const tail = takeWords(words.slice(head.length).toReversed(), keptSame)
  const folded = words.slice(head.length, words.length - tail.length).join('')
  return [
    { kind: 'same', text: head.join('') },
    { kind: 'folded', text: folded },
    { kind: 'same', text: tail.toReversed().join('') },
  ]
}

function takeWords(words: readonly string[], characters: number): string[] {
  let size = 0
  const end = words.findIndex((word) => {
    size += word.length
    return size > characters
  })
  return words.slice(0, end)
}

const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Words, runs of white space, and every other character by itself. */
const splitWords = (text: string): string[] => text.match(/\n|[^\S\n]+|[\p{L}\p{M}\p{N}_]+|[^\s]/gu) ?? []

export const countWords = (text: string): number => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0
