import { z } from 'zod'
import { TitledEntity } from '../entities.ts'
import { count, id, time } from '../scalars.ts'

/** A part of a text; the marked ones are words that answer. */
export const Piece = z.object({ text: z.string(), marked: z.boolean() })

export type Piece = z.infer<typeof Piece>

/** A passage with its place: `text` is a contiguous piece of the entity's stored text. */
export const Passage = z.object({
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  /** Headings from the outermost in, without the title. */
  heading_path: z.array(z.string()),
  ordinal: count,
  text: z.string(),
  score: z.number(),
})

export type Passage = z.infer<typeof Passage>

/** What a view shows of a passage. */
const Excerpt = z.object({
  snippet: z.array(Piece).describe('A part of the text, without the characters of Markdown'),
  cite: z
    .string()
    .describe('The line that answers best, as a reader sees it: what a view marks; empty where none does'),
  start_line: z.int(),
  end_line: z.int(),
})

/** Another passage of an entity that answers. */
export const OtherPassage = Passage.pick({ ordinal: true, heading_path: true, score: true }).extend(
  Excerpt.shape,
)

export type OtherPassage = z.infer<typeof OtherPassage>

/** A passage that answers a question, best first in its list. */
export const SearchItem = Passage.extend({ space_id: id, ...Excerpt.shape }).extend({
  others: z
    .array(OtherPassage)
    .describe('Further passages of the same entity that answer, best first; only with group=entity'),
})

export type SearchItem = z.infer<typeof SearchItem>

/** A thing whose title begins, or has a word that begins, as the words typed do. */
export const Suggestion = TitledEntity.extend({
  space_id: id,
  alias: z.string().optional().describe('Another name of it, when that is what answered'),
  updated_at: time,
})

export type Suggestion = z.infer<typeof Suggestion>
