import { z } from 'zod'
import { createToken, listTokens, revokeToken } from '../../agents/agent-tokens.ts'
import { createAgent, findAgent, updateAgent } from '../../agents/agents.ts'
import { Agent, AgentToken } from '../../contract/agents.ts'
import { listOf } from '../../contract/list.ts'
import { id } from '../../contract/scalars.ts'
import { cleanLine } from '../../text/clean.ts'
import { idParams, page, pageQuery } from '../params.ts'
import { route } from '../route.ts'

const byAgent = idParams('agent_id')
const byToken = idParams('agent_id', 'token_id')
const name = z.string().overwrite(cleanLine).min(1).max(200)
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(80)
const spaces = z.array(id).max(200).nullable().describe('The Spaces it may enter; null: all')
const capabilities = z
  .strictObject({ read: z.boolean(), suggest: z.boolean() })
  .describe('What it may do; there is no capability to write')

export const agentRoutes = [
  route({
    method: 'get',
    path: '/api/agents',
    access: 'owner',
    summary: 'List the agents',
    query: pageQuery,
    answers: { 200: listOf(Agent) },
    async handle({ repos }, { query: { cursor, limit } }) {
      const rows = await repos.agents.list({ before_id: cursor ?? null, limit: limit + 1 })
      return { body: page(rows, limit) }
    },
  }),

  route({
    method: 'post',
    path: '/api/agents',
    access: 'owner',
    summary: 'Add an external agent',
    body: z.strictObject({
      name,
      slug,
      capabilities: capabilities.default({ read: true, suggest: true }),
      spaces: spaces.default(null),
    }),
    answers: { 201: Agent },
    async handle({ database }, { body }) {
      return { status: 201, body: await createAgent(database, body) }
    },
  }),

  route({
    method: 'get',
    path: '/api/agents/:agent_id',
    access: 'owner',
    summary: 'Read an agent',
    params: byAgent,
    answers: { 200: Agent },
    async handle({ database }, { params: { agent_id } }) {
      return { body: await findAgent(database, agent_id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/agents/:agent_id',
    access: 'owner',
    summary: 'Update an agent’s name, capabilities or Spaces',
    params: byAgent,
    body: z.strictObject({
      name: name.optional(),
      capabilities: capabilities.partial().optional(),
      spaces: spaces.optional(),
    }),
    answers: { 200: Agent },
    async handle({ database }, { params: { agent_id }, body }) {
      return { body: await updateAgent(database, agent_id, body) }
    },
  }),

  route({
    method: 'get',
    path: '/api/agents/:agent_id/tokens',
    access: 'owner',
    summary: 'List an agent’s tokens',
    params: byAgent,
    query: pageQuery,
    answers: { 200: listOf(AgentToken) },
    async handle({ database }, { params: { agent_id }, query: { cursor, limit } }) {
      const rows = await listTokens(database, agent_id, { before_id: cursor ?? null, limit: limit + 1 })
      return { body: page(rows, limit) }
    },
  }),

  route({
    method: 'post',
    path: '/api/agents/:agent_id/tokens',
    access: 'owner',
    summary: 'Create a token; this response is the only time it is shown',
    params: byAgent,
    body: z.strictObject({
      name,
      spaces: spaces.default(null),
      tier: z.enum(['read', 'suggest']).default('suggest'),
      expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
    }),
    answers: { 201: AgentToken.extend({ token: z.string() }) },
    async handle({ database, server: { now } }, { params: { agent_id }, body }) {
      return { status: 201, body: await createToken(database, now(), { agent_id, ...body }) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/agents/:agent_id/tokens/:token_id',
    access: 'owner',
    summary: 'Revoke a token immediately',
    params: byToken,
    answers: { 200: AgentToken },
    async handle({ database }, { params: { agent_id, token_id } }) {
      return { body: await revokeToken(database, agent_id, token_id) }
    },
  }),
]
