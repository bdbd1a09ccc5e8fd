import { z } from 'zod'
import { count, id } from '../scalars.ts'

export const QuoteVerdict = z.enum([
  'verbatim',
  /** With marks of omission, and with words in brackets: neither changes a negation, number, name or modal. */
  'shortened',
  'with_insertions',
  'altered',
  'spliced',
  'misattributed',
  'not_found',
  'unchecked',
])
export type QuoteVerdict = z.infer<typeof QuoteVerdict>

export const QuoteCheck = z.object({
  quote: z.string(),
  verdict: QuoteVerdict,
  /** The sentence for a person. */
  message: z.string(),
  /** What the text says it is from; `null` when it names nothing. */
  attributed_to: z.string().nullable(),
  /** Where the words are, or what comes nearest. */
  source: z.object({ entity_type: z.string(), entity_id: id, title: z.string() }).nullable(),
  /** The words of that source which come nearest, for a quotation that is not verbatim. */
  nearest: z.string().nullable(),
  /** The lines of the text that it spans, from 0; `to` exclusive. Left out in checks that are older than it. */
  lines: z.object({ from: count, to: count }).optional(),
})
export type QuoteCheck = z.infer<typeof QuoteCheck>
