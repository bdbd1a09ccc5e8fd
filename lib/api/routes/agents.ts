import { z } from 'zod'
import {
  createAgent,
  createCompanion,
  createToken,
  deleteCompanion,
  findAgent,
  listTokens,
  noCompanion,
  restoreCompanion,
  revokeToken,
  updateAgent,
} from '../../auth/agents/agents.ts'
import type { Companion } from '../../companion/companion.ts'
import {
  changeResearchSettings,
  findResearchSettings,
  resetResearchSettings,
} from '../../companion/research/run/research-settings.ts'
import { Agent, AgentColor, AgentTier, AgentToken, OfferedTool } from '../../contract/agents.ts'
import { ResearchSettings, ResearchSettingsChange } from '../../contract/companion/research-settings.ts'
import { maxInstructions } from '../../contract/limits.ts'
import { listOf } from '../../contract/list.ts'
import { modelName, ThinkingLevel } from '../../contract/model.ts'
import { id } from '../../contract/scalars.ts'
import { invalid } from '../../core/errors.ts'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import type { Deps } from '../deps.ts'
import { idParams, page, pageQuery, route } from '../route.ts'

const byAgent = idParams('agent_id')
const byToken = idParams('agent_id', 'token_id')
const name = z.string().overwrite(cleanLine).min(1).max(200)
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(80)
/** What a companion has besides other agents. */
const companionFields = {
  instructions: z.string().overwrite(cleanText).max(maxInstructions).describe('Companions only'),
  model: modelName.nullable().describe('Companions only; null: the configured model'),
  thinking: ThinkingLevel.describe('Companions only: how much the model thinks'),
  tools: z
    .array(z.string().max(80))
    .min(1)
    .max(40)
    .nullable()
    .describe('Companions only: tools offered to the model; null: all permitted tools'),
  color: AgentColor.nullable().describe('Companions only'),
}
const tier = AgentTier.describe('Companions only: read-only, or able to draft changes')
const spaces = z.array(id).max(200).nullable().describe('Spaces it can access; null: all')
const capabilities = z
  .strictObject({ read: z.boolean(), suggest: z.boolean() })
  .describe('Permissions; none of them permits writing')

const maxDeletedShown = 50

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
    summary: 'Create a companion (with tier) or an external agent (with slug)',
    body: z
      .strictObject({
        name,
        slug: slug.optional().describe('External agents only'),
        capabilities: capabilities.optional().describe('External agents only'),
        tier: tier.optional(),
        spaces: spaces.default(null),
        ...z.strictObject(companionFields).partial().shape,
      })
      .superRefine(checkOneKind),
    answers: { 201: Agent },
    async handle({ database, companion, server }, { body }) {
      const { slug, tier, name, spaces, capabilities = { read: true, suggest: true }, ...own } = body
      if (slug !== undefined) {
        const settings = { name, slug, capabilities, spaces }
        return { status: 201, body: await database.transaction((tx) => createAgent(tx, settings)) }
      }
      checkTools(companion, own.tools)
      const settings = { ...noCompanion, ...definedIn(own), name, spaces, tier: tier ?? 'read' }
      const agent = await database.transaction((tx) => createCompanion(tx, settings))
      return { status: 201, body: announce(server, agent) }
    },
  }),

  route({
    method: 'get',
    path: '/api/agents/tools',
    access: 'owner',
    summary: 'List the tools available to companions',
    answers: { 200: listOf(OfferedTool) },
    async handle({ companion }) {
      const items = companion
        .tools()
        .map(({ name, title = name, capability }) => ({ name, title, capability }))
      return { body: { items, next_cursor: null } }
    },
  }),

  route({
    method: 'get',
    path: '/api/agents/deleted',
    access: 'owner',
    summary: 'List recently deleted companions',
    answers: { 200: listOf(Agent) },
    async handle({ repos }) {
      const items = await repos.agents.listDeletedCompanions(maxDeletedShown)
      return { body: { items, next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/agents/:agent_id/restore',
    access: 'owner',
    summary: 'Restore a deleted companion and its conversations',
    params: byAgent,
    answers: { 200: Agent },
    async handle({ database, server }, { params: { agent_id } }) {
      const agent = await database.transaction((tx) => restoreCompanion(tx, agent_id))
      return { body: announce(server, agent) }
    },
  }),

  route({
    method: 'get',
    path: '/api/agents/:agent_id',
    access: 'owner',
    summary: 'Get an agent',
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
    summary: 'Update an agent; instructions, model, thinking, tools and color apply to companions only',
    params: byAgent,
    body: z.strictObject({
      name: name.optional(),
      capabilities: capabilities.partial().optional(),
      spaces: spaces.optional(),
      research_tokens: z
        .int()
        .min(0)
        .max(50_000_000)
        .optional()
        .describe('External agents only: tokens a day for research over MCP; 0: none'),
      ...z.strictObject(companionFields).partial().shape,
    }),
    answers: { 200: Agent },
    async handle({ database, companion, server }, { params: { agent_id }, body }) {
      checkTools(companion, body.tools)
      return { body: announce(server, await database.transaction((tx) => updateAgent(tx, agent_id, body))) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/agents/:agent_id',
    access: 'owner',
    summary: 'Delete a companion; its conversations move to the built-in companion',
    params: byAgent,
    answers: { 200: Agent },
    async handle({ database, companion, server }, { params: { agent_id } }) {
      return { body: announce(server, await deleteCompanion({ database, stop: companion.stop }, agent_id)) }
    },
  }),

  route({
    method: 'get',
    path: '/api/agents/:agent_id/research-settings',
    access: 'owner',
    summary: 'Get the rules of research of a companion: depths, thresholds, prompts, and their defaults',
    params: byAgent,
    answers: { 200: ResearchSettings },
    handle: async ({ database }, { params: { agent_id } }) => ({
      body: await findResearchSettings(database, agent_id),
    }),
  }),

  route({
    method: 'patch',
    path: '/api/agents/:agent_id/research-settings',
    access: 'owner',
    summary: 'Override rules of research for a companion; null resets a value to its default',
    params: byAgent,
    body: ResearchSettingsChange,
    answers: { 200: ResearchSettings },
    async handle({ database }, { params: { agent_id }, body }) {
      return { body: await changeResearchSettings(database, agent_id, body) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/agents/:agent_id/research-settings',
    access: 'owner',
    summary: 'Reset all rules of research of a companion to their defaults',
    params: byAgent,
    answers: { 200: ResearchSettings },
    async handle({ database }, { params: { agent_id } }) {
      return { body: await resetResearchSettings(database, agent_id) }
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
    summary: 'Create a token; only this response contains it',
    params: byAgent,
    body: z.strictObject({
      name,
      spaces: spaces.default(null),
      tier: AgentTier.default('suggest'),
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

/** What shows companions hears that one is another now. */
function announce({ live }: Pick<Deps['server'], 'live'>, agent: Agent): Agent {
  if (agent.kind === 'companion') live.publish({ type: 'companion', data: { id: agent.id } })
  return agent
}

/** A new agent is one of the two kinds: a `tier` makes it a companion, a `slug` an external agent. */
function checkOneKind(body: Record<string, unknown>, context: z.RefinementCtx): void {
  const [what, needed] = body.tier === undefined ? ['an external agent', 'slug'] : ['a companion', 'tier']
  const foreign = body.tier === undefined ? Object.keys(companionFields) : ['slug', 'capabilities']
  const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (body[needed!] === undefined)
    issue(needed!, 'Give a slug for an external agent, or a tier for a companion')
  for (const field of foreign) if (body[field] !== undefined) issue(field, `is nothing that ${what} has`)
}

/** Throws a 400 `AppError` for tools that there are not, and for none to look with. */
function checkTools(companion: Pick<Companion, 'tools'>, chosen: readonly string[] | null | undefined): void {
  if (!chosen) return
  const tools = new Map(companion.tools().map((tool) => [tool.name, tool]))
  const unknown = chosen.find((name) => !tools.has(name))
  if (unknown !== undefined) throw invalid(`tools: unknown tool “${unknown}”.`)
  if (chosen.some((name) => tools.get(name)?.capability === 'read')) return
  throw invalid('tools: a companion needs at least one reading tool.')
}

/** Without what is `undefined`. */
const definedIn = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
