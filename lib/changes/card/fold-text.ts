// Bounds the size of a card. Whatever is left out is counted in its place, so that nothing is truncated silently.

import type { CardField } from '../../contract/changes/card.ts'
import type { CardHunk, DiffPart, LinkChange, TextChange } from '../../contract/changes/text-change.ts'
import { sumCounts } from './text-change.ts'

export type CardLimits = {
  /** Characters of one side of one field's raw value. */
  value: number
  /** Characters of the parts of one field, and of an unchanged part within a hunk. */
  parts: number
  same: number
  hunks: number
}

/** Whole for what people write: 120,000 characters are 40 pages of paper. */
export const cardLimits: CardLimits = { value: 120_000, parts: 120_000, same: 4000, hunks: 500 }

export const noLimits: CardLimits = { value: Infinity, parts: Infinity, same: Infinity, hunks: Infinity }

/** In characters, at either end of an unchanged part that is folded. */
const unfoldedEnd = 500

const maxTarget = 2000

const maxLinks = 100

/** The change within the limits; its totals are those of the whole. */
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
function cutText(text: string, max: number): { text: string; left: number } {
  if (text.length <= max) return { text, left: 0 }
  const end = wholeCharacters(text, max)
  return { text: text.slice(0, end), left: text.length - end }
}

function foldHunk(hunk: CardHunk, same: number, left: number): CardHunk {
  if (left === Infinity) return hunk
  const parts = foldParts(hunk.parts, same, left)
  const links = hunk.links.slice(0, maxLinks).map(foldLink)
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

const sizeOf = ({ heading_path, parts, table, context, links }: CardHunk): number =>
  lengthOf([
    ...heading_path,
    ...(table?.columns ?? []),
    ...parts.map(({ text }) => text),
    ...context.above,
    ...context.below,
    ...links.flatMap(({ label, before, after }) => [label, before ?? '', after ?? '']),
  ])

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0)

/** Parts within so many characters; longer unchanged stretches lose their middle. */
export function foldParts(parts: readonly DiffPart[], same: number, left: number): DiffPart[] {
  let room = left
  return parts.flatMap((part) => {
    if (part.kind === 'same' && part.text.length > same) {
      const head = cutText(part.text, unfoldedEnd)
      const tail = part.text.slice(wholeCharacters(part.text, part.text.length - unfoldedEnd))
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
  const { text: kept, left } = cutText(text, maxTarget)
  return left > 0 ? `${kept}… (${left.toLocaleString('en')} more characters)` : kept
}

/** Not within a character of two units. */
const wholeCharacters = (text: string, end: number) =>
  /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end

/** The field within the limits of a card; what is left out is counted. */
export function foldField(field: CardField, limits: CardLimits): CardField {
  const before = cutValue(field.before, limits.value)
  const after = cutValue(field.after, limits.value)
  return {
    ...field,
    before: before.value,
    after: after.value,
    cut: before.left + after.left > 0 ? { before: before.left, after: after.left } : null,
    text: field.text && foldText(field.text, limits),
  }
}

function cutValue(value: unknown, limit: number): { value: unknown; left: number } {
  if (typeof value !== 'string') return { value, left: 0 }
  const { text, left } = cutText(value, limit)
  return { value: text, left }
}

/** Whether anything of a folded field is left out. */
export const isFolded = ({ cut, text }: CardField): boolean =>
  cut !== null ||
  (text !== null &&
    (text.folded !== null ||
      text.hunks.some((hunk) => hunk.more_links > 0 || hunk.parts.some(({ folded }) => folded > 0))))
