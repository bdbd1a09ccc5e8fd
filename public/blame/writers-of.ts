import type { Blame, BlameChange } from '../../lib/contract/blame.ts'

/** A change and the words of a passage that it wrote; `change` is `null` for words older than what was looked through. */
export type Wrote = { change: BlameChange | null; words: string }

const mostWords = 160

/** Who wrote a stretch of a text: each change once, the latest first. White space that nobody reads does not count. */
export function writersOf(
  { passages, changes }: Pick<Blame, 'passages' | 'changes'>,
  { start, end }: { start: number; end: number },
): Wrote[] {
  const words = new Map<number | null, string[]>()
  for (const passage of passages) {
    const from = Math.max(start, passage.start)
    const to = Math.min(end, passage.end)
    if (from >= to) continue
    const text = passage.text.slice(from - passage.start, to - passage.start)
    if (!/[\p{L}\p{N}]/u.test(text)) continue
    const said = words.get(passage.seq)
    if (said) said.push(text)
    else words.set(passage.seq, [text])
  }
  return [...words]
    .toSorted(([a], [b]) => (b ?? 0) - (a ?? 0))
    .map(([seq, said]) => ({
      change: changes.find((change) => change.seq === seq) ?? null,
      words: cut(said.map((text) => text.trim().replace(/\s+/g, ' ')).join(' … ')),
    }))
}

const cut = (text: string) => (text.length > mostWords ? `${text.slice(0, mostWords - 1)}…` : text)
