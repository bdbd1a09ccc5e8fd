import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server'
import type { AgentActor } from '../actor.ts'
import { canAct } from '../auth/capability.ts'
import { suggestTitles } from '../search/suggest.ts'
import { listSpaces } from './enter-space.ts'
import type { McpDeps } from './mcp-deps.ts'

/** Values of one answer: as many as the protocol allows. */
const maxValues = 100
/** Characters of what was typed. */
const maxTyped = 500

type Completion = (params: CompleteRequest['params']) => Promise<CompleteResult>

/**
 * Completes the arguments of prompts and of the resource template: Spaces, kinds, and what a Space holds by its title.
 * Of what the token may not read nothing is said.
 */
export function createCompletion({ database, kinds }: McpDeps, actor: AgentActor): Completion {
  return async ({ argument, context }) => {
    const values = await complete(argument.name, argument.value.slice(0, maxTyped), context?.arguments ?? {})
    return {
      completion: {
        values: values.slice(0, maxValues),
        total: values.length,
        hasMore: values.length > maxValues,
      },
    }
  }

  async function complete(name: string, typed: string, given: Record<string, string>): Promise<string[]> {
    const begins = (value: string) => value.toLowerCase().startsWith(typed.toLowerCase())
    if (name === 'space') return (await listSpaces(database, actor)).map(({ slug }) => slug).filter(begins)
    if (name === 'kind') return kinds.all.map(({ type }) => type).filter(begins)
    if (name !== 'id' && name !== 'page') return []
    const found = await find(typed, { space: given.space, kind: name === 'page' ? 'page' : given.kind })
    return found.map(({ entity_id, title }) => (name === 'id' ? entity_id : title))
  }

  async function find(q: string, { space, kind }: { space?: string | undefined; kind?: string | undefined }) {
    if (canAct(actor, 'read', 'space') !== 'allow') return []
    const spaces = await listSpaces(database, actor)
    const space_ids = spaces
      .filter(({ id, slug }) => space === undefined || space === slug || space === id)
      .map(({ id }) => id)
    const suggested = await suggestTitles(database, kinds, { space_ids, q, aliases: false, limit: maxValues })
    return suggested.filter(({ entity_type }) => kind === undefined || entity_type === kind)
  }
}
