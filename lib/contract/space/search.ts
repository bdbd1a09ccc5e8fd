import { z } from 'zod'
import { TitledEntity } from '../entities.ts'
import { listOf } from '../list.ts'
import { count, id, time } from '../scalars.ts'

/** A part of a text; matching words are marked. */
export const Piece = z.object({ text: z.string(), marked: z.boolean() })

export type Piece = z.infer<typeof Piece>

/** A passage: a contiguous part of the entity's stored text. */
export const Passage = z.object({
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  /** Headings above the passage, outermost first, without the title. */
  heading_path: z.array(z.string()),
  ordinal: count,
  text: z.string(),
  score: z.number(),
})

export type Passage = z.infer<typeof Passage>

/** Excerpt of a passage for display. */
const Excerpt = z.object({
  snippet: z.array(Piece).describe('Part of the text, without Markdown syntax'),
  cite: z.string().describe('Best matching line as rendered, to be highlighted; empty if there is none'),
  start_line: z.int(),
  end_line: z.int(),
})

/** Another matching passage of the same entity. */
export const OtherPassage = Passage.pick({ ordinal: true, heading_path: true, score: true }).extend(
  Excerpt.shape,
)

export type OtherPassage = z.infer<typeof OtherPassage>

/** A search result. */
export const SearchItem = Passage.extend({ space_id: id, ...Excerpt.shape }).extend({
  others: z
    .array(OtherPassage)
    .describe('Other matching passages of the same entity, best first; only with group=entity'),
  same: z
    .array(TitledEntity)
    .describe('Other entities with the same or nearly the same passage, which have no result of their own'),
})

export type SearchItem = z.infer<typeof SearchItem>

export const SearchPage = listOf(SearchItem).extend({
  missing: z
    .array(z.string())
    .describe('Quoted phrases that were found nowhere; the results hold their words'),
})

export type SearchPage = z.infer<typeof SearchPage>

/** An entity whose title, or a word of it, starts with the typed words. */
export const Suggestion = TitledEntity.extend({
  space_id: id,
  alias: z.string().optional().describe('The matching alias, if the match is not on the title'),
  updated_at: time,
})

export type Suggestion = z.infer<typeof Suggestion>
