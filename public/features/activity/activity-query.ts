import { withQuery } from '../../ui/words/addresses.ts'

/** What the selects of the view choose. `what`: a source, or one action of a change; `result`: of calls. */
const filterNames = ['space', 'actor', 'what', 'kind', 'tool', 'result'] as const
/** What narrows it to one of something: the id of an entity, a conversation, a turn. */
export const oneNames = ['thing', 'conversation', 'turn'] as const

/**
 * The filters of the activity, stored in the address. `null`: any. `space` is a slug; `actor` is `owner`, `agents`,
 * `agent:<slug>` or `system:<name>`; `cursor` is the entry after which the page starts.
 */
export type ActivityQuery = Record<
  (typeof filterNames)[number] | (typeof oneNames)[number] | 'cursor',
  string | null
>

export function parseActivityQuery({ searchParams }: URL): ActivityQuery {
  const get = (name: string) => searchParams.get(name) || null
  return {
    ...{ space: get('space'), actor: get('actor'), what: get('what'), kind: get('kind') },
    ...{ tool: get('tool'), result: get('result') },
    ...{ thing: get('thing'), conversation: get('conversation'), turn: get('turn') },
    cursor: get('cursor'),
  }
}

export const isFiltered = (query: ActivityQuery): boolean =>
  [...filterNames, ...oneNames].some((name) => query[name] !== null)

export const activityHref = (query: Partial<ActivityQuery>): string => withQuery('/activity', query)

/** What agents did with an entity, and what came of their drafts. */
export const agentsHref = (thing: string): string => activityHref({ thing, actor: 'agents' })

const sources = new Set(['change', 'call', 'message', 'draft', 'decision', 'glance'])

/** The query of the API. */
export const activityPath = (query: ActivityQuery, spaceId: string | null, limit = 60): string =>
  withQuery('/api/activity', { ...toFilter(query, spaceId), cursor: query.cursor, limit })

/** The download of all entries that match, on whatever page. */
export const exportPath = (query: ActivityQuery, spaceId: string | null): string =>
  withQuery('/api/activity/export', toFilter(query, spaceId))

function toFilter(query: ActivityQuery, spaceId: string | null) {
  const { actor, kind, tool, result } = query
  return {
    space_id: spaceId,
    ...{ actor, entity_type: kind, ...toSource(query), ...(tool ? { source: 'call', action: tool } : {}) },
    ...{ entity_id: query.thing, conversation_id: query.conversation, turn_id: query.turn },
    status: result,
  }
}

function toSource({ what }: ActivityQuery) {
  const isSource = what !== null && sources.has(what)
  return { source: what === null || isSource ? what : 'change', action: isSource ? null : what }
}
