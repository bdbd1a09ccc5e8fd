import type { Card, CardLine } from '../../../lib/contract/changes/card.ts'
import type { Space } from '../../../lib/contract/entities/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { Reader } from '../../app/api/api.ts'
import type { LoadContext, ViewContext } from '../../app/view.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { type Group, groupLines } from './groups.ts'
import { type InboxQuery, pageSize, parseInboxQuery } from './inbox-query.ts'

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
  const list = await readLines(api, query.shown ?? pageSize, {
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
  wanted: number,
  filter: Record<string, string | null | undefined>,
): Promise<List<CardLine>> {
  const items: CardLine[] = []
  let cursor: string | null = null
  do {
    const path = withQuery('/api/inbox/lines', { ...filter, limit: pageSize, cursor })
    const page: List<CardLine> = await api.get(path)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor && items.length < wanted)
  return { items, next_cursor: cursor }
}

// Decided drafts are listed by the time of the decision, without groups.
function toGroups(lines: CardLine[], { tab, state }: InboxQuery): Group[] {
  if (tab === 'decided') return [{ changesetId: 'decided', lines, plain: [] }].filter(() => lines.length > 0)
  const wanted = lines.filter(
    ({ stale }) => (state !== 'stale' || stale !== null) && (state !== 'ready' || stale === null),
  )
  return groupLines(wanted)
}
