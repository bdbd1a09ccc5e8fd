/** A text to check a quotation against. */
export type QuoteSource = {
  entity_type: string
  entity_id: string
  title: string
  /** By `quoteWords`. */
  words: readonly string[]
  /** By `namesIn`. */
  names: ReadonlySet<string>
}
