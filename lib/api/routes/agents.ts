import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { hashSecret, newSecret } from '../../auth/secrets.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import { createAgentTokensRepo } from '../../db/repos/agent_tokens.ts'
import { type AgentRow, createAgentsRepo } from '../../db/repos/agents.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { cleanLine } from '../../text/clean.ts'
import type { Deps } from '../deps.ts'
import { route } from '../route.ts'
import { id, idParams, listOf, page, pageQuery } from '../schemas.ts'

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

const agentRow = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  kind: z.enum(['companion', 'external']),
  model: z.string().nullable(),
  capabilities: z.object({ read: z.boolean(), suggest: z.boolean(), write: z.boolean() }),
  scopes: z.object({ spaces: z.array(id).nullable() }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

const tokenRow = z.object({
  id,
  agent_id: id,
  name: z.string(),
  hint: z.string().describe('The last characters of the token'),
  spaces: z.array(id).nullable(),
  tier: z.enum(['read', 'suggest']),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
})

export const agentRoutes = [
  route({
    method: 'get',
    path: '/api/agents',
    access: 'owner',
    summary: 'List the agents',
    query: pageQuery,
    answers: { 200: listOf(agentRow) },
    async handle({ database }, { query: { cursor, limit } }) {
      const rows = await createAgentsRepo(database).list({ before_id: cursor ?? null, limit: limit + 1 })
      return { body: page(rows, limit) }
    },
  }),

  route({
    method: 'post',
    path: '/api/agents',
    access: 'owner',
    summary: 'Add an outside agent',
    body: z.strictObject({
      name,
      slug,
      capabilities: capabilities.default({ read: true, suggest: true }),
      spaces: spaces.default(null),
    }),
    answers: { 201: agentRow },
    async handle(deps, { body }) {
      await checkSpaces(deps, body.spaces)
      try {
        const row = await createAgentsRepo(deps.database).insert({
          id: uuid(),
          slug: body.slug,
          name: body.name,
          capabilities: { ...body.capabilities, write: false },
          scopes: { spaces: body.spaces },
        })
        return { status: 201, body: row }
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw conflict('slug_taken', `Another agent already has the slug ${body.slug}.`)
      }
    },
  }),

  route({
    method: 'get',
    path: '/api/agents/:agent_id',
    access: 'owner',
    summary: 'Read an agent',
    params: byAgent,
    answers: { 200: agentRow },
    async handle(deps, { params: { agent_id } }) {
      return { body: await findAgent(deps, agent_id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/agents/:agent_id',
    access: 'owner',
    summary: 'Change an agent’s name, capabilities or Spaces',
    params: byAgent,
    body: z.strictObject({
      name: name.optional(),
      capabilities: capabilities.partial().optional(),
      spaces: spaces.optional(),
    }),
    answers: { 200: agentRow },
    async handle(deps, { params: { agent_id }, body }) {
      const agent = await findAgent(deps, agent_id)
      await checkSpaces(deps, body.spaces ?? null)
      const row = await createAgentsRepo(deps.database).update(agent_id, {
        name: body.name ?? agent.name,
        capabilities: { ...agent.capabilities, ...body.capabilities, write: false },
        scopes: { spaces: body.spaces === undefined ? agent.scopes.spaces : body.spaces },
      })
      return { body: row }
    },
  }),

  route({
    method: 'get',
    path: '/api/agents/:agent_id/tokens',
    access: 'owner',
    summary: 'List an agent’s tokens',
    params: byAgent,
    query: pageQuery,
    answers: { 200: listOf(tokenRow) },
    async handle(deps, { params: { agent_id }, query: { cursor, limit } }) {
      await findAgent(deps, agent_id)
      const filter = { before_id: cursor ?? null, limit: limit + 1 }
      return { body: page(await createAgentTokensRepo(deps.database).listOfAgent(agent_id, filter), limit) }
    },
  }),

  route({
    method: 'post',
    path: '/api/agents/:agent_id/tokens',
    access: 'owner',
    summary: 'Make a token; it is shown in this answer and never again',
    params: byAgent,
    body: z.strictObject({
      name,
      spaces: spaces.default(null),
      tier: z.enum(['read', 'suggest']).default('suggest'),
      expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
    }),
    answers: { 201: tokenRow.extend({ token: z.string() }) },
    async handle(deps, { params: { agent_id }, body }) {
      await findAgent(deps, agent_id)
      await checkSpaces(deps, body.spaces)
      if (body.expires_at && new Date(body.expires_at) <= deps.now())
        throw invalid('expires_at: is in the past.')
      const token = newSecret('agent')
      const row = await createAgentTokensRepo(deps.database).insert({
        id: uuid(),
        agent_id,
        name: body.name,
        token_hash: hashSecret(token),
        hint: token.slice(-4),
        spaces: body.spaces,
        tier: body.tier,
        expires_at: body.expires_at,
      })
      return { status: 201, body: { ...row, token } }
    },
  }),

  route({
    method: 'delete',
    path: '/api/agents/:agent_id/tokens/:token_id',
    access: 'owner',
    summary: 'Revoke a token, at once',
    params: byToken,
    answers: { 200: tokenRow },
    async handle({ database }, { params: { agent_id, token_id } }) {
      const row = await createAgentTokensRepo(database).revoke(agent_id, token_id)
      if (!row) throw notFound('token', token_id)
      return { body: row }
    },
  }),
]

async function findAgent({ database }: Deps, agentId: string): Promise<AgentRow> {
  const agent = await createAgentsRepo(database).find(agentId)
  if (!agent) throw notFound('agent', agentId)
  return agent
}

async function checkSpaces({ database }: Deps, spaceIds: readonly string[] | null): Promise<void> {
  for (const spaceId of spaceIds ?? []) {
    if (!(await createSpacesRepo(database).find(spaceId, null))) throw notFound('Space', spaceId)
  }
}
