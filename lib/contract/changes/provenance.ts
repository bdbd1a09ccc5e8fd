import { z } from 'zod'
import { count, id } from '../scalars.ts'

/** Something that the agent had been given when it made the draft. */
export const ProvenanceSource = z.object({
  entity_type: z.string(),
  entity_id: z.string(),
  title: z.string(),
  /** `null`: no longer known. */
  origin: z.string().nullable(),
  untrusted: z.boolean(),
  /** How it came by it. */
  given_by: z.enum(['read', 'search', 'view', 'tool']),
  in_turn: z.boolean().optional().describe('Whether it was given in the turn that made the draft'),
  used: z
    .boolean()
    .optional()
    .describe('Of an untrusted one: whether words of it are in the draft, or it names what would be deleted'),
  orders: z.boolean().optional().describe('Of an untrusted one: whether it gives orders to its reader'),
})

export type ProvenanceSource = z.infer<typeof ProvenanceSource>

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

export const Provenance = z
  .object({
    known: z
      .boolean()
      .describe(
        'false: made outside a turn, so what was read before is unknown, which is not the same as clean',
      ),
    sources: z.array(ProvenanceSource),
    /** Sources that there is no room to list. */
    more: count,
    /** From untrusted sources: the passage nearest to what the draft writes. */
    passages: z.array(
      z.object({
        entity_type: z.string(),
        entity_id: z.string(),
        title: z.string(),
        text: z.string(),
        /** Of the draft's words, how many are in it: as a share, 0 to 1, and as a number. */
        share: z.number(),
        shared_words: count,
      }),
    ),
    quotes: z.array(QuoteCheck.extend({ field: z.string() })),
  })
  .describe('What the agent had been given when it made the draft')

export type Provenance = z.infer<typeof Provenance>

export type QuoteVerdict = z.infer<typeof QuoteVerdict>

export type QuoteCheck = z.infer<typeof QuoteCheck>
