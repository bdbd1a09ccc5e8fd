import type { ActivityEntry } from '../../../lib/contract/activity.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { App } from '../../app/app.ts'
import { defineView, type LoadContext, type ViewContext } from '../../app/view.ts'
import { type FilterOption, filterChip } from '../../ui/components/filter-chip.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dayText, localDay } from '../../ui/time.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'
import {
  type ActivityQuery,
  activityHref,
  activityPath,
  exportPath,
  isFiltered,
  oneNames,
  parseActivityQuery,
  renderEntry,
} from './entry.ts'

type Data = {
  query: ActivityQuery
  entries: List<ActivityEntry>
  spaces: Space[]
  agents: { slug: string; name: string }[]
  /** The title of the conversation that it is narrowed to. */
  conversation: string | null
}

export const view = defineView<Data>({
  async load({ api, url }) {
    const query = parseActivityQuery(url)
    const [{ items: spaces }, { items: agents }] = await Promise.all([
      api.get<List<Space>>('/api/spaces?limit=200'),
      api.get<List<{ slug: string; name: string }>>('/api/agents?limit=200'),
    ])
    const spaceId = spaceIdOf({ query, spaces })
    const [entries, conversation] = await Promise.all([
      api.get<List<ActivityEntry>>(activityPath(query, spaceId)),
      conversationTitle(api, spaceId, query),
    ])
    return { query, spaces, agents, entries, conversation }
  },
  title: () => 'Activity',
  layout: 'wide',
  render: (data, context) =>
    el(
      'div',
      { class: 'activity' },
      el(
        'header',
        { class: 'view-head' },
        el('h1', {}, 'Activity'),
        el(
          'p',
          { class: 'dim' },
          'All changes, tool calls, messages, drafts, decisions and nudges, newest first. ',
          el('a', { href: exportPath(data.query, spaceIdOf(data)), download: '' }, 'Download as JSON Lines'),
        ),
      ),
      renderFilters({ ...data, names: namesOf(data), app: context.app }),
      renderDays(data, context),
      renderPages(data),
    ),
  affectedBy: (event, { query }) =>
    query.cursor === null &&
    (event.type === 'entity' ||
      event.type === 'space' ||
      event.type === 'change' ||
      (event.type === 'turn' && event.data.state === 'ended')),
})

const spaceIdOf = ({ query, spaces }: Pick<Data, 'query' | 'spaces'>): string | null =>
  spaces.find(({ slug }) => slug === query.space)?.id ?? null

/** `null` where it is gone, or not known by its Space. */
async function conversationTitle(
  api: LoadContext['api'],
  spaceId: string | null,
  { conversation }: ActivityQuery,
): Promise<string | null> {
  if (spaceId === null || conversation === null) return null
  const path = `/api/spaces/${spaceId}/conversations/${encodeURIComponent(conversation)}`
  return await api.get<{ title: string }>(path).then(
    ({ title }) => title || null,
    () => null,
  )
}

function namesOf({ query, entries, conversation }: Data): Record<(typeof oneNames)[number], string> {
  const thing = entries.items.find(({ entity_id, title }) => entity_id === query.thing && title !== '')
  const request = entries.items.find(({ turn_id, action }) => turn_id === query.turn && action === 'ask')
  return {
    thing: thing ? quoteShown(thing.title, 60) : 'one item',
    conversation: conversation ? quoteShown(conversation, 60) : 'one conversation',
    turn: request ? quoteShown(request.result, 60) : 'one message',
  }
}

function renderDays({ entries, spaces, query }: Data, { now }: ViewContext): Child {
  if (entries.items.length === 0) {
    return el(
      'p',
      { class: 'empty' },
      isFiltered(query) ? 'No activity matches these filters.' : 'No activity yet.',
    )
  }
  const days = Map.groupBy(entries.items, ({ at }) => localDay(new Date(at)))
  return [...days].map(([day, ofDay]) =>
    el(
      'section',
      { class: 'activity-day', 'aria-label': dayText(day, now) },
      el('h2', {}, day === localDay(now) ? 'Today' : dayText(day, now)),
      el(
        'ul',
        { class: 'activity-list' },
        ofDay.map((entry) => renderEntry(entry, { spaces, now })),
      ),
    ),
  )
}

function renderPages({ query, entries }: Data): Child {
  const { next_cursor: cursor } = entries
  return el(
    'nav',
    { class: 'row', 'aria-label': 'Pages of activity' },
    query.cursor && el('a', { class: 'button', href: activityHref({ ...query, cursor: null }) }, 'Newest'),
    cursor && el('a', { class: 'button', href: activityHref({ ...query, cursor }) }, 'Older'),
  )
}

type SpaceName = { slug: string; name: string }

export type FilterChoices = {
  query: ActivityQuery
  spaces: readonly SpaceName[]
  agents: readonly SpaceName[]
  /** What the one entity, conversation or turn is called that it is narrowed to. */
  names: Readonly<Record<(typeof oneNames)[number], string>>
  app: App
}

/** The filters of the activity. */
export function renderFilters(choices: FilterChoices): HTMLElement {
  const { query, app } = choices
  return el(
    'div',
    { class: 'filter-bar', role: 'search', 'aria-label': 'Filter activity' },
    fields(choices).map(([name, label, options]) =>
      filterChip({
        id: `activity-${name}`,
        label,
        options,
        value: query[name],
        choose: (value) => app.navigate(activityHref({ ...query, cursor: null, [name]: value })),
      }),
    ),
    isFiltered(query) && el('a', { class: 'button button-quiet button-small', href: '/activity' }, 'Clear'),
    renderOnes(choices),
  )
}

/** What it is narrowed to besides the chips, each with a link that lifts it. */
function renderOnes({ query, names }: FilterChoices): Child {
  const ones = oneNames.filter((name) => query[name] !== null)
  if (ones.length === 0) return null
  return el(
    'p',
    { class: 'activity-ones' },
    ones.map((name) =>
      el(
        'a',
        {
          class: 'button button-small',
          href: activityHref({ ...query, cursor: null, [name]: null }),
          title: 'Remove this filter',
          'aria-label': `Remove the filter ${oneLabels[name]}: ${names[name]}`,
        },
        `${oneLabels[name]}: ${names[name]}`,
        icon('close'),
      ),
    ),
  )
}

const oneLabels = { thing: 'Item', conversation: 'Conversation', turn: 'Message' } as const

const fields = ({ spaces, agents }: FilterChoices) =>
  [
    ['space', 'Space', spaces.map(({ slug, name }): FilterOption => [slug, name])],
    [
      'actor',
      'Actor',
      [
        ['owner', 'You'],
        ['agents', 'All agents'],
        ...agents.map(({ slug, name }): FilterOption => [`agent:${slug}`, name]),
        ['system:import', 'Import'],
      ],
    ],
    ['what', 'Event', events],
    [
      'kind',
      'Kind',
      (Object.keys(kindNames) as KindType[]).map((kind): FilterOption => [kind, kindNames[kind].one]),
    ],
    ['tool', 'Tool', toolNames.map((name): FilterOption => [name, name])],
    [
      'result',
      'Result',
      [
        ['error', 'Failed'],
        ['pending', 'Running'],
        ['cancelled', 'Cancelled'],
        ['unfinished', 'Failed or cancelled'],
      ],
    ],
  ] as const satisfies readonly (readonly [string, string, readonly FilterOption[]])[]

/** The tools that companions and agents are offered. */
export const toolNames: readonly string[] = [
  ...['search', 'read', 'list', 'context', 'open', 'highlight'],
  ...['propose_change', 'changes', 'revise_change', 'withdraw_change'],
  ...['find_tool', 'call_tool', 'search_email', 'read_email_thread', 'research'],
]

const events: readonly FilterOption[] = [
  ['change', 'All changes'],
  ['create', 'Created'],
  ['update', 'Edited'],
  ['delete', 'Deleted'],
  ['restore', 'Restored'],
  ['call', 'Tool calls'],
  ['message', 'Messages'],
  ['draft', 'Drafts'],
  ['decision', 'Decisions'],
  ['glance', 'Nudges'],
]
