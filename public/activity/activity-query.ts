import { withQuery } from '../api/api.ts'

/** The filters of the activity, stored in the address. `null`: any. */
export type ActivityQuery = {
  /** A Space's slug. */
  space: string | null
  /** `owner`, `agent:<slug>`, `system:<name>`. */
  actor: string | null
  kind: string | null
  /** A source, or one action of a change. */
  what: string | null
  /** The entry after which the page starts. */
  cursor: string | null
}

export const filterNames = ['space', 'actor', 'kind', 'what'] as const

export function parseActivityQuery({ searchParams }: URL): ActivityQuery {
  const get = (name: string) => searchParams.get(name) || null
  return {
    space: get('space'),
    actor: get('actor'),
    kind: get('kind'),
    what: get('what'),
    cursor: get('cursor'),
  }
}

export const activityHref = (query: ActivityQuery): string => withQuery('/activity', query)

const sources = new Set(['change', 'call', 'message', 'draft', 'decision', 'glance'])

/** The query of the API. */
export const activityPath = (query: ActivityQuery, spaceId: string | null): string =>
  withQuery('/api/activity', { ...toFilter(query, spaceId), cursor: query.cursor, limit: 60 })

/** The download of all entries that match, on whatever page. */
export const exportPath = (query: ActivityQuery, spaceId: string | null): string =>
  withQuery('/api/activity/export', toFilter(query, spaceId))

function toFilter({ actor, kind, what }: ActivityQuery, spaceId: string | null) {
  const isSource = what !== null && sources.has(what)
  return {
    space_id: spaceId,
    actor,
    entity_type: kind,
    source: what === null || isSource ? what : 'change',
    action: isSource ? null : what,
  }
}
