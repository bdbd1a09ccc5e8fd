import type { Card, CardLine } from '../../../lib/contract/changes/card.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { Reader } from '../../app/api/api.ts'
import type { LoadContext, ViewContext } from '../../app/view.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { isPlain } from '../card/draft/card-state.ts'

type AgentName = { id: string; slug: string; name: string }

export type InboxData = {
  query: InboxQuery
  groups: Group[]
  /** The ids in the order shown. */
  ids: string[]
  more: boolean
  /** The draft of the address, or the first of the list. */
  card: Card | null
  /** Loaded with the first draft. */
  renderCard: typeof import('../card/card.ts').renderCard | null
  /** Whether the address names a draft: a phone shows either the list or the draft. */
  opened: boolean
  agents: AgentName[]
  spaces: Space[]
}

export type InboxContext = ViewContext & { data: InboxData }

export async function loadInbox({ api, url, params }: LoadContext): Promise<InboxData> {
  const query = parseInboxQuery(url)
  const [{ items: agents }, { items: spaces }] = await Promise.all([
    api.get<List<AgentName>>('/api/agents?limit=200'),
    api.get<List<Space>>('/api/spaces?limit=200'),
  ])
  const list = await readLines(api, query.maxLines ?? pageSize, {
    tab: query.tab,
    space_id: spaces.find(({ slug }) => slug === query.space)?.id,
    agent_id: agents.find(({ slug }) => slug === query.agent)?.id,
    entity_type: query.kind,
    status: query.tab === 'decided' ? query.state : null,
  })
  const groups = toGroups(list.items, query)
  const ids = groups.flatMap(({ lines }) => lines.map(({ pending_change_id }) => pending_change_id))
  const id = params.id ?? ids[0]
  const answer = id ? await api.get<{ card: Card }>(`/api/pending-changes/${encodeURIComponent(id)}`) : null

  return {
    query,
    groups,
    ids,
    more: list.next_cursor !== null,
    card: answer?.card ?? null,
    renderCard: answer ? (await import('../card/card.ts')).renderCard : null,
    opened: params.id !== undefined,
    agents,
    spaces,
  }
}

/** Loads pages until there are that many lines, or no more. */
async function readLines(
  api: Reader,
  minCount: number,
  filter: Record<string, string | null | undefined>,
): Promise<List<CardLine>> {
  const items: CardLine[] = []
  let cursor: string | null = null
  do {
    const path = withQuery('/api/inbox/lines', { ...filter, limit: pageSize, cursor })
    const page: List<CardLine> = await api.get(path)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor && items.length < minCount)
  return { items, next_cursor: cursor }
}

// Decided drafts are listed by the time of the decision, without groups.
function toGroups(lines: CardLine[], { tab, state }: InboxQuery): Group[] {
  if (tab === 'decided') return [{ changesetId: 'decided', lines, plain: [] }].filter(() => lines.length > 0)
  const matches = lines.filter(
    ({ stale }) => (state !== 'stale' || stale !== null) && (state !== 'ready' || stale === null),
  )
  return groupLines(matches)
}

/** The filters of the Inbox, stored in the address. `null`: any. */
export type InboxQuery = {
  tab: 'waiting' | 'decided'
  /** A Space's slug, an agent's slug, a kind, a state. */
  space: string | null
  agent: string | null
  kind: string | null
  state: string | null
  /** How many lines are shown; `null`: the first so many. */
  maxLines: number | null
}

/** Lines that are loaded at once, and added with each “Show more”. */
const pageSize = 100

export function parseInboxQuery({ searchParams }: URL): InboxQuery {
  return {
    tab: searchParams.get('tab') === 'decided' ? 'decided' : 'waiting',
    space: searchParams.get('space'),
    agent: searchParams.get('agent'),
    kind: searchParams.get('kind'),
    state: searchParams.get('state'),
    maxLines: Number(searchParams.get('shown')) || null,
  }
}

/** The address of the same list with more in it. */
export const moreHref = (query: InboxQuery): string =>
  inboxHref({ ...query, maxLines: (query.maxLines ?? pageSize) + pageSize })

/** The address of the list, or of one draft in it. */
export function inboxHref({ tab, maxLines, ...filters }: InboxQuery, id: string | null = null): string {
  const path = id === null ? '/inbox' : `/inbox/${encodeURIComponent(id)}`
  return withQuery(path, { ...(tab === 'decided' ? { tab } : {}), ...filters, shown: maxLines })
}

export const isFiltered = ({ space, agent, kind, state }: InboxQuery): boolean =>
  [space, agent, kind, state].some((value) => value !== null)

// The order of the Inbox: drafts of one changeset are grouped.

export type Group = {
  changesetId: string
  /** In the order they were drafted: a later one may depend on an earlier one. */
  lines: CardLine[]
  /** Those that may be approved together: pending, up to date, deleting nothing. */
  plain: CardLine[]
}

/** Groups in the order of their newest draft, for lines that come newest first. */
export function groupLines(lines: readonly CardLine[]): Group[] {
  const groups = Map.groupBy(lines, ({ changeset_id }) => changeset_id)
  return [...groups].map(([changesetId, ofOne]) => {
    const ordered = ofOne.toSorted((a, b) => (a.pending_change_id < b.pending_change_id ? -1 : 1))
    return { changesetId, lines: ordered, plain: ordered.filter(isPlain) }
  })
}

/** The position of a draft in the list, and its neighbours; `index` is -1 for one that is not in it. */
export function placeOf(ids: readonly string[], id: string | null) {
  const index = id === null ? -1 : ids.indexOf(id)
  return {
    index,
    previous: index > 0 ? ids[index - 1]! : null,
    next: index >= 0 ? (ids[index + 1] ?? null) : (ids[0] ?? null),
  }
}

/** The draft to open once these are decided: the one after the last of them, else the one before. */
export function afterDecided(ids: readonly string[], decided: ReadonlySet<string>): string | null {
  const last = ids.findLastIndex((id) => decided.has(id))
  const rest = (id: string) => !decided.has(id)
  return ids.slice(last + 1).find(rest) ?? ids.slice(0, Math.max(0, last)).findLast(rest) ?? null
}
