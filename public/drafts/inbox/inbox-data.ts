import type { Card, CardLine } from '../../../lib/contract/changes/card.ts'
import type { Changeset } from '../../../lib/contract/changes/pending-change.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { Reader } from '../../app/api/api.ts'
import type { LoadContext, ViewContext } from '../../app/view.ts'
import { localHour } from '../../ui/time.ts'
import { withQuery } from '../../ui/words/addresses.ts'

type AgentName = { id: string; slug: string; name: string }

export type InboxData = {
  query: InboxQuery
  groups: Group[]
  /** The ids in the order shown. */
  ids: string[]
  more: boolean
  /** The draft of the address, or the first of the list. */
  card: Card | null
  /** The pending drafts of its changeset, where there are several, in the order in which each can be applied. */
  together: Card[]
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
  const card = answer?.card ?? null

  return {
    query,
    groups,
    ids,
    more: list.next_cursor !== null,
    card,
    together: card ? await readTogether(api, card, list.items) : [],
    renderCard: card ? (await import('../card/card.ts')).renderCard : null,
    opened: params.id !== undefined,
    agents,
    spaces,
  }
}

/** More drafts are shown one by one. */
const maxTogether = 20

async function readTogether(api: Reader, card: Card, lines: readonly CardLine[]): Promise<Card[]> {
  const { changeset_id, pending_change_id, status } = card
  const siblings = lines.filter((line) => line.changeset_id === changeset_id && line.status === 'pending')
  if (status !== 'pending' || siblings.length < 2 || siblings.length > maxTogether) return []
  const { items } = await api.get<Changeset>(`/api/changesets/${encodeURIComponent(changeset_id)}`)
  const cards = items.filter((item) => item.status === 'pending').map((item) => item.card)
  // That of the address is compared with what has changed since.
  return cards.map((each) => (each.pending_change_id === pending_change_id ? card : each))
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
  if (tab === 'decided') return lines.length > 0 ? [{ key: 'decided', lines }] : []
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

// The order of the Inbox: one group for each run of a routine, and for each agent and hour, in it one changeset after the
// other.

export type Group = {
  key: string
  /** By changeset, each in the order it was drafted: a later one may depend on an earlier one. */
  lines: CardLine[]
}

/** Groups in the order of their newest draft, for lines that come newest first. A changeset is never parted. */
export function groupLines(lines: readonly CardLine[]): Group[] {
  const changesets = [...Map.groupBy(lines, ({ changeset_id }) => changeset_id).values()].map((ofOne) =>
    ofOne.toSorted(byDrafting),
  )
  const groups = Map.groupBy(changesets, ([first]) => {
    const { routine, changeset_id, agent, created_at } = first!
    return routine ? changeset_id : `${agent.id} ${localHour(created_at)}`
  })
  return [...groups].map(([key, ofHour]) => ({ key, lines: ofHour.flat() }))
}

/** The routine whose run a group is, and how much it drafted; `null`: it is the group of an agent. */
export function runOf({ lines }: Group): { name: string; count: string } | null {
  const name = lines[0]?.routine?.name
  return name === undefined
    ? null
    : { name, count: lines.length === 1 ? '1 draft' : `${lines.length} drafts` }
}

/** What is left of a draft has its time, and stands where it stood. */
function byDrafting(a: CardLine, b: CardLine): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  const [first, second] = [a, b].map(({ supersedes, pending_change_id }) => supersedes ?? pending_change_id)
  return first! < second! ? -1 : 1
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
