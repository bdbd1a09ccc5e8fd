// Sources: MCP servers whose tools the companion uses in a Space.

import { z } from 'zod'
import { id, time } from './scalars.ts'

const values = z.record(z.string(), z.string())

export const Source = z.object({
  id,
  space_id: id,
  name: z.string(),
  transport: z.enum(['stdio', 'http']),
  command: z.string().nullable(),
  args: z.array(z.string()),
  env: values.describe('Values that look like secrets and are not references are hidden'),
  url: z.string().nullable(),
  headers: values.describe('As env'),
  oauth_client_id: z
    .string()
    .nullable()
    .describe('What the authorization server knows Void by; null: Void registers itself'),
  oauth_client_secret: z.string().nullable().describe('A reference to a secret; else it is hidden'),
  enabled: z.boolean(),
  status: z
    .enum(['untested', 'ok', 'failed', 'sign_in'])
    .describe('How it answered when it was last asked; sign_in: it needs the owner to sign in'),
  last_error: z.string().nullable(),
  checked_at: time.nullable(),
  signed_in: z
    .object({ at: time, issuer: z.string() })
    .nullable()
    .describe('Where the owner signed in to it by OAuth'),
  created_at: time,
  updated_at: time,
})
export type Source = z.infer<typeof Source>

export const ToolPolicy = z.enum(['off', 'read', 'ask'])
export type ToolPolicy = z.infer<typeof ToolPolicy>

/** What a server says of a tool, as far as Void uses it. */
export const ToolDefinition = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  input_schema: z.record(z.string(), z.unknown()),
  annotations: z.record(z.string(), z.unknown()).optional(),
})
export type ToolDefinition = z.infer<typeof ToolDefinition>

export const SourceTool = z.object({
  name: z.string(),
  policy: ToolPolicy.describe('off: never called; read: called freely; ask: each call waits for the owner'),
  proposed: ToolPolicy.describe('What its annotations suggest'),
  decided: z.boolean().describe('Whether the owner set the policy; until then it is ask, or off'),
  active: z
    .boolean()
    .describe('Whether it is used: its policy is not off, it is offered, and it has not changed'),
  offered: z.boolean().describe('Whether the server offered it when it was last asked'),
  definition: ToolDefinition,
  sha256: z.string(),
  changed: z
    .object({ definition: ToolDefinition, sha256: z.string() })
    .nullable()
    .describe('What the server offers now instead; the tool is off until a policy is set again'),
})
export type SourceTool = z.infer<typeof SourceTool>

/** Tools as they were looked at. */
export const SeenTools = z.strictObject({
  tools: z
    .array(z.strictObject({ name: z.string().max(128), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .min(1)
    .max(500),
})
export type SeenTools = z.infer<typeof SeenTools>

export const SourceTest = z.object({
  ok: z.boolean(),
  error: z.string().nullable(),
  server: z.object({ name: z.string(), version: z.string() }).nullable(),
  tools: z.int(),
})
export type SourceTest = z.infer<typeof SourceTest>

/** Where the owner's browser goes to sign in. */
export const SourceSignInStart = z.object({ url: z.url() })
export type SourceSignInStart = z.infer<typeof SourceSignInStart>

/** What a tool of a source answered. */
export const ToolResult = z.object({
  id,
  space_id: id,
  source_name: z.string(),
  tool: z.string(),
  arguments: z.string().describe('JSON'),
  text: z.string(),
  cut: z.boolean().describe('Whether the answer was longer than is stored'),
  failed: z.boolean().describe('Whether the tool said that it failed'),
  turn_id: id.nullable(),
  kept_as: id.nullable().describe('The file that was made of it'),
  created_at: time,
})
export type ToolResult = z.infer<typeof ToolResult>
