import { align } from './align.ts'

export type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string }

/** In characters, both sides together: longer texts are one removal and one addition. */
const maxLength = 1_000_000

/** Below this share of common characters, one removal and one addition read better than a patchwork. */
const minCommonShare = 0.25

/**
 * The word diff of two texts. Without the added parts it is `before`, without the removed ones `after`, byte for byte.
 */
export function diffWords(before: string, after: string): DiffPart[] {
  if (before.length + after.length > maxLength) return replaceText(before, after)
  const old = splitWords(before)
  const fresh = splitWords(after)
  const parts: DiffPart[] = []
  let position = 0
  for (const change of align(old, fresh)) {
    push(parts, 'same', old.slice(position, change.before.start).join(''))
    push(parts, 'removed', old.slice(change.before.start, change.before.end).join(''))
    push(parts, 'added', fresh.slice(change.after.start, change.after.end).join(''))
    position = change.before.end
  }
  push(parts, 'same', old.slice(position).join(''))
  const joined = joinAcrossSeparators(parts)
  return commonShare(joined) < minCommonShare ? replaceText(before, after) : joined
}

/** One removal and one addition, without comparing. */
export function replaceText(before: string, after: string): DiffPart[] {
  const parts: DiffPart[] = []
  push(parts, 'removed', before)
  push(parts, 'added', after)
  return parts
}

function push(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += text
  else parts.push({ kind, text })
}

// Two changed words with a space or a comma between them read better as one change.
function joinAcrossSeparators(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = []
  let removed = ''
  let added = ''
  const flush = () => {
    push(joined, 'removed', removed)
    push(joined, 'added', added)
    removed = ''
    added = ''
  }
  for (const [index, { kind, text }] of parts.entries()) {
    const isBridge =
      kind === 'same' && index < parts.length - 1 && removed !== '' && added !== '' && isSeparator(text)
    if (kind === 'removed' || isBridge) removed += text
    if (kind === 'added' || isBridge) added += text
    if (kind !== 'same' || isBridge) continue
    flush()
    push(joined, kind, text)
  }
  flush()
  return joined
}

const isSeparator = (text: string) => text.length < 4 && text.trim().length < 2 && !text.includes('\n')

function commonShare(parts: readonly DiffPart[]): number {
  const sizes = { same: 0, removed: 0, added: 0 }
  for (const { kind, text } of parts) sizes[kind] += text.trim().length
  const shorter = Math.min(sizes.same + sizes.removed, sizes.same + sizes.added)
  return shorter === 0 ? 1 : sizes.same / shorter
}

/** Words, amounts (“€2,300”), runs of white space, line breaks, and every other character by itself; joined they are the text. */
const splitWords = (text: string): string[] =>
  text.match(/\r?\n|[^\S\n]+?(?=\r?\n)|[^\S\n]+|\p{Sc}?\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}_]+|[^\s]/gu) ??
  []

/** The number of words: runs of letters and digits. */
export const countWords = (text: string): number => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0
