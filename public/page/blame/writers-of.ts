import type { Blame, BlameChange } from '../../../lib/contract/changes/blame.ts'

/** A change and the words of a passage that it wrote; `change` is `null` for words older than the searched history. */
export type Writer = { change: BlameChange | null; words: string }

const maxLength = 160

/** Who wrote a region of a text: each change once, the latest first. White space does not count. */
export function writersOf(
  { passages, changes }: Pick<Blame, 'passages' | 'changes'>,
  { start, end }: { start: number; end: number },
): Writer[] {
  const words = new Map<number | null, string[]>()
  for (const passage of passages) {
    const from = Math.max(start, passage.start)
    const to = Math.min(end, passage.end)
    if (from >= to) continue
    const text = passage.text.slice(from - passage.start, to - passage.start)
    if (!/[\p{L}\p{N}]/u.test(text)) continue
    const written = words.get(passage.seq)
    if (written) written.push(text)
    else words.set(passage.seq, [text])
  }
  return [...words]
    .toSorted(([a], [b]) => (b ?? 0) - (a ?? 0))
    .map(([seq, written]) => ({
      change: changes.find((change) => change.seq === seq) ?? null,
      words: cut(written.map((text) => text.trim().replace(/\s+/g, ' ')).join(' … ')),
    }))
}

const cut = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text)
