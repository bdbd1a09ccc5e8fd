/** A thing whose title begins, or has a word that begins, as the words typed do. */
export type Suggestion = {
  space_id: string
  entity_type: string
  entity_id: string
  title: string
  /** Another name of it, as names are compared, when that is what answered. */
  alias?: string
  updated_at: string
}
