import { z } from 'zod'
import { markColors } from './limits.ts'
import { id, time } from './scalars.ts'

/** `null` on an agent: violet. */
export const AgentColor = z.enum(markColors)
export type AgentColor = z.infer<typeof AgentColor>

export const AgentTier = z.enum(['read', 'suggest'])
export type AgentTier = z.infer<typeof AgentTier>

/** Who answers in the rail (`companion`), or works through a token (`external`). */
export const Agent = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  kind: z.enum(['companion', 'external']),
  instructions: z.string().describe('The owner’s words to a companion'),
  model: z.string().nullable().describe('The model that answers; null: the configured one'),
  tools: z.array(z.string()).nullable().describe('The tools it is offered; null: all that it may use'),
  color: AgentColor.nullable(),
  /** `write` exists in the data and grants nothing. */
  capabilities: z.object({ read: z.boolean(), suggest: z.boolean(), write: z.boolean() }),
  scopes: z.object({ spaces: z.array(id).nullable().describe('The Spaces it may enter; null: all') }),
  created_at: time,
  updated_at: time,
})
export type Agent = z.infer<typeof Agent>

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
  tier: AgentTier,
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  revoked_at: time.nullable(),
})
export type AgentToken = z.infer<typeof AgentToken>

/** An agent by its name and mark. */
export const AgentMark = Agent.pick({ id: true, slug: true, name: true, color: true })
export type AgentMark = z.infer<typeof AgentMark>

/** A tool that companions can be offered. */
export const OfferedTool = z.object({
  name: z.string(),
  title: z.string(),
  capability: z.enum(['read', 'write', 'create']).describe('`read` looks, the others draft'),
})
export type OfferedTool = z.infer<typeof OfferedTool>
