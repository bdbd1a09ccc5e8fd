/** A stretch of a text; the marked ones are words that answer. */
export type Piece = { text: string; marked: boolean }

/** A passage that answers a question, best first in its list. */
export type SearchItem = {
  space_id?: string
  entity_type: string
  entity_id: string
  title: string
  heading_path: string[]
  ordinal: number
  text: string
  /** A part of the text, without the signs of Markdown. */
  snippet: Piece[]
  /** The line that answers best, as a reader sees it: what a view marks. '' where none does. */
  cite: string
  score: number
  start_line: number
  end_line: number
}
