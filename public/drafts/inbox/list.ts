import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { showLine } from '../../../lib/core/text/quote-name.ts'
import { type FilterOption, filterBar, filterChip } from '../../ui/components/filter-chip.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dayAndTime, timeAgo } from '../../ui/time.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'
import { cardState, deciderName, isDestructive } from '../card/draft/card-state.ts'
import { listStateOf } from './batch.ts'
import { renderBatchBar } from './batch-bar.ts'
import {
  type Group,
  type InboxContext,
  type InboxQuery,
  inboxHref,
  isFiltered,
  moreHref,
  runOf,
} from './inbox-data.ts'

export const itemId = (id: string): string => `item-${id}`

/** The left side: pending drafts by agent and hour, or decided ones. */
export function renderList(context: InboxContext): HTMLElement {
  const { data } = context
  return el(
    'section',
    { class: 'inbox-list', id: 'inbox-list', 'aria-label': 'Drafts' },
    el('header', { class: 'inbox-head' }, renderFilters(context)),
    data.groups.length === 0 && renderEmpty(context),
    el(
      'div',
      { class: 'inbox-groups' },
      data.groups.map((group) => renderGroup(group, context)),
    ),
    data.more &&
      el('a', { class: 'button inbox-more', id: 'inbox-more', href: moreHref(data.query) }, 'Show more'),
    renderBatchBar(context),
  )
}

function renderGroup(group: Group, context: InboxContext): HTMLElement {
  const { created_at } = newestOf(group)
  const waiting = context.data.query.tab === 'waiting'
  const label = `inbox-group-${group.lines[0]!.pending_change_id}`
  return el(
    'div',
    {
      class: 'inbox-group',
      role: 'group',
      ...(waiting ? { 'aria-labelledby': label } : { 'aria-label': 'Decided' }),
    },
    waiting &&
      el(
        'header',
        { class: 'inbox-group-head' },
        group.lines.length > 1 && selectBox(context, group.lines, 'Select all of this group'),
        el('h2', { id: label }, groupName(group), ' ', dayAndTime(created_at, context.now)),
      ),
    el(
      'ul',
      { class: 'inbox-lines' },
      group.lines.map((line) => renderLine(line, context)),
    ),
  )
}

function groupName(group: Group): Child {
  const run = runOf(group)
  const name = el('bdi', {}, visible(run?.name ?? newestOf(group).agent.name))
  return run ? [name, ` · ${run.count}`] : name
}

const newestOf = ({ lines }: Group): CardLine =>
  lines.reduce((newest, line) => (line.created_at > newest.created_at ? line : newest))

/** A box that selects the lines, or removes them from the selection. */
function selectBox(context: InboxContext, lines: readonly CardLine[], name: string): HTMLElement {
  const { selected } = listStateOf(context.app).get()
  const ids = lines.map(({ pending_change_id }) => pending_change_id)
  return el('label', { class: 'inbox-select' }, [
    el('input', {
      type: 'checkbox',
      id: ids.length === 1 ? `select-${ids[0]}` : `select-all-${ids[0]}`,
      'aria-label': name,
      checked: ids.every((id) => selected.has(id)),
      onchange: ({ currentTarget }: Event) =>
        setSelected(context, ids, currentTarget instanceof HTMLInputElement && currentTarget.checked),
    }),
  ])
}

function renderLine(line: CardLine, context: InboxContext): HTMLElement {
  const { data, now } = context
  const { pending_change_id: id } = line
  const current = data.card?.pending_change_id === id
  const together = data.together.some((card) => card.pending_change_id === id)
  const href = inboxHref(data.query, id)
  return el(
    'li',
    { class: 'inbox-line', 'data-current': current, 'data-together': together },
    data.query.tab === 'waiting' && selectBox(context, [line], `Select: ${showLine(line.summary, 300)}`),
    el(
      'a',
      { class: 'inbox-item', id: itemId(id), href, 'aria-current': current ? 'true' : null, 'data-id': id },
      kindIcon(line.entity_type),
      el('bdi', { class: 'inbox-summary' }, visible(line.summary)),
      el('span', { class: 'inbox-marks' }, marks(line, context.data, now)),
    ),
  )
}

function marks(line: CardLine, { spaces, query }: InboxContext['data'], now: Date): Child {
  const { tone, icon: name, word } = cardState(line)
  const badge = el('span', { class: ['badge', `badge-${tone}`] }, icon(name), word)
  if (line.decided) {
    return [
      badge,
      el(
        'span',
        { class: 'dim small' },
        line.decided.by && `by ${deciderName(line.decided.by)} `,
        timeAgo(line.decided.at, now),
      ),
    ]
  }
  return [
    line.stale && badge,
    isDestructive(line) &&
      el('span', { class: 'badge badge-red' }, line.operation === 'call' ? 'Calls a tool' : 'Deletes'),
    spaces.length > 1 && query.space === null && el('bdi', { class: 'dim small' }, visible(line.space.name)),
  ]
}

/** Selects a draft, or removes it from the selection. */
export const toggleSelected = (context: InboxContext, id: string): void =>
  setSelected(context, [id], !listStateOf(context.app).get().selected.has(id))

function setSelected({ app, data }: InboxContext, ids: readonly string[], isSelected: boolean): void {
  const state = listStateOf(app)
  const visibleIds = new Set(data.ids)
  const selected = new Set([...state.get().selected].filter((each) => visibleIds.has(each)))
  for (const id of ids) isSelected ? selected.add(id) : selected.delete(id)
  state.set({ selected })
  for (const { lines } of data.groups) {
    for (const { pending_change_id: id } of lines) setBox(`select-${id}`, selected.has(id))
    const isWhole = lines.every(({ pending_change_id: id }) => selected.has(id))
    setBox(`select-all-${lines[0]?.pending_change_id}`, isWhole)
  }
}

function setBox(id: string, checked: boolean): void {
  const box = document.getElementById(id)
  if (box instanceof HTMLInputElement) box.checked = checked
}

function renderEmpty({ data: { query } }: InboxContext): HTMLElement {
  if (isFiltered(query)) {
    return el(
      'div',
      { class: 'inbox-empty' },
      el('p', {}, 'No drafts match these filters.'),
      el(
        'a',
        {
          href: inboxHref({
            tab: query.tab,
            space: null,
            agent: null,
            kind: null,
            state: null,
            maxLines: null,
          }),
        },
        'Clear filters',
      ),
    )
  }
  if (query.tab === 'decided') {
    return el('div', { class: 'inbox-empty' }, el('p', {}, 'No decisions yet.'))
  }
  return el(
    'div',
    { class: 'inbox-empty' },
    el('h2', {}, 'No pending drafts'),
    el(
      'p',
      {},
      'Changes that the companion and other agents propose are listed here. Nothing changes until you approve it.',
    ),
  )
}

/** The tabs for pending and decided drafts, and the filters. */
function renderFilters({ data, app }: InboxContext): HTMLElement[] {
  const { query } = data
  return [
    el(
      'nav',
      { class: 'inbox-tabs', 'aria-label': 'Drafts' },
      tab(query, 'waiting', 'Pending'),
      tab(query, 'decided', 'History'),
    ),
    filterBar(
      fields(data).map(([name, label, options]) =>
        filterChip({
          id: `inbox-${name}`,
          label,
          options,
          value: query[name],
          choose: (value) => app.navigate(inboxHref({ ...query, [name]: value })),
        }),
      ),
    ),
  ]
}

function tab(query: InboxQuery, name: InboxQuery['tab'], label: string): HTMLElement {
  const href = inboxHref({ ...query, tab: name, state: null })
  return el('a', { class: 'inbox-tab', href, 'aria-current': query.tab === name ? 'page' : null }, label)
}

const fields = ({ query, agents, spaces }: InboxContext['data']) =>
  [
    ['space', 'Space', spaces.map(({ slug, name }): FilterOption => [slug, name])],
    ['agent', 'Agent', agents.map(({ slug, name }): FilterOption => [slug, name])],
    [
      'kind',
      'Kind',
      (Object.keys(kindNames) as KindType[])
        .filter((kind) => kind !== 'page_view')
        .map((kind): FilterOption => [kind, kindNames[kind].one]),
    ],
    ['state', 'State', query.tab === 'waiting' ? waitingStates : decidedStates],
  ] as const

const waitingStates: readonly FilterOption[] = [
  ['ready', 'Ready to approve'],
  ['stale', 'Changed since'],
]

const decidedStates: readonly FilterOption[] = [
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['obsolete', 'Obsolete'],
  ['superseded', 'Replaced'],
  ['retracted', 'Withdrawn'],
]
