import { z } from 'zod'
import { markColors } from './limits.ts'
import { ThinkingLevel } from './model.ts'
import { count, id, time } from './scalars.ts'

/** Agent color. `null` on an agent: violet. */
export const AgentColor = z.enum(markColors)
export type AgentColor = z.infer<typeof AgentColor>

export const AgentTier = z.enum(['read', 'suggest'])
export type AgentTier = z.infer<typeof AgentTier>

/** An agent: a `companion` that answers in the rail, or an `external` program that uses a token. */
export const Agent = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  kind: z.enum(['companion', 'external']),
  instructions: z.string().describe('The owner’s instructions to a companion'),
  model: z.string().nullable().describe('Model; null: the configured model'),
  thinking: ThinkingLevel.describe('How much its model thinks'),
  tools: z
    .array(z.string())
    .nullable()
    .describe('Names of the tools offered to it; null: all that its capabilities allow'),
  color: AgentColor.nullable(),
  research_tokens: count.describe(
    'Tokens a day that research started by an external agent may use; 0: it cannot start any',
  ),
  /** `write` is stored but grants nothing. */
  capabilities: z.object({ read: z.boolean(), suggest: z.boolean(), write: z.boolean() }),
  scopes: z.object({ spaces: z.array(id).nullable().describe('Ids of the Spaces it can access; null: all') }),
  created_at: time,
  updated_at: time,
})
export type Agent = z.infer<typeof Agent>

/** A token in a list. The token itself is not included: only its hash is stored. */
export const AgentToken = z.object({
  id,
  agent_id: id,
  name: z.string(),
  client_id: z
    .string()
    .nullable()
    .describe('OAuth client id of the connected program; null: the token was created in Void'),
  hint: z.string().describe('Last characters of the token; empty for a connected program'),
  spaces: z
    .array(id)
    .nullable()
    .describe('Ids of the Spaces it can access, limited to those of its agent; null: all of them'),
  tier: AgentTier,
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  revoked_at: time.nullable(),
})
export type AgentToken = z.infer<typeof AgentToken>

/** An agent's identity: slug, name and color. */
export const AgentMark = Agent.pick({ id: true, slug: true, name: true, color: true })
export type AgentMark = z.infer<typeof AgentMark>

/** A tool that can be offered to companions. */
export const OfferedTool = z.object({
  name: z.string(),
  title: z.string(),
  capability: z
    .enum(['read', 'write', 'create'])
    .describe('`read`: read-only; `write` and `create`: can draft changes'),
})
export type OfferedTool = z.infer<typeof OfferedTool>
