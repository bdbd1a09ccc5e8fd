import { z } from 'zod'
import { count } from '../scalars.ts'
import { QuoteCheck } from './provenance.ts'

const ChangeCounts = z.object({
  words_added: count,
  words_removed: count,
  lines_added: count,
  lines_removed: count,
})

export type ChangeCounts = z.infer<typeof ChangeCounts>

/** How a region of a text is read: prose word by word, code and front matter by lines, a table by cells. */
const HunkKind = z.enum(['prose', 'code', 'front_matter', 'table', 'mixed'])

export const DiffPart = z.object({
  kind: z.enum(['same', 'removed', 'added']),
  text: z.string(),
  folded: count.describe('Characters left out after the text'),
})

export type DiffPart = z.infer<typeof DiffPart>

export const sidesOf = <Value extends z.ZodType>(value: Value) => z.object({ before: value, after: value })

const TableChange = z.object({
  /** The cells of the header row; empty when the table has none above. */
  columns: z.array(z.string()),
  rows: z.array(
    z.object({
      kind: z.enum(['changed', 'added', 'removed']),
      cells: z.array(sidesOf(z.string().nullable())),
    }),
  ),
})

export const LinkChange = z.object({
  kind: z.enum(['link', 'image', 'wikilink', 'embed', 'html']),
  /** What is shown of it; the target itself for a bare address. */
  label: z.string(),
  /** `null` for one that is added, or removed. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Whose server it is; `null` for a target within Void. */
  hosts: sidesOf(z.string().nullable()),
})

export const CardHunk = z.object({
  index: count.describe('The number that a decision names it by'),
  kind: HunkKind,
  /** The headings above it, from the outermost in. */
  heading_path: z.array(z.string()),
  /** The first line, counted from 1, and the number of lines removed and added. */
  lines: sidesOf(z.object({ start: z.int(), count })),
  /** Unchanged lines between the hunk before (or the beginning) and `context.above`. */
  unchanged_above: count,
  /** Unchanged lines around it, without their line breaks. */
  context: z.object({ above: z.array(z.string()), below: z.array(z.string()) }),
  /** Without the added parts it is the text before, without the removed ones the text after. */
  parts: z.array(DiffPart),
  /** For a table: its rows that change, each cell with both sides. */
  table: TableChange.nullable(),
  counts: ChangeCounts,
  /** Links that are changed, added or removed. */
  links: z.array(LinkChange),
  /** Links that there is no room to list. */
  more_links: count,
  /** Quotations in what it adds, each compared with the stored texts. */
  quotes: z.array(QuoteCheck),
})

export type CardHunk = z.infer<typeof CardHunk>

export const TextChange = z.object({
  hunks: z.array(CardHunk),
  totals: ChangeCounts.extend({ hunks: count }),
  /** What of the totals is in no hunk of this card; `null` when the card is whole. */
  folded: ChangeCounts.extend({ hunks: count }).nullable(),
  /** Lines below the last hunk's context. */
  unchanged_below: count,
})

export type TextChange = z.infer<typeof TextChange>

export type LinkChange = z.infer<typeof LinkChange>

/** Two sides of one thing: as it is, and as it would be. */
export type Sides<Value> = { before: Value; after: Value }
