/** A thing whose title begins, or has a word that begins, as the words typed do. */
export type Suggestion = {
  space_id: string
  entity_type: string
  entity_id: string
  title: string
  updated_at: string
}
