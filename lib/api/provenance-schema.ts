// What is stored with a draft about where it comes from, as the wire has it (lib/contract/card.ts).

import { z } from 'zod'

export const quoteCheck = z.object({
  quote: z.string(),
  verdict: z.enum(['verbatim', 'altered', 'spliced', 'misattributed', 'not_found', 'unchecked']),
  message: z.string(),
  attributed_to: z.string().nullable(),
  source: z.object({ entity_type: z.string(), entity_id: z.uuid(), title: z.string() }).nullable(),
  nearest: z.string().nullable(),
})

export const provenance = z
  .object({
    known: z.boolean().describe('false: made outside a turn, so what was read before is unknown'),
    sources: z.array(
      z.object({
        entity_type: z.string(),
        entity_id: z.string(),
        title: z.string(),
        origin: z.string().nullable(),
        untrusted: z.boolean(),
        given_by: z.enum(['read', 'search', 'view', 'tool']),
      }),
    ),
    more: z.int(),
    passages: z.array(
      z.object({
        entity_type: z.string(),
        entity_id: z.string(),
        title: z.string(),
        text: z.string(),
        share: z.number(),
        shared_words: z.int(),
      }),
    ),
    quotes: z.array(quoteCheck.extend({ field: z.string() })),
  })
  .describe('What the agent had been given when it made the draft')
