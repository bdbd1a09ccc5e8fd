import { z } from 'zod'
import { count } from '../scalars.ts'

export const WarningCode = z.enum([
  'link_changed',
  'link_disguised',
  'unsafe_link',
  'remote_image',
  'raw_html',
  'hidden_characters',
  'mixed_script',
  'large_deletion',
  'white_space_only',
  'has_backlinks',
  'rewrites_links',
  'has_children',
  'repeats',
  'edited_lately',
  'quote_unfaithful',
  'untrusted_sources',
  'outside_orders',
  'drops_earlier',
  'too_complex',
  'outside_call',
])
export type WarningCode = z.infer<typeof WarningCode>

/** What deserves a second look. Found by rules in the payload and the rows, never by a model. */
export const CardWarning = z.object({
  code: WarningCode,
  /** A plain sentence. What it quotes of the draft has its hidden characters written out, as `[U+202E]`. */
  message: z.string(),
  /** Where; `null` for the change as a whole. */
  field: z.string().nullable(),
  hunk: count.nullable(),
})
export type CardWarning = z.infer<typeof CardWarning>
