// A draft’s card as the wire has it (lib/contract/card.ts).

import { z } from 'zod'
import { provenance, quoteCheck } from './provenance-schema.ts'
import { changeSince, conflict, id, succession, version } from './schemas.ts'

const counts = z.object({
  words_added: z.int(),
  words_removed: z.int(),
  lines_added: z.int(),
  lines_removed: z.int(),
})

const sidesOf = (value: z.ZodType) => z.object({ before: value, after: value })

const linkChange = z.object({
  kind: z.enum(['link', 'image', 'wikilink', 'embed', 'html']),
  label: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  hosts: sidesOf(z.string().nullable()),
})

const hunk = z.object({
  index: z.int().describe('The number that a decision names it by'),
  kind: z.enum(['prose', 'code', 'front_matter', 'table', 'mixed']),
  heading_path: z.array(z.string()),
  lines: sidesOf(z.object({ start: z.int(), count: z.int() })),
  unchanged_above: z.int(),
  context: z.object({ above: z.array(z.string()), below: z.array(z.string()) }),
  parts: z.array(
    z.object({
      kind: z.enum(['same', 'removed', 'added']),
      text: z.string(),
      folded: z.int().describe('Characters left out after the text'),
    }),
  ),
  table: z
    .object({
      columns: z.array(z.string()),
      rows: z.array(
        z.object({
          kind: z.enum(['changed', 'added', 'removed']),
          cells: z.array(sidesOf(z.string().nullable())),
        }),
      ),
    })
    .nullable(),
  counts,
  links: z.array(linkChange),
  more_links: z.int(),
  quotes: z.array(quoteCheck),
})

const cardField = z.object({
  name: z.string(),
  label: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  cut: sidesOf(z.int()).nullable().describe('Characters left out of a very long value'),
  words: sidesOf(z.string()).nullable(),
  text: z
    .object({
      hunks: z.array(hunk),
      totals: counts.extend({ hunks: z.int() }),
      folded: counts.extend({ hunks: z.int() }).nullable(),
      unchanged_below: z.int(),
    })
    .nullable(),
  links: z.array(linkChange),
})

/** A card in a list. */
export const cardLine = z.object({
  pending_change_id: id,
  changeset_id: id,
  operation: z.enum(['create', 'update', 'delete']),
  entity_type: z.string(),
  entity_id: id,
  title: z.string(),
  space: z.object({ id, name: z.string() }),
  summary: z.string().describe('What approving does, in the server’s words'),
  payload_sha256: z.string(),
  status: z.string(),
  stale: z
    .object({
      base_version: version,
      current_version: version.nullable(),
      since: z.array(changeSince).optional().describe('What happened meanwhile, the latest first'),
    })
    .nullable(),
  ...succession,
  agent: z.object({ id, slug: z.string(), name: z.string() }),
  created_at: z.iso.datetime(),
  decided: z.object({ at: z.iso.datetime(), by: z.string(), reason: z.string().nullable() }).nullable(),
  undone: z.object({ seq: z.int(), at: z.iso.datetime(), by: z.string() }).nullable(),
  drill: z.boolean().describe('Once it is decided: whether it was a drill'),
})

export const card = cardLine.extend({
  fields: z.array(cardField),
  defaults: z
    .array(z.object({ name: z.string(), label: z.string(), value: z.unknown(), words: z.string() }))
    .describe('What a new one also gets'),
  warnings: z
    .array(
      z.object({
        code: z.string(),
        message: z.string(),
        field: z.string().nullable(),
        hunk: z.int().nullable(),
      }),
    )
    .describe('Found by rules, never by a model'),
  conflicts: z.array(conflict).describe('What a merge left to the owner'),
  provenance,
  folded: z.boolean().describe('Whether parts are left out; ?whole=true gives them'),
  references: z.record(z.string(), z.string()).describe('Titles of what the fields refer to, by id'),
  note: z.string().describe('The agent’s own words, plain text'),
})
