import type { DiffPart } from '../../contract/card.ts'
import { align } from './align.ts'

/** Longer stretches are told as replaced, which is always true. In characters, both sides together. */
const longest = 1_000_000
/** Below this share of common characters a stretch reads better as replaced than as a patchwork. */
const leastCommon = 0.25

/**
 * What changes between two stretches of prose, word by word. Without the added parts it is `before`, without the
 * removed ones `after`, byte for byte.
 */
export function wordParts(before: string, after: string): DiffPart[] {
  if (before.length + after.length > longest) return replaced(before, after)
  const old = tokensOf(before)
  const fresh = tokensOf(after)
  const parts: DiffPart[] = []
  let position = 0
  for (const change of align(old, fresh)) {
    push(parts, 'same', old.slice(position, change.before.start).join(''))
    push(parts, 'removed', old.slice(change.before.start, change.before.end).join(''))
    push(parts, 'added', fresh.slice(change.after.start, change.after.end).join(''))
    position = change.before.end
  }
  push(parts, 'same', old.slice(position).join(''))
  const calm = absorb(parts)
  return commonShare(calm) < leastCommon ? replaced(before, after) : calm
}

/** The one as gone, the other as new. */
export function replaced(before: string, after: string): DiffPart[] {
  const parts: DiffPart[] = []
  push(parts, 'removed', before)
  push(parts, 'added', after)
  return parts
}

/** How many words a text has: runs of letters and digits. */
export const countWords = (text: string): number => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0

/** Words, runs of white space, line breaks, and every other character by itself. */
const tokensOf = (text: string): string[] =>
  text.match(/\r?\n|[^\S\n]+?(?=\r?\n)|[^\S\n]+|[\p{L}\p{M}\p{N}_]+|[^\s]/gu) ?? []

function push(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += text
  else parts.push({ kind, text, folded: 0 })
}

// A lone space or comma between two changed words would leave confetti: it is told with them.
function absorb(parts: readonly DiffPart[]): DiffPart[] {
  const calm: DiffPart[] = []
  let removed = ''
  let added = ''
  const flush = () => {
    push(calm, 'removed', removed)
    push(calm, 'added', added)
    removed = ''
    added = ''
  }
  for (const [index, { kind, text }] of parts.entries()) {
    const isBridge =
      kind === 'same' && index < parts.length - 1 && removed !== '' && added !== '' && isSlight(text)
    if (kind === 'removed' || isBridge) removed += text
    if (kind === 'added' || isBridge) added += text
    if (kind !== 'same' || isBridge) continue
    flush()
    push(calm, kind, text)
  }
  flush()
  return calm
}

const isSlight = (text: string) => text.length < 4 && text.trim().length < 2 && !text.includes('\n')

function commonShare(parts: readonly DiffPart[]): number {
  const sizes = { same: 0, removed: 0, added: 0 }
  for (const { kind, text } of parts) sizes[kind] += text.trim().length
  const shorter = Math.min(sizes.same + sizes.removed, sizes.same + sizes.added)
  return shorter === 0 ? 1 : sizes.same / shorter
}
