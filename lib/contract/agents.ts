import { z } from 'zod'
import { id, time } from './scalars.ts'

export const Agent = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  kind: z.enum(['companion', 'external']),
  model: z.string().nullable(),
  /** `write` exists in the data and grants nothing. */
  capabilities: z.object({ read: z.boolean(), suggest: z.boolean(), write: z.boolean() }),
  scopes: z.object({ spaces: z.array(id).nullable().describe('The Spaces it may enter; null: all') }),
  created_at: time,
  updated_at: time,
})
export type Agent = z.infer<typeof Agent>

const TokenTier = z.enum(['read', 'suggest'])

/** A token as it is listed: without the token itself, of which only a hash is stored. */
export const AgentToken = z.object({
  id,
  agent_id: id,
  name: z.string(),
  client_id: z
    .string()
    .nullable()
    .describe('The program that was connected by OAuth; null: a token that was created here'),
  hint: z.string().describe('The last characters of the token; empty for a connected program'),
  spaces: z.array(id).nullable().describe('The Spaces it may enter, as far as its agent may; null: all'),
  tier: TokenTier,
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  revoked_at: time.nullable(),
})
export type AgentToken = z.infer<typeof AgentToken>
