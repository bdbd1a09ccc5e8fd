// Sources: MCP servers that provide tools to the companion in a Space.

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
  env: values.describe(
    'Environment variables; values that look like secrets are hidden unless they are secret references',
  ),
  url: z.string().nullable(),
  headers: values.describe('HTTP headers; values are hidden as in `env`'),
  oauth_client_id: z
    .string()
    .nullable()
    .describe('OAuth client id of Void at the authorization server; null: Void registers itself'),
  oauth_client_secret: z
    .string()
    .nullable()
    .describe('OAuth client secret; hidden unless it is a secret reference'),
  network: z.boolean().describe('Whether its program reaches other machines; never this one'),
  unconfined: z
    .boolean()
    .describe('Whether its program runs without a sandbox, with all that the server’s account can do'),
  enabled: z.boolean(),
  status: z
    .enum(['untested', 'ok', 'failed', 'sign_in'])
    .describe('Result of the last check; sign_in: the owner needs to sign in'),
  last_error: z.string().nullable(),
  checked_at: time.nullable(),
  signed_in: z
    .object({ at: time, issuer: z.string() })
    .nullable()
    .describe('The owner’s OAuth sign-in; null: not signed in'),
  created_at: time,
  updated_at: time,
})
export type Source = z.infer<typeof Source>

export const ToolPolicy = z.enum(['off', 'read', 'ask'])
export type ToolPolicy = z.infer<typeof ToolPolicy>

/** The parts of an MCP tool definition that Void uses. */
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
  proposed: ToolPolicy.describe('Policy suggested by the tool’s annotations'),
  decided: z.boolean().describe('`true` if the owner set the policy; until then it is ask or off'),
  active: z
    .boolean()
    .describe('`true` if the tool can be used: its policy is not off, it is offered, and it has not changed'),
  offered: z.boolean().describe('`true` if the server offered it at the last check'),
  definition: ToolDefinition,
  sha256: z.string(),
  changed: z
    .object({ definition: ToolDefinition, sha256: z.string() })
    .nullable()
    .describe('New definition offered by the server; the tool is off until a policy is set again'),
})
export type SourceTool = z.infer<typeof SourceTool>

/** Tool definitions as reviewed by the owner, by hash. */
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

/** URL where the owner signs in. */
export const SourceSignInStart = z.object({ url: z.url() })
export type SourceSignInStart = z.infer<typeof SourceSignInStart>

/** Stored result of a source's tool. */
export const ToolResult = z.object({
  id,
  space_id: id,
  source_name: z.string(),
  tool: z.string(),
  arguments: z.string().describe('Tool arguments as JSON'),
  text: z.string(),
  cut: z.boolean().describe('`true` if the result was truncated for storage'),
  failed: z.boolean().describe('`true` if the tool reported an error'),
  turn_id: id.nullable(),
  kept_as: id.nullable().describe('Id of the file created from it'),
  created_at: time,
})
export type ToolResult = z.infer<typeof ToolResult>
