import { namesIn, quoteWords } from '../../core/text/words/quote-words.ts'

/** A text to check a quotation against. */
export type QuoteSource = {
  entity_type: string
  entity_id: string
  title: string
  /** By `quoteWords`. */
  readonly words: readonly string[]
  /** Each of them once. */
  readonly vocabulary: ReadonlySet<string>
  /** By `namesIn`. */
  readonly names: ReadonlySet<string>
}

type Named = Pick<QuoteSource, 'entity_type' | 'entity_id' | 'title'>

/** Reads the text when it is first asked for: of many sources of a draft most are never looked at. */
export function createQuoteSource({ entity_type, entity_id, title }: Named, text: string): QuoteSource {
  let words: readonly string[] | null = null
  let vocabulary: ReadonlySet<string> | null = null
  let names: ReadonlySet<string> | null = null
  return {
    entity_type,
    entity_id,
    title,
    get words() {
      words ??= quoteWords(text)
      return words
    },
    get vocabulary() {
      vocabulary ??= new Set(this.words)
      return vocabulary
    },
    get names() {
      names ??= namesIn(text)
      return names
    },
  }
}
