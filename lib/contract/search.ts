/** A passage that answers a question, best first in its list. */
export type SearchItem = {
  space_id?: string
  entity_type: string
  entity_id: string
  title: string
  heading_path: string[]
  ordinal: number
  text: string
  score: number
  start_line: number
  end_line: number
}
