import { z } from 'zod'
import { count, id } from '../scalars.ts'

/** Content given to the agent before it created the draft. */
export const ProvenanceSource = z.object({
  entity_type: z.string(),
  entity_id: z.string(),
  title: z.string(),
  /** `null`: unknown. */
  origin: z.string().nullable(),
  untrusted: z.boolean(),
  /**
   * Means by which the agent got the content. `glance`: the message that it answers began with a nudge about it. `folder`: a
   * file of a connected folder whose change is drafted, or what a program left there.
   */
  given_by: z.enum(['read', 'search', 'view', 'tool', 'glance', 'folder']),
  in_turn: z.boolean().optional().describe('`true` if given in the turn that created the draft'),
  used: z
    .boolean()
    .optional()
    .describe(
      'For an untrusted source: `true` if the draft contains words of it, or if it names the entity to be deleted',
    ),
  orders: z
    .boolean()
    .optional()
    .describe('For an untrusted source: `true` if it contains instructions to its reader'),
})

export type ProvenanceSource = z.infer<typeof ProvenanceSource>

/**
 * Result of a quotation check. `verbatim`: word for word. `shortened`, `with_insertions`: with marked omissions or bracketed
 * words that change no negation, limit, modal, number or name. `altered`: other words differ. `spliced`: separate places
 * joined without a mark. `misattributed`: in another source than the text names. `not_found`: in no source of the Space.
 * `unchecked`: not compared.
 */
export const QuoteVerdict = z.enum([
  'verbatim',
  'shortened',
  'with_insertions',
  'altered',
  'spliced',
  'misattributed',
  'not_found',
  'unchecked',
])

export const QuoteCheck = z.object({
  quote: z.string(),
  verdict: QuoteVerdict,
  /** Display message. */
  message: z.string(),
  /** Source named by the text; `null` if it names none. */
  attributed_to: z.string().nullable(),
  /** Source of the quotation, or the nearest match. */
  source: z.object({ entity_type: z.string(), entity_id: id, title: z.string() }).nullable(),
  /** Nearest words in that source, for a quotation that is not verbatim. */
  nearest: z.string().nullable(),
  /** Zero-based line range in the text; `to` is exclusive. Absent in checks stored before this field was added. */
  lines: z.object({ from: count, to: count }).optional(),
})

export const Provenance = z
  .object({
    known: z
      .boolean()
      .describe(
        '`false` if created outside a turn: the content read before is unknown, which does not mean that it is trusted',
      ),
    sources: z.array(ProvenanceSource),
    /** Number of sources not listed. */
    more: count,
    /** Passages of untrusted sources closest to the draft's text. */
    passages: z.array(
      z.object({
        entity_type: z.string(),
        entity_id: z.string(),
        title: z.string(),
        text: z.string(),
        /** Share (0 to 1) and number of the draft's words that are in the passage. */
        share: z.number(),
        shared_words: count,
      }),
    ),
    quotes: z.array(QuoteCheck.extend({ field: z.string() })),
  })
  .describe('Content given to the agent before it created the draft')

export type Provenance = z.infer<typeof Provenance>

export type QuoteVerdict = z.infer<typeof QuoteVerdict>

export type QuoteCheck = z.infer<typeof QuoteCheck>
