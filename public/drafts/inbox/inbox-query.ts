import { withQuery } from '../../ui/words/addresses.ts'

/** The filters of the Inbox, stored in the address. `null`: any. */
export type InboxQuery = {
  tab: 'waiting' | 'decided'
  /** A Space's slug, an agent's slug, a kind, a state. */
  space: string | null
  agent: string | null
  kind: string | null
  state: string | null
  /** How many lines are shown; `null`: the first so many. */
  shown: number | null
}

/** Lines that are loaded at once, and added with each “Show more”. */
export const pageSize = 100

export function parseInboxQuery({ searchParams }: URL): InboxQuery {
  return {
    tab: searchParams.get('tab') === 'decided' ? 'decided' : 'waiting',
    space: searchParams.get('space'),
    agent: searchParams.get('agent'),
    kind: searchParams.get('kind'),
    state: searchParams.get('state'),
    shown: Number(searchParams.get('shown')) || null,
  }
}

/** The address of the same list with more in it. */
export const moreHref = (query: InboxQuery): string =>
  inboxHref({ ...query, shown: (query.shown ?? pageSize) + pageSize })

/** The address of the list, or of one draft in it. */
export function inboxHref({ tab, ...filters }: InboxQuery, id: string | null = null): string {
  const path = id === null ? '/inbox' : `/inbox/${encodeURIComponent(id)}`
  return withQuery(path, { ...(tab === 'decided' ? { tab } : {}), ...filters })
}

export const isFiltered = ({ space, agent, kind, state }: InboxQuery): boolean =>
  [space, agent, kind, state].some((value) => value !== null)
