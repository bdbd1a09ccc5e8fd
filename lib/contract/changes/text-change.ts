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

/** Kind of a text region. Prose is compared by words, code and front matter by lines, tables by cells. */
const HunkKind = z.enum(['prose', 'code', 'front_matter', 'table', 'mixed'])

export const DiffPart = z.object({
  kind: z.enum(['same', 'removed', 'added']),
  text: z.string(),
  folded: count.describe('Number of characters omitted after the text'),
})

export type DiffPart = z.infer<typeof DiffPart>

export const sidesOf = <Value extends z.ZodType>(value: Value) => z.object({ before: value, after: value })

const TableChange = z.object({
  /** Header cells; empty if the table has no header row above. */
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
  /** Link text; the target itself for a bare URL. */
  label: z.string(),
  /** `null` on one side for an added or removed link. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Host of each target; `null` for a target within Void. */
  hosts: sidesOf(z.string().nullable()),
})

export const CardHunk = z.object({
  index: count.describe('Index used to select the hunk in a decision'),
  kind: HunkKind,
  /** Headings above the hunk, outermost first. */
  heading_path: z.array(z.string()),
  /** First line, 1-based, and number of lines removed and added. */
  lines: sidesOf(z.object({ start: z.int(), count })),
  /** Number of unchanged lines between the previous hunk (or the start) and `context.above`. */
  unchanged_above: count,
  /** Unchanged lines around the hunk, without line breaks. */
  context: z.object({ above: z.array(z.string()), below: z.array(z.string()) }),
  /** Without the added parts: the text before. Without the removed parts: the text after. */
  parts: z.array(DiffPart),
  /** For a table: changed rows, with both sides of each cell. */
  table: TableChange.nullable(),
  counts: ChangeCounts,
  /** Changed, added and removed links. */
  links: z.array(LinkChange),
  /** Number of links not listed. */
  more_links: count,
  /** Checks of quotations in the added text against the stored texts. */
  quotes: z.array(QuoteCheck),
})

export type CardHunk = z.infer<typeof CardHunk>

export const TextChange = z.object({
  hunks: z.array(CardHunk),
  totals: ChangeCounts.extend({ hunks: count }),
  /** The part of the totals not covered by the hunks of this card; `null` if the card is complete. */
  folded: ChangeCounts.extend({ hunks: count }).nullable(),
  /** Number of unchanged lines below the last hunk's context. */
  unchanged_below: count,
})

export type TextChange = z.infer<typeof TextChange>

export type LinkChange = z.infer<typeof LinkChange>

/** Current and proposed value. */
export type Sides<Value> = { before: Value; after: Value }
