import { cleanLine } from '../../../lib/core/text/clean.ts'
import { mergeText } from '../../../lib/core/text/diff/merge-text.ts'
import type { PageText } from '../data/page-data.ts'

export const fieldNames = ['title', 'body'] as const

/** The fields of `theirs` that can be taken over, and whether both sides changed one. */
export function compareVersions(base: PageText, mine: PageText, theirs: PageText) {
  const touched = fieldNames.filter((name) => theirs[name] !== base[name])
  const differing = touched.filter((name) => mine[name] !== theirs[name])
  const free = differing.filter((name) => mine[name] === base[name])
  const merged: Partial<PageText> = Object.fromEntries(free.map((name) => [name, theirs[name]]))
  return { taken: merged, isConflict: free.length < differing.length }
}

/** As `mergeSaved`, of a title: one that was changed on both sides is not merged. */
export function mergeTitle({
  sent,
  saved,
  mine,
}: {
  sent: string
  saved: string
  mine: string
}): string | null {
  if (saved === cleanLine(mine)) return mine
  return mine === sent ? saved : null
}

/**
 * The text of the editor with what the server changed in the one that was sent; `null` where both changed the same words.
 * The server changes little, such as the links of a page to itself once it is renamed, so a line may hold both.
 */
export function mergeSaved({
  sent,
  saved,
  mine,
}: {
  sent: string
  saved: string
  mine: string
}): string | null {
  if (mine === sent || mine === saved) return saved
  if (saved === sent) return mine
  const { text, conflicts } = mergeText({ base: sent, current: saved, draft: mine })
  let merged = ''
  let done = 0
  for (const { at, base, current, draft } of conflicts) {
    const words = mergeText({ base: toLines(base), current: toLines(current), draft: toLines(draft) })
    if (words.conflicts.length > 0) return null
    merged += text.slice(done, at) + fromLines(words.text)
    done = at + current.length
  }
  return merged + text.slice(done)
}

/** Each word and each sign as a line, for the merge by lines. A stored text has no NUL, which stands for a line break. */
const toLines = (text: string): string =>
  (text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [])
    .map((word) => (word === '\n' ? '\0\n' : `${word}\n`))
    .join('')

const fromLines = (text: string): string => text.replaceAll('\n', '').replaceAll('\0', '\n')
