import type { Message } from '../contract/companion/companion.ts'
import { type Kinds, segmentOf } from '../contract/entities/kinds.ts'
import { citedMarkdown, entityAddress } from '../core/text/cited/cited-markdown.ts'

type Answer = Pick<Extract<Message, { role: 'assistant' }>, 'body' | 'metadata'>

/** An answer as Markdown whose citations link to their sources. `origin`: what comes before the paths; may be empty. */
export function citedAnswer(
  { body, metadata: { citations } }: Answer,
  { kinds, slug, origin }: { kinds: Kinds; slug: string; origin: string },
): string {
  return citedMarkdown(body, citations, ({ kind, id, cited_text }) => {
    const segment = segmentOf(kinds, kind)
    const cite = cited_text.slice(0, maxCite)
    return segment && id ? origin + entityAddress({ slug, segment, id, cite }) : null
  })
}

/** Characters of a quotation that travel in an address. */
const maxCite = 300
