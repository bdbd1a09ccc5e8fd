// Keeps a card bounded. What is left out is counted where it would stand, so that nothing is cut silently.

import type { CardHunk, DiffPart, LinkChange, TextChange } from '../../contract/card.ts'
import { sumCounts } from './text-change.ts'

export type CardLimits = {
  /** Characters of one side of one field's raw value. */
  value: number
  /** Characters of the parts of one field, and of an unchanged stretch within a hunk. */
  parts: number
  same: number
  hunks: number
}

/** Whole for what people write: 120,000 characters are 40 pages of paper. */
export const cardLimits: CardLimits = { value: 120_000, parts: 120_000, same: 4000, hunks: 500 }

export const noLimits: CardLimits = { value: Infinity, parts: Infinity, same: Infinity, hunks: Infinity }

const keptSame = 500
const longestTarget = 2000
const mostLinks = 100

/** The change with no more than the limits allow; the counts of the whole stay. */
export function foldText(change: TextChange, limits: CardLimits): TextChange {
  const shown: CardHunk[] = []
  let left = limits.parts
  for (const hunk of change.hunks) {
    if (shown.length >= limits.hunks || left <= 0) break
    const folded = foldHunk(hunk, limits.same, left)
    shown.push(folded)
    left -= sizeOf(folded)
  }
  const rest = change.hunks.slice(shown.length)
  return {
    ...change,
    hunks: shown,
    folded: rest.length > 0 ? { ...sumCounts(rest.map(({ counts }) => counts)), hunks: rest.length } : null,
  }
}

/** The beginning of a value that is too long, and how many characters are left out. */
export function cutText(text: string, most: number): { text: string; left: number } {
  if (text.length <= most) return { text, left: 0 }
  const end = wholeCharacters(text, most)
  return { text: text.slice(0, end), left: text.length - end }
}

function foldHunk(hunk: CardHunk, same: number, left: number): CardHunk {
  if (left === Infinity) return hunk
  const parts = foldParts(hunk.parts, same, left)
  const links = hunk.links.slice(0, mostLinks).map(foldLink)
  // The cells of a table say the same again; where the parts are cut, cells would not be.
  const isWhole = parts.every(({ folded }) => folded === 0)
  return {
    ...hunk,
    parts,
    table: isWhole ? hunk.table : null,
    links,
    more_links: hunk.links.length - links.length,
  }
}

const sizeOf = ({ parts, context, links }: CardHunk): number =>
  [...parts.map(({ text }) => text), ...context.above, ...context.below].reduce(
    (sum, text) => sum + text.length,
    0,
  ) + links.reduce((sum, { label, before, after }) => sum + label.length + `${before}${after}`.length, 0)

function foldParts(parts: readonly DiffPart[], same: number, left: number): DiffPart[] {
  let room = left
  return parts.flatMap((part) => {
    if (part.kind === 'same' && part.text.length > same) {
      const head = cutText(part.text, keptSame)
      const tail = part.text.slice(wholeCharacters(part.text, part.text.length - keptSame))
      room -= head.text.length + tail.length
      return [
        { ...part, text: head.text, folded: head.left - tail.length },
        { ...part, text: tail },
      ]
    }
    const kept = cutText(part.text, Math.max(0, room))
    room -= kept.text.length
    return [{ ...part, text: kept.text, folded: kept.left }]
  })
}

const foldLink = (link: LinkChange): LinkChange => ({
  ...link,
  label: shorten(link.label),
  before: link.before && shorten(link.before),
  after: link.after && shorten(link.after),
})

function shorten(text: string): string {
  const { text: kept, left } = cutText(text, longestTarget)
  return left > 0 ? `${kept}… (${left.toLocaleString('en')} more characters)` : kept
}

/** Not within a character of two units. */
const wholeCharacters = (text: string, end: number) =>
  /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
